/**
 * The API process: reads its settings, opens the database, Temporal and the blobs, and serves until SIGTERM.
 *
 * By default it listens on loopback and asks for keys; without keys it can listen on loopback only. Under the supervisor it
 * ends with its parent (the guard sees to that).
 */
import type { Server } from 'node:http';
import { serve } from '@hono/node-server';
import { Connection } from '@temporalio/client';
import { asDeckhandError, DeckhandError } from '../domain/errors.ts';
import { openBlobs } from '../platform/blobs.ts';
import type { PrismaClient } from '../generated/prisma/client.ts';
import { ensureHome, loadConfig, type Config } from '../platform/config.ts';
import { closeDatabase, createDatabase } from '../platform/db.ts';
import { createLogger, type Logger } from '../platform/log.ts';
import { lostWorkerInterceptors } from '../platform/lost-worker.ts';
import { sweepScratch } from '../platform/scratch.ts';
import { temporalClient, temporalTarget } from '../platform/temporal.ts';
import type { Catalog } from '../domain/models/catalog/catalog.ts';
import { findProfile } from '../domain/models/catalog/lookup.ts';
import { loadModelsFile } from '../platform/models-file.ts';
import { applyModelsFile } from '../activities/models/catalog/models-file.ts';
import { readCatalog } from '../activities/models/catalog/read.ts';
import { createApp } from './app.ts';
import { admitOwnKey } from './auth/own-key.ts';
import { noteOtherRules, refreshAllEntries } from './decks/list/refresh.ts';
import { selectionWhenAsked } from './fleet/open-selection.ts';
import { countDocuments } from './metrics/documents.ts';

const COUNT_INTERVAL_MS = 15_000;
const ENTRIES_INTERVAL_MS = 60_000;
/** Requests in flight get this long at the end. */
const DRAIN_MS = 1500;
/** The database is asked again after this long. */
const DATABASE_RETRY_MS = 1000;

async function main(): Promise<void> {
  const config = loadConfig();
  const log = createLogger('api', config);
  if (config.databaseUrl === undefined) {
    throw new DeckhandError('usage', 'DATABASE_URL is not set', {
      hint: 'Start everything with `./deckhand up`, or set DATABASE_URL.',
    });
  }
  ensureHome(config);
  await sweepScratch(config.home);
  const target = temporalTarget(config);
  const db = createDatabase(config.databaseUrl, { applicationName: 'deckhand-api' });
  // Lazy: the API answers, and says in its health what is missing, before Temporal does.
  const connection = Connection.lazy({ address: target.address });
  const temporal = temporalClient(connection, target, config, { workflow: lostWorkerInterceptors(config) });
  const { selection, endpoints, unreadableRows } = selectionWhenAsked({ db, config, log });
  const deps = { db, temporal, blobs: openBlobs(config), config, log, selection, endpoints, unreadableRows };
  if (config.auth === 'keys') await admitOwnKeyInTime(db, config, log);
  await applyModelsInTime(db, config, log);
  const api = createApp(deps);

  const server = serve({ fetch: api.app.fetch, hostname: config.apiHost, port: config.apiPort }, ({ port }) => {
    log.info({ port }, `listening on http://${config.apiHost}:${port}`);
  }) as Server;
  server.once('error', (error) => {
    log.fatal({ err: error }, 'the API cannot listen');
    process.exit(1);
  });

  let areRulesNoted = false;
  const stopRounds = [
    regularly(log, COUNT_INTERVAL_MS, 'costs of documents could not be counted', () => countDocuments(db, new Date())),
    // Also where nobody reads the deck list, so that changes of decks do not pile up.
    regularly(log, ENTRIES_INTERVAL_MS, 'entries of the deck list could not be made', async () => {
      // Once: the rule does not change while the process runs.
      if (!areRulesNoted) await noteOtherRules(db, config.answering);
      areRulesNoted = true;
      await refreshAllEntries(db, config.answering);
    }),
  ];
  const stop = async (): Promise<void> => {
    for (const stopRound of stopRounds) stopRound();
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

/** The own key is known before the first request comes; where the database does not answer yet, as soon as it does. */
async function admitOwnKeyInTime(db: PrismaClient, config: Config, log: Logger): Promise<void> {
  try {
    await admitOwnKey(db, config.home, log);
  } catch (error) {
    if (asDeckhandError(error).code !== 'internal') throw error;
    log.warn({ err: error }, 'the own key could not be made known yet');
    setTimeout(() => void admitOwnKeyInTime(db, config, log), DATABASE_RETRY_MS).unref();
  }
}

/** The models file counts from the start on; where the database does not answer yet, as soon as it does. */
async function applyModelsInTime(db: PrismaClient, config: Config, log: Logger): Promise<void> {
  const file = loadModelsFile(config);
  try {
    await applyModels(db, file, config, log);
  } catch (error) {
    if (asDeckhandError(error).code !== 'internal') throw error;
    log.warn({ err: error }, 'the models file could not be applied yet');
    setTimeout(() => void applyModelsInTime(db, config, log).catch(endWith), DATABASE_RETRY_MS).unref();
  }
}

/** Applies the file and logs its changes. @throws DeckhandError with the name of the file for what it would break; `not_found` for the profile of the installation */
async function applyModels(
  db: PrismaClient,
  file: Catalog,
  { modelsFile, models }: Config,
  log: Logger,
): Promise<void> {
  const { written, left, handedOver } = await applyModelsFile(db, file, new Date()).catch((thrown: unknown) => {
    const error = asDeckhandError(thrown);
    if (error.code === 'internal') throw error;
    const { code, message, userMessage, hint } = error;
    throw new DeckhandError(code, `${modelsFile}: ${message}`, {
      userMessage: `${modelsFile}: ${userMessage}`,
      ...(hint === undefined ? {} : { hint }),
      cause: thrown,
    });
  });
  if (written.length + left.length > 0)
    log.info({ modelsFile, written, left }, 'the models file changed the catalogue');
  for (const { name, url, dataLeavesHost } of file.servers)
    if (dataLeavesHost && written.includes(`server ${name}`))
      log.warn({ modelsFile, server: name, url }, 'the models file allows that slides leave the network for a server');
  for (const use of handedOver)
    log.warn({ modelsFile }, `${use} It left the models file and can be removed by \`./deckhand models remove\` now.`);
  findProfile((await readCatalog(db)).catalog, models);
}

/** One round after the other; a round that fails is logged, and the next one repeats its work. @returns what ends the rounds */
function regularly(log: Logger, intervalMs: number, failure: string, round: () => Promise<void>): () => void {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  const next = async (): Promise<void> => {
    await round().catch((error: unknown) => log.warn({ err: error }, failure));
    if (!stopped) timer = setTimeout(() => void next(), intervalMs);
  };
  void next();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

/** Says what is wrong, for the log of the process. */
function endWith(thrown: unknown): never {
  const error = asDeckhandError(thrown);
  process.stderr.write(`${error.userMessage}${error.hint === undefined ? '' : `\n${error.hint}`}\n`);
  process.exit(1);
}

await main().catch(endWith);
