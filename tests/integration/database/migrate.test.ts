/** Migrating: once, one at a time, whole or not at all, and never a database whose history is another version's. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, expect, onTestFinished, vi } from 'vitest';
import { loadConfig } from '../../../platform/config.ts';
import { closeDatabase, createDatabase } from '../../../platform/db.ts';
import { sha256Hex } from '../../../platform/hash.ts';
import { MIGRATIONS_DIR, readMigrations } from '../../../prisma/engine/migration-files.ts';
import { migrate } from '../../../prisma/migrate.ts';
import { COMMAND } from '../../../testing/command.ts';
import { itWithPostgres as it, query } from '../../../testing/database.ts';
import { aDeck } from '../../../testing/make.ts';
import { catalogueOf } from './catalogue.ts';

let names: string[];
beforeAll(async () => {
  names = (await readMigrations()).migrationDirectories.map((m) => m.path);
});

/** Makes every CREATE TRIGGER of a migration, one of its last statements, do something first. */
async function beforeCreateTrigger(url: string, plpgsql: string): Promise<void> {
  await query(
    url,
    `create function public.intrude() returns event_trigger language plpgsql as $$ begin ${plpgsql} end $$;
     create event trigger intruder on ddl_command_start when tag in ('CREATE TRIGGER') execute function public.intrude()`,
  );
}

const stopIntruding = (url: string): Promise<unknown> =>
  query(url, 'drop event trigger intruder; drop function public.intrude()');

const seededQuestions = async (url: string): Promise<number | undefined> =>
  (await query<{ count: number }>(url, 'select count(*)::int as count from "Question"'))[0]?.count;

it('migrate applies each migration with the checksum Prisma expects, and none a second time', async ({ postgres }) => {
  const url = await postgres.emptyDatabase();
  expect(await migrate(url)).toEqual({ applied: names, seeded: true });
  expect(await migrate(url)).toEqual({ applied: [], seeded: false });
  const records = await query(
    url,
    `select migration_name, checksum from "_prisma_migrations"
        where finished_at is not null and rolled_back_at is null and logs is null order by started_at`,
  );
  const expected = (await readMigrations()).migrationDirectories.map((m) => ({
    migration_name: m.path,
    checksum: sha256Hex(m.migrationFile.content.value),
  }));
  expect(records).toEqual(expected);
});

it('migrate lets one migrator work and the others wait for it', async ({ postgres }) => {
  const url = await postgres.emptyDatabase();
  const outcomes = await Promise.all([migrate(url), migrate(url), migrate(url)]);
  expect(outcomes.filter((o) => o.applied.length > 0)).toEqual([{ applied: names, seeded: true }]);
  expect(outcomes.filter((o) => o.applied.length === 0 && !o.seeded)).toHaveLength(2);
});

it('migrate leaves nothing of a migration that fails, and applies it when the cause is gone', async ({ postgres }) => {
  const url = await postgres.emptyDatabase();
  await beforeCreateTrigger(postgres.asSuperuser(url), `raise exception 'no triggers today';`);
  const before = await catalogueOf(url);
  await expect(migrate(url)).rejects.toThrow(/no triggers today/u);
  expect(await catalogueOf(url)).toEqual(before);
  await stopIntruding(postgres.asSuperuser(url));
  expect(await migrate(url)).toEqual({ applied: names, seeded: true });
});

it('migrate goes on after a migrator that was killed while the server ran its script', async ({ postgres }) => {
  const url = await postgres.emptyDatabase();
  await beforeCreateTrigger(postgres.asSuperuser(url), 'perform pg_sleep(0.3);');
  const killed = spawn(process.execPath, [COMMAND, 'migrate', '--json'], {
    env: { ...loadConfig().environment, DATABASE_URL: url },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(killed, 'exit');
  await vi.waitFor(
    async () => {
      const sleepers = await query(
        url,
        `select 1 from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
      );
      expect(sleepers).toHaveLength(1);
    },
    { timeout: 60_000, interval: 20 },
  );
  killed.kill('SIGKILL');
  await ended;
  const outcome = await migrate(url);
  // The server finished and recorded what the killed migrator had begun.
  expect(outcome).toEqual({ applied: names.slice(1), seeded: true });
  expect(await seededQuestions(url)).toBe(34);
  await stopIntruding(postgres.asSuperuser(url));
  expect(await catalogueOf(url)).toEqual(await catalogueOf(await postgres.migratedDatabase()));
});

it('migrate refuses a database that another version migrated further', async ({ postgres }) => {
  const url = await postgres.migratedDatabase();
  await query(
    url,
    `insert into "_prisma_migrations" (id, checksum, migration_name, finished_at) values ('x', 'x', '99990101000000_later', now())`,
  );
  await expect(migrate(url)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringMatching(/99990101000000_later/u) as string,
  });
});

it('migrate refuses a database from before the baseline, and says how to keep what is in it', async ({ postgres }) => {
  const url = await postgres.migratedDatabase();
  await query(
    url,
    `update "_prisma_migrations" set migration_name = '20261121073907_init' where migration_name like '%_baseline'`,
  );
  await expect(migrate(url)).rejects.toMatchObject({
    code: 'conflict',
    userMessage: expect.stringMatching(
      /commit [0-9a-f]{12} is the last to read: .*`\.\/deckhand export FOLDER` there writes every deck, review and human verdict/u,
    ) as string,
  });
});

it('migrate refuses a migration that was edited after it was applied', async ({ postgres }) => {
  const url = await postgres.migratedDatabase();
  await query(url, `update "_prisma_migrations" set checksum = repeat('0', 64) where migration_name like '%_baseline'`);
  await expect(migrate(url)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringMatching(/_baseline was edited/u) as string,
  });
});

it('migrate keeps what is stored: the example of CONTRIBUTING adds a column and fills it from another', async ({
  postgres,
}) => {
  const url = await postgres.migratedDatabase();
  const db = createDatabase(url, { applicationName: 'test', poolSize: 1 });
  onTestFinished(() => closeDatabase(db));
  await aDeck(db, { pageCount: 12 });
  const directory = await mkdtemp(path.join(tmpdir(), 'deckhand-migrations-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  await cp(MIGRATIONS_DIR, directory, { recursive: true });
  await cp(path.join(import.meta.dirname, 'example-migration'), directory, { recursive: true });
  const decks = (): Promise<object[]> => query(url, `select to_jsonb(d) as deck from "Deck" d`);
  const [before] = await decks();

  expect(await migrate(url, { directory })).toEqual({ applied: ['29990101000000_add_deck_minutes'], seeded: false });
  expect(await decks()).toEqual([{ deck: { ...(before as { deck: object }).deck, readingMinutes: 24 } }]);
  expect(await migrate(url, { directory })).toEqual({ applied: [], seeded: false });
  // The version before it does not run on what the new one has written.
  await expect(migrate(url)).rejects.toMatchObject({ code: 'conflict' });
});

it('migrate says that a database cannot be reached', async ({ postgres }) => {
  const url = new URL(await postgres.emptyDatabase());
  url.pathname = '/no_such_database';
  await expect(migrate(url.href)).rejects.toMatchObject({ code: 'service_unavailable' });
});
