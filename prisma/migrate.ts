/**
 * Brings a database to the schema of this version and seeds what every installation has. One migrator at a time, by an advisory lock.
 *
 * Writes the same `_prisma_migrations` table and checksums as `prisma migrate deploy`, which goes on working where its binary can be had.
 */
import { Client } from 'pg';
import { asDeckhandError, DeckhandError } from '../domain/errors.ts';
import { closeDatabase, createDatabase } from '../platform/db.ts';
import { applySeed } from './apply-seed.ts';
import { readMigrations } from './engine/migration-files.ts';
import { NO_FILTER, withSchemaEngine } from './engine/schema-engine.ts';

/** Arbitrary, but the same for every migrator of Deckhand. */
const MIGRATION_LOCK = 4_836_120_271;

export interface MigrationOutcome {
  /** Names of the migrations applied by this call. */
  readonly applied: readonly string[];
  /** True when seed rows were written. */
  readonly seeded: boolean;
}

/**
 * Applies pending migrations, then the seed. Doing it again changes nothing.
 *
 * @throws DeckhandError `service_unavailable` when the database cannot be reached, `conflict` when a seeded version was edited in place.
 */
export async function migrate(databaseUrl: string): Promise<MigrationOutcome> {
  const lock = new Client({ connectionString: databaseUrl, application_name: 'deckhand-migrate' });
  try {
    await lock.connect();
  } catch (error) {
    throw new DeckhandError('service_unavailable', `database cannot be reached: ${String(error)}`, {
      userMessage: 'The database cannot be reached.',
      hint: 'Check DATABASE_URL, or unset it to use the embedded Postgres.',
      cause: error,
    });
  }
  try {
    await lock.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const applied = (await isCurrent(lock)) ? [] : await applyMigrations(databaseUrl);
    const db = createDatabase(databaseUrl, { applicationName: 'deckhand-migrate', poolSize: 2 });
    try {
      return { applied, seeded: await applySeed(db) };
    } finally {
      await closeDatabase(db);
    }
  } finally {
    // Closing the connection releases the lock, whatever happened.
    await lock.end();
  }
}

/** True when every migration on disk is recorded as finished: the engine need not be loaded then. */
async function isCurrent(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ exists: boolean }>(
    "select to_regclass('_prisma_migrations') is not null as exists",
  );
  if (rows[0]?.exists !== true) return false;
  const done = await client.query<{ migration_name: string }>(
    'select migration_name from _prisma_migrations where finished_at is not null and rolled_back_at is null',
  );
  const names = new Set(done.rows.map((r) => r.migration_name));
  return (await readMigrations()).migrationDirectories.every((m) => names.has(m.path));
}

async function applyMigrations(databaseUrl: string): Promise<string[]> {
  const migrationsList = await readMigrations();
  try {
    const { appliedMigrationNames } = await withSchemaEngine(databaseUrl, (engine) =>
      engine.applyMigrations({ migrationsList, filters: NO_FILTER }),
    );
    return appliedMigrationNames;
  } catch (error) {
    const { message } = asDeckhandError(error);
    throw new DeckhandError('internal', `migration failed: ${message}`, {
      userMessage: 'The database could not be brought to the schema of this version.',
      hint: 'Run `./deckhand migrate --debug` and look at the failed statement.',
      cause: error,
    });
  }
}
