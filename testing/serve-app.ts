/** The API's app on a real socket. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { endServer } from './server.ts';
import type { createApp } from '../api/app.ts';

/** Serves an app on loopback, on a free port unless one is named; closing ends its streams and connections. */
export async function serveApp(
  api: ReturnType<typeof createApp>,
  port = 0,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = await new Promise<Server>((resolve) => {
    const starting = serve({ fetch: api.app.fetch, hostname: '127.0.0.1', port }, () => resolve(starting as Server));
  });
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: async () => {
      api.close();
      await endServer(server);
    },
  };
}
