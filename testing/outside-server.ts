/** A server outside the network of a test: it records what reaches it. And names that resolve as a test wants. */
import type { lookup } from 'node:dns';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { onTestFinished } from 'vitest';
import type { Network } from '../activities/models/client/egress.ts';

/** The address that is inside the network of a test. */
const INSIDE = '127.0.0.1';

/** An address of this machine that is not on loopback, where it has one. */
export const OUTSIDE =
  Object.values(networkInterfaces())
    .flatMap((addresses = []) => addresses)
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.2';

/** A resolver that answers with these addresses, one list after the other, the last one for ever. */
export function resolving(...answers: readonly (readonly string[])[]): typeof lookup {
  const left = [...answers];
  return ((_name: string, _options: unknown, callback: (error: null, found: object[]) => void) => {
    const addresses = (left.length > 1 ? left.shift() : left[0]) ?? [];
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  }) as unknown as typeof lookup;
}

/** A network that ends at `127.0.0.1`. */
export const networkOf = (resolve = resolving([OUTSIDE])): Network => ({
  isInside: (address) => address === INSIDE,
  resolve,
});

/** Listens on every address of this machine until the test ends, and answers each connection with this text. */
export async function outsideServer(
  answer = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n',
): Promise<{ readonly port: number; readonly connections: () => number; readonly received: () => string }> {
  let connections = 0;
  let received = '';
  const server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => socket.destroy());
    socket.on('data', (bytes: Buffer) => {
      received += bytes.toString('latin1');
      socket.end(answer);
    });
  });
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.close();
    await once(server, 'close');
  });
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    received: () => received,
  };
}
