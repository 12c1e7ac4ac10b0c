/**
 * For developers: writes the migration that leads from the schema of the last migration to prisma/schema.prisma. Needs no database.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DeckhandError } from '../domain/errors.ts';
import { ifAbsent } from '../platform/absent.ts';
import { MIGRATIONS_DIR, SCHEMA_FILE, SNAPSHOT_FILE } from './engine/migration-files.ts';
import { diffSchemas, type DiffTarget } from './engine/schema-engine.ts';

const datamodel = (content: string): DiffTarget => ({
  tag: 'schemaDatamodel',
  files: [{ path: 'schema.prisma', content }],
});

/** SQL that leads from the last migration to the schema; empty when there is nothing to do. */
export async function pendingMigrationSql(): Promise<string> {
  const to = datamodel(await readFile(SCHEMA_FILE, 'utf8'));
  const snapshot = await readFile(SNAPSHOT_FILE, 'utf8').catch(ifAbsent(null));
  const from: DiffTarget = snapshot === null ? { tag: 'empty' } : datamodel(snapshot);
  const sql = await diffSchemas(from, to);
  return sql.includes('This is an empty migration') ? '' : sql;
}

/** SQL that creates the whole schema in an empty database; what all migrations together must amount to. */
export async function wholeSchemaSql(): Promise<string> {
  const to = datamodel(await readFile(SCHEMA_FILE, 'utf8'));
  return diffSchemas({ tag: 'empty' }, to);
}

/** Writes the pending migration and returns its directory's name; null when schema and migrations agree. */
export async function authorMigration(name: string, now: Date): Promise<string | null> {
  if (!/^[a-z0-9_]{1,60}$/u.test(name)) {
    throw new DeckhandError('usage', `migration name ${name} is not snake_case`, {
      hint: 'Name it like add_slide_width.',
    });
  }
  const sql = await pendingMigrationSql();
  if (sql === '') return null;
  const directory = `${now.toISOString().replaceAll(/\D/gu, '').slice(0, 14)}_${name}`;
  await mkdir(path.join(MIGRATIONS_DIR, directory), { recursive: true });
  await writeFile(path.join(MIGRATIONS_DIR, directory, 'migration.sql'), sql);
  await writeFile(path.join(MIGRATIONS_DIR, 'migration_lock.toml'), 'provider = "postgresql"\n');
  await writeFile(SNAPSHOT_FILE, await readFile(SCHEMA_FILE, 'utf8'));
  return directory;
}
