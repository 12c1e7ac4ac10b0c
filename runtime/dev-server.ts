/** The workspace while somebody works on it: Vite serves web/ as it is, shows a change at once, and passes requests of the API on. */
import path from 'node:path';

/** A running server. */
export interface DevServer {
  /** Address of the workspace, without a slash at its end. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Where it takes its files from, and what answers its requests. */
export interface DevServerOptions {
  /** The folder web/ of a checkout. */
  readonly webDir: string;
  readonly apiUrl: string;
  /** Preferred port; the next free one is taken. */
  readonly port?: number;
}

/** Starts it on the loopback address. */
export async function startDevServer({ webDir, apiUrl, port }: DevServerOptions): Promise<DevServer> {
  // A development dependency: an image does not have it.
  const { createServer } = await import('vite');
  const server = await createServer({
    root: webDir,
    configFile: path.join(webDir, 'vite.config.ts'),
    logLevel: 'warn',
    server: {
      host: '127.0.0.1',
      ...(port === undefined ? {} : { port }),
      // The host stays the one in the address bar: sessions are refused to other origins.
      proxy: { '/api': { target: apiUrl, changeOrigin: false } },
    },
  });
  await server.listen();
  const [local] = server.resolvedUrls?.local ?? [];
  if (local === undefined) throw new Error('Vite listens on no address');
  return { url: local.replace(/\/$/u, ''), stop: () => server.close() };
}
