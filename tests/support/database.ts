/**
 * Databases for tests: one real Postgres per test file, with empty databases and migrated, seeded ones. The latter are copies of a
 * template database, made in a fraction of the time that migrating takes.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { loadConfig } from '../../platform/config.ts';
import { PortBook } from '../../platform/runtime/ports.ts';
import { embeddedPostgres } from '../../platform/runtime/postgres.ts';
import { Supervisor } from '../../platform/supervisor/supervisor.ts';
import { migrate } from '../../prisma/migrate.ts';

/** A Postgres of its own, with as many databases as a test likes. */
export interface TestPostgres {
  /** Makes an empty database. Returns its URL. */
  emptyDatabase(): Promise<string>;
  /** Makes a migrated and seeded database. Returns its URL. */
  migratedDatabase(): Promise<string>;
  /** Ends the server and removes its data. */
  stop(): Promise<void>;
}

const TEMPLATE = 'migrated_template';

/** Starts a Postgres in a directory of its own, in about two seconds. Call `stop` in `afterAll`. */
export async function startTestPostgres(): Promise<TestPostgres> {
  const home = mkdtempSync(path.join(tmpdir(), 'deckhand-database-'));
  const config = loadConfig({ ...loadConfig().environment, DECKHAND_HOME: home });
  const supervisor = new Supervisor(config.home, () => undefined);
  const server = await embeddedPostgres(config, new PortBook(config.home, config.cacheDir), supervisor);
  await supervisor.start(0, server.spec);

  let made = 0;
  const urlOf = (database: string): string => {
    const url = new URL(server.url());
    url.pathname = `/${database}`;
    return url.href;
  };
  const create = async (name: string, template?: string): Promise<string> => {
    const copy = template === undefined ? '' : ` template ${template}`;
    await query(server.url(), `create database ${name}${copy}`);
    return urlOf(name);
  };
  let template: Promise<unknown> | undefined;
  return {
    emptyDatabase: () => create(`empty_${(made += 1)}`),
    migratedDatabase: async () => {
      await (template ??= create(TEMPLATE).then((url) => migrate(url)));
      return create(`migrated_${(made += 1)}`, TEMPLATE);
    },
    stop: async () => {
      await supervisor.stopAll();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Runs SQL (one statement, or several without parameters) on a connection of its own. Returns the rows of a single statement. */
export async function query<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Row>(sql);
    return rows;
  } finally {
    await client.end();
  }
}
