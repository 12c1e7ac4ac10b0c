/**
 * The servers that test files share: one Postgres and one Temporal for a whole run of vitest (its `globalSetup`). Each file takes a database
 * and a namespace of its own from them, so files can run beside each other. Tests that stop or kill a server start their own.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { loadConfig } from '../platform/config.ts';
import { PortBook } from '../runtime/ports.ts';
import { embeddedPostgres } from '../runtime/postgres.ts';
import { embeddedTemporal } from '../runtime/temporal.ts';
import { Supervisor } from '../runtime/supervisor/supervisor.ts';
import { query, prepareTemplate } from './postgres-server.ts';

/** Where the shared servers answer. */
export interface SharedServers {
  /** URL of a database of the shared Postgres, by a role that may create databases. */
  readonly postgresUrl: string;
  /** The same by a role that may do everything; no process of Deckhand's uses it. */
  readonly postgresSuperuserUrl: string;
  /** `host:port` of the shared Temporal. */
  readonly temporalAddress: string;
  /** Directory with the shared Temporal's database files. */
  readonly temporalDataDir: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    servers: SharedServers;
  }
}

interface Running {
  readonly servers: SharedServers;
  stop(): Promise<void>;
}

/** Each project of a run has its own setup call and its own module instance, so the servers hang on the process. */
const shared = globalThis as { deckhandTestServers?: Promise<Running>; deckhandTestServerUsers?: number };

async function start(): Promise<Running> {
  const home = mkdtempSync(path.join(tmpdir(), 'deckhand-servers-'));
  const config = loadConfig({ ...loadConfig().environment, DECKHAND_HOME: home });
  const ports = new PortBook(config.home, config.cacheDir);
  const supervisor = new Supervisor(config.home, () => undefined);
  const servers = Promise.all([
    embeddedPostgres(config, ports, supervisor).then(async (server) => {
      await supervisor.start(0, server.spec);
      // The data is thrown away after the run, so a power cut may lose it.
      await query(server.superuserUrl(), 'alter system set fsync = off');
      await query(server.superuserUrl(), 'select pg_reload_conf()');
      await prepareTemplate(server);
      return server;
    }),
    embeddedTemporal(config, ports, (message) => process.stderr.write(`${message}\n`), undefined).then(
      async (server) => {
        await supervisor.start(0, server.spec);
        return server;
      },
    ),
  ]);
  const stop = async (): Promise<void> => {
    await supervisor.stopAll();
    rmSync(home, { recursive: true, force: true });
  };
  const [postgres, temporal] = await servers.catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return {
    servers: {
      postgresUrl: postgres.url(),
      postgresSuperuserUrl: postgres.superuserUrl(),
      temporalAddress: temporal.address(),
      temporalDataDir: path.join(home, 'temporal'),
    },
    stop,
  };
}

/** Called by vitest once per project, before its first test file. */
export async function setup(project: TestProject): Promise<void> {
  shared.deckhandTestServerUsers = (shared.deckhandTestServerUsers ?? 0) + 1;
  project.provide('servers', await runningServers());
}

/** The servers of this run, started where they are not. Only in vitest's own process. */
export async function runningServers(): Promise<SharedServers> {
  return (await (shared.deckhandTestServers ??= start())).servers;
}

/** Called by vitest once per project, after its last test file. The last project ends the servers. */
export async function teardown(): Promise<void> {
  shared.deckhandTestServerUsers = (shared.deckhandTestServerUsers ?? 1) - 1;
  if (shared.deckhandTestServerUsers > 0) return;
  const running = await shared.deckhandTestServers;
  delete shared.deckhandTestServers;
  await running?.stop();
}
