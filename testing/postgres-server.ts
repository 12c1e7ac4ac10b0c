/**
 * Databases on a real Postgres, outside vitest as well: migrated, seeded ones are copies of a template, made in a fraction of the time that
 * migrating takes.
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { loadConfig, REPOSITORY_DIR } from '../platform/config.ts';
import { PortBook } from '../runtime/ports.ts';
import { embeddedPostgres, type EmbeddedPostgres } from '../runtime/postgres.ts';
import { Supervisor } from '../runtime/supervisor/supervisor.ts';

const TEMPLATE = 'migrated_template';

/** Creates databases on one server. */
export interface DatabaseMaker {
  /** Makes an empty database. Returns its URL. */
  emptyDatabase(): Promise<string>;
  /** Makes a migrated and seeded database. Returns its URL. */
  migratedDatabase(): Promise<string>;
  /** The URL of a database, by a role that may do everything. */
  asSuperuser(url: string): string;
  /** Removes every database that this maker made. */
  dropDatabases(): Promise<void>;
}

/** Makes the template of {@link DatabaseMaker.migratedDatabase}. Call it once per server. */
export async function prepareTemplate(server: EmbeddedPostgres): Promise<void> {
  // Tests that write millions of rows leave foreign keys out.
  await query(server.superuserUrl(), 'grant set on parameter session_replication_role to deckhand_app');
  const serverUrl = server.url();
  await query(serverUrl, `create database ${TEMPLATE}`);
  // As a process: vitest runs a global setup through a loader in which the migration engine cannot find its module.
  const env = { ...loadConfig().environment, DATABASE_URL: databaseUrl(serverUrl, TEMPLATE) };
  await promisify(execFile)(process.execPath, [path.join(REPOSITORY_DIR, 'prisma/main.ts')], { env });
}

/** A maker of databases on the server of this URL, whose names no other maker uses. */
export function databaseMaker(serverUrl: string, superuserUrl: string): DatabaseMaker {
  const prefix = `test_${randomBytes(6).toString('hex')}`;
  const made: string[] = [];
  const create = async (template: string): Promise<string> => {
    const name = `${prefix}_${made.length + 1}`;
    made.push(name);
    await query(serverUrl, `create database ${name} template ${template}`);
    return databaseUrl(serverUrl, name);
  };
  return {
    emptyDatabase: () => create('template1'),
    migratedDatabase: () => create(TEMPLATE),
    asSuperuser: (url) => databaseUrl(superuserUrl, new URL(url).pathname.slice(1)),
    dropDatabases: async () => {
      // Sessions of other roles, such as autovacuum, are ended with it.
      for (const name of made) await query(superuserUrl, `drop database if exists ${name} with (force)`);
    },
  };
}

/** Starts a Postgres of its own in about two seconds, with the template. */
export async function startPostgres(): Promise<DatabaseMaker & { stop(): Promise<void> }> {
  const home = mkdtempSync(path.join(tmpdir(), 'deckhand-database-'));
  const config = loadConfig({ ...loadConfig().environment, DECKHAND_HOME: home });
  const supervisor = new Supervisor(config.home, () => undefined);
  const server = await embeddedPostgres(config, new PortBook(config.home, config.cacheDir), supervisor);
  await supervisor.start(0, server.spec);
  await prepareTemplate(server);
  return {
    ...databaseMaker(server.url(), server.superuserUrl()),
    stop: async () => {
      await supervisor.stopAll();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Puts the rows of a database back. */
export interface Restorer {
  /** The rows and sequences as they were when the restorer was made. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Notes the rows of a database, in temporary tables of its connection: to put them back takes a fraction of the time of another database with
 * its client.
 * @param superuserUrl one that may leave foreign keys and triggers out
 */
export async function restorerOf(superuserUrl: string): Promise<Restorer> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  const { rows: tables } = await client.query<{ name: string; columns: string }>(`
    select quote_ident(table_name) as name, string_agg(quote_ident(column_name), ', ') as columns
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and is_generated = 'NEVER'
    group by table_name order by table_name`);
  const statements = ["begin; set local session_replication_role = 'replica'"];
  for (const [number, { name, columns }] of tables.entries()) {
    await client.query(`create temporary table kept_${number} as select ${columns} from ${name}`);
    statements.push(
      `delete from ${name}`,
      `insert into ${name} (${columns}) overriding system value select ${columns} from pg_temp.kept_${number}`,
    );
  }
  const { rows: sequences } = await client.query<{ set: string }>(`
    select format('select setval(%L, %s, %L)', schemaname || '.' || quote_ident(sequencename),
      coalesce(last_value, start_value), last_value is not null) as set
    from pg_sequences where schemaname = 'public'`);
  const script = [...statements, ...sequences.map(({ set }) => set), 'commit'].join(';\n');
  return {
    restore: async () => void (await client.query(script)),
    close: () => client.end(),
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

function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}
