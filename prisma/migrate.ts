/**
 * Migrates a database to the schema of this version and writes the seed. An advisory lock allows one migrator at a time.
 *
 * Writes the same `_prisma_migrations` table and checksums as `prisma migrate deploy`, which still works where its binary is available.
 * A migration and the record that it is finished are one transaction, so a migrator that is killed leaves nothing to repair by hand.
 */
import { Client } from 'pg';
import { asDeckhandError, DeckhandError } from '../domain/errors.ts';
import type { Config } from '../platform/config.ts';
import { LOCKS } from '../platform/locks.ts';
import { closeDatabase, createDatabase } from '../platform/db.ts';
import { applySeed } from './apply-seed.ts';
import { readMigrations } from './engine/migration-files.ts';
import { readHistory } from './engine/migration-history.ts';
import { NO_FILTER, withSchemaEngine, type MigrationList } from './engine/schema-engine.ts';

export interface MigrateOptions {
  /** Called with one readable line per step. */
  readonly onProgress?: (line: string) => void;
  /** Directory of the migrations; that of this version by default. */
  readonly directory?: string;
}

export interface MigrationOutcome {
  /** Names of the migrations applied by this call. */
  readonly applied: readonly string[];
  /** True when seed rows were written. */
  readonly seeded: boolean;
}

/**
 * Applies pending migrations, then the seed. A second call changes nothing.
 *
 * @throws DeckhandError `service_unavailable` when the database cannot be reached, `conflict` when its history is not this version's or
 * a seeded version was edited in place.
 */
export async function migrate(databaseUrl: string, options: MigrateOptions = {}): Promise<MigrationOutcome> {
  const report = options.onProgress ?? (() => undefined);
  const lock = new Client({
    connectionString: databaseUrl,
    application_name: 'deckhand-migrate',
    connectionTimeoutMillis: 10_000,
  });
  // A connection that breaks while nothing is asked of it is reported by the next query.
  lock.on('error', () => undefined);
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
    await takeLock(lock, report);
    const migrations = await readMigrations(options.directory);
    const { pending, interrupted } = await readHistory(lock, migrations);
    let applied: string[] = [];
    if (pending.length > 0) {
      report(`Applying ${pending.join(', ')}`);
      applied = await applyMigrations(databaseUrl, migrations, interrupted);
    }
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

/** {@link migrate} for the database of the configuration. @throws DeckhandError also `usage` when none is configured */
export async function migrateConfigured(config: Config, options: MigrateOptions = {}): Promise<MigrationOutcome> {
  if (config.databaseUrl !== undefined) return migrate(config.databaseUrl, options);
  throw new DeckhandError('usage', 'DATABASE_URL is not set', {
    userMessage: 'There is no database to migrate: DATABASE_URL is not set.',
    hint: 'The embedded database is migrated by `./deckhand up`.',
  });
}

/** The outcome of a migration as one line for people. */
export function outcomeLine({ applied, seeded }: MigrationOutcome): string {
  const migrations = applied.length === 0 ? 'No migration was pending' : `Applied ${applied.join(', ')}`;
  return `${migrations}; ${seeded ? 'seed written' : 'seed up to date'}.`;
}

async function takeLock(client: Client, report: (line: string) => void): Promise<void> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
    LOCKS.migration,
  ]);
  if (rows[0]?.taken !== true) {
    report('Waiting for another migration of this database');
    await client.query('select pg_advisory_lock($1)', [LOCKS.migration]);
  }
  await client.query('select pg_advisory_lock($1)', [LOCKS.migrationScript]);
  await client.query('select pg_advisory_unlock($1)', [LOCKS.migrationScript]);
}

async function applyMigrations(
  databaseUrl: string,
  migrationsList: MigrationList,
  interrupted: readonly string[],
): Promise<string[]> {
  const scripts = new Set(migrationsList.migrationDirectories.map((m) => m.migrationFile.content.value));
  const wrap = (script: string): string => (scripts.has(script) ? withRecord(script) : script);
  try {
    return await withSchemaEngine(databaseUrl, wrap, async (engine) => {
      for (const migrationName of interrupted) await engine.markMigrationRolledBack({ migrationName });
      const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList, filters: NO_FILTER });
      return appliedMigrationNames;
    });
  } catch (error) {
    const { message } = asDeckhandError(error);
    throw new DeckhandError('internal', `migration failed: ${message}`, {
      userMessage:
        'The database could not be migrated to this version. It is unchanged since before the failed migration.',
      hint: 'Run `./deckhand migrate --debug` and look at the failed statement.',
      cause: error,
    });
  }
}

/** A script that records its own completion. The engine records it afterwards as well; it runs one migration at a time. */
function withRecord(script: string): string {
  return [
    `select pg_advisory_xact_lock(${LOCKS.migrationScript});`,
    script,
    // On a line of its own, in case the script ends in a comment or without a semicolon.
    ';update "_prisma_migrations" set finished_at = now() where finished_at is null and rolled_back_at is null;',
  ].join('\n');
}
