/**
 * Reads the migrations directory for the schema engine.
 */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { MigrationList } from './schema-engine.ts';

/** Directory of this folder's parent: `prisma/`. */
export const PRISMA_DIR = path.resolve(import.meta.dirname, '..');
export const MIGRATIONS_DIR = path.join(PRISMA_DIR, 'migrations');
/** The schema after all migrations; written with each migration. */
export const SNAPSHOT_FILE = path.join(MIGRATIONS_DIR, 'schema.snapshot.prisma');
export const SCHEMA_FILE = path.join(PRISMA_DIR, 'schema.prisma');
const LOCK_FILE = 'migration_lock.toml';

/** All migrations of a directory in order. @throws when a migration has no `migration.sql`. */
export async function readMigrations(directory = MIGRATIONS_DIR): Promise<MigrationList> {
  const entries = await readdir(directory, { withFileTypes: true });
  const names = entries
    .filter((e) => e.isDirectory())
    .map((e) => e.name)
    .sort();
  return {
    baseDir: directory,
    lockfile: { path: LOCK_FILE, content: await readFile(path.join(directory, LOCK_FILE), 'utf8') },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(
      names.map(async (name) => ({
        path: name,
        migrationFile: {
          path: 'migration.sql',
          content: {
            tag: 'ok' as const,
            value: await readFile(path.join(directory, name, 'migration.sql'), 'utf8'),
          },
        },
      })),
    ),
  };
}
