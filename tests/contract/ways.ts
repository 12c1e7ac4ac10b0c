/** Bad connections between Deckhand and a model server: slow, cut in the middle of an answer, under a certificate for another name, sent elsewhere. */
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { makeCertificate } from '../../testing/scripted-openai/certificate.ts';

/** A connection that ends with its test. */
export interface Way {
  /** URL that stands for that of the server. */
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Passes everything on and changes what comes back. @param back is given the server's socket and the client's */
async function pass(url: string, back: (server: Socket, client: Socket) => void, tlsName?: string): Promise<Way> {
  const { hostname, port, pathname } = new URL(url);
  const open = new Set<Socket>();
  const meet = (client: Socket): void => {
    const server = connect({ host: hostname, port: Number(port) });
    for (const socket of [client, server]) {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
    }
    // Bytes that the server has sent may be on their way yet when it has closed.
    client.once('close', () => server.destroy()).on('error', () => client.destroy());
    server.on('error', () => client.destroy());
    client.pipe(server);
    back(server, client);
  };
  const way: Server =
    tlsName === undefined ? createServer(meet) : createTlsServer(makeCertificate(tlsName, false), meet);
  way.on('tlsClientError', () => undefined);
  const end = await listen(way);
  return {
    url: `${tlsName === undefined ? 'http' : 'https'}://127.0.0.1:${end}${pathname === '/' ? '' : pathname}`,
    stop: async () => {
      for (const socket of open) socket.destroy();
      await close(way);
    },
  };
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  await closed;
}

const PIECE_BYTES = 200;
const PAUSE_MS = 5;

/** Answers come in small pieces with pauses. */
export const slowWay = (url: string): Promise<Way> =>
  pass(url, (server, client) => {
    let waiting = Promise.resolve();
    server.on('data', (data: Buffer) => {
      for (let at = 0; at < data.length; at += PIECE_BYTES) {
        const piece = data.subarray(at, at + PIECE_BYTES);
        waiting = waiting.then(async () => {
          await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
          if (!client.destroyed) client.write(piece);
        });
      }
    });
    server.on('end', () => void waiting.then(() => client.end()));
  });

/** A chat's answer is cut after so many parts; all other answers come whole. */
export const cutWay = (url: string, afterParts: number): Promise<Way> =>
  pass(url, (server, client) => {
    let parts = 0;
    server.on('data', (data: Buffer) => {
      // An event of OpenAI's protocol, or a line of Ollama's that is not the last one.
      parts += data.toString('latin1').split(/data: \{|"done":false/u).length - 1;
      if (parts > afterParts) client.destroy();
      else client.write(data);
    });
    server.on('end', () => client.end());
  });

/** TLS under a certificate for another name; its authority is the certificate itself. */
export const misnamedWay = (url: string): Promise<Way> =>
  pass(url, (server, client) => void server.pipe(client), 'models.example');

/** Every request is sent on to the server by a redirect. */
export async function redirectWay(url: string): Promise<Way> {
  const server = createHttpServer((request, answer) => {
    answer.writeHead(307, { location: new URL(request.url ?? '/', url).href }).end();
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections();
      await close(server);
    },
  };
}
