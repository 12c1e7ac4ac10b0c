/** Servers of tests, on loopback and on a free port. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Server as SocketServer } from 'node:net';
import { onTestFinished } from 'vitest';

/** Has a server listen. @returns its port */
export async function listen(server: SocketServer): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Ends a server and its connections. */
export async function endServer(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}

/** Starts a server that ends with the test. @returns its address */
export async function serveForTest(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  const port = await listen(server);
  onTestFinished(() => endServer(server));
  return `http://127.0.0.1:${port}`;
}
