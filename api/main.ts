/**
 * The API process: reads its settings, opens the database, Temporal and the blobs, and serves until SIGTERM.
 *
 * It listens on loopback only: there are no API keys yet. Under the supervisor it ends with its parent (the guard sees to that).
 */
import type { Server } from 'node:http';
import { serve } from '@hono/node-server';
import { Client, Connection } from '@temporalio/client';
import { asDeckhandError, DeckhandError } from '../domain/errors.ts';
import { openBlobs } from '../platform/blobs.ts';
import { ensureHome, loadConfig } from '../platform/config.ts';
import { closeDatabase, createDatabase } from '../platform/db.ts';
import { createLogger } from '../platform/log.ts';
import { lostWorkerInterceptors } from '../platform/lost-worker.ts';
import { temporalTarget } from '../platform/temporal.ts';
import { repairAnalyses } from './analyses/repair.ts';
import { createApp } from './app.ts';
import { selectionWhenAsked } from './fleet/open-selection.ts';

const REPAIR_INTERVAL_MS = 15_000;
/** Requests in flight get this long at the end. */
const DRAIN_MS = 1500;

async function main(): Promise<void> {
  const config = loadConfig();
  const log = createLogger('api', config);
  if (config.databaseUrl === undefined) {
    throw new DeckhandError('usage', 'DATABASE_URL is not set', {
      hint: 'Start everything with `./deckhand up`, or set DATABASE_URL.',
    });
  }
  ensureHome(config);
  const target = temporalTarget(config);
  const db = createDatabase(config.databaseUrl, { applicationName: 'deckhand-api' });
  // Lazy: the API answers, and says in its health what is missing, before Temporal does.
  const connection = Connection.lazy({ address: target.address });
  const temporal = new Client({
    connection,
    namespace: target.namespace,
    interceptors: { workflow: lostWorkerInterceptors(config) },
  });
  const selection = selectionWhenAsked({ db, config, log });
  const deps = { db, temporal, blobs: openBlobs(config), config, log, selection };
  const api = createApp(deps);

  const server = serve({ fetch: api.app.fetch, hostname: config.apiHost, port: config.apiPort }, ({ port }) => {
    log.info({ port }, `listening on http://${config.apiHost}:${port}`);
  }) as Server;
  server.once('error', (error) => {
    log.fatal({ err: error }, 'the API cannot listen');
    process.exit(1);
  });

  const stopRepair = repairRegularly(deps);
  const stop = async (): Promise<void> => {
    stopRepair();
    api.close();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    setTimeout(() => server.closeAllConnections(), DRAIN_MS).unref();
    await closed;
    // The connection to Temporal ends with the process: a call that is being retried would throw into a closed one.
    await closeDatabase(db);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      log.info({ signal }, 'stopping');
      stop().then(
        () => process.exit(0),
        (error: unknown) => {
          log.error({ err: error }, 'the API did not stop cleanly');
          process.exit(1);
        },
      );
    });
  }
}

/** Sweeps one after the other; a sweep that fails is logged and the next one tries again. */
function repairRegularly(deps: Parameters<typeof repairAnalyses>[0]): () => void {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  const sweep = async (): Promise<void> => {
    try {
      await repairAnalyses(deps);
    } catch (error) {
      deps.log.warn({ err: error }, 'open analyses could not be checked');
    }
    if (!stopped) timer = setTimeout(() => void sweep(), REPAIR_INTERVAL_MS);
  };
  void sweep();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

try {
  await main();
} catch (thrown) {
  const error = asDeckhandError(thrown);
  process.stderr.write(`${error.userMessage}${error.hint === undefined ? '' : `\n${error.hint}`}\n`);
  process.exit(1);
}
