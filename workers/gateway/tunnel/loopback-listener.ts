/** A port on our loopback interface whose connections are forwarded: the near end of a tunnel. It stays open while the far end reconnects. */
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** The near end. */
export interface LoopbackListener {
  readonly port: number;
  /** Cuts every connection that goes through it now. */
  cut(): void;
  close(): Promise<void>;
}

/**
 * Listens on a free port of 127.0.0.1.
 *
 * @param far opens the far end of one connection; when it rejects, the near end is closed too
 */
export async function listenOnLoopback(far: () => Promise<Duplex>): Promise<LoopbackListener> {
  const sockets = new Set<Socket>();
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    void join(socket, far);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      cut();
      await closed;
    },
  };
}

/** Connects both ends: data flows both ways, and when one end closes, the other is closed. */
async function join(socket: Socket, far: () => Promise<Duplex>): Promise<void> {
  // Only the end of the connection matters here; its user reports the error.
  socket.on('error', () => socket.destroy());
  let stream: Duplex;
  try {
    stream = await far();
  } catch {
    // The machine cannot be reached: the caller sees a closed connection and reports it.
    socket.destroy();
    return;
  }
  stream.on('error', () => stream.destroy());
  stream.once('close', () => socket.destroy());
  socket.once('close', () => stream.destroy());
  if (socket.destroyed) stream.destroy();
  else socket.pipe(stream).pipe(socket);
}
