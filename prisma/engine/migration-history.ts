/**
 * Compares the migrations that a database has recorded with those of this version.
 *
 * Refuses a database that another version migrated further, and migrations edited after they were applied: in both cases code and tables
 * would not fit each other.
 */
import type { Client } from 'pg';
import { DeckhandError } from '../../domain/errors.ts';
import { sha256Hex } from '../../platform/hash.ts';
import type { MigrationList } from './schema-engine.ts';

/** State of a database. Names are those of migration directories, in order. */
export interface MigrationHistory {
  readonly pending: readonly string[];
  /** Started, not finished, and undone by Postgres; they have to be marked as rolled back before they can run again. */
  readonly interrupted: readonly string[];
}

interface HistoryRow {
  readonly migration_name: string;
  readonly checksum: string;
  readonly finished: boolean;
}

/** Reads the state of a database. @throws DeckhandError `conflict` if its history is not a prefix of this version's */
export async function readHistory(client: Client, list: MigrationList): Promise<MigrationHistory> {
  const names = list.migrationDirectories.map((m) => m.path);
  const table = await client.query<{ exists: boolean }>(
    `select to_regclass('"_prisma_migrations"') is not null as exists`,
  );
  if (table.rows[0]?.exists !== true) return { pending: names, interrupted: [] };
  const { rows } = await client.query<HistoryRow>(
    `select migration_name, checksum, finished_at is not null as finished
       from "_prisma_migrations" where rolled_back_at is null order by started_at`,
  );
  const finished = new Map(rows.filter((r) => r.finished).map((r) => [r.migration_name, r.checksum]));
  refuseUnknown([...finished.keys()].filter((name) => !names.includes(name)));
  for (const { path, migrationFile } of list.migrationDirectories) {
    const checksum = finished.get(path);
    if (checksum !== undefined && checksum !== sha256Hex(migrationFile.content.value)) throw edited(path);
  }
  return {
    pending: names.filter((name) => !finished.has(name)),
    interrupted: [...new Set(rows.filter((r) => !r.finished).map((r) => r.migration_name))],
  };
}

/** First of the migrations that one baseline replaced, and the last commit that knows them. */
const BEFORE_BASELINE = { migration: '20261121073907_init', lastCommit: '816a3617db7a' };

function refuseUnknown(names: readonly string[]): void {
  if (names.length === 0) return;
  if (names.includes(BEFORE_BASELINE.migration)) {
    const { lastCommit } = BEFORE_BASELINE;
    throw new DeckhandError('conflict', `the database was made before the baseline migration: ${names.join(', ')}`, {
      userMessage: `This database is of a state that commit ${lastCommit} is the last to read: check that commit out, and \`./deckhand export FOLDER\` there writes every deck, review and human verdict into a folder.`,
      hint: 'Then start this version with an empty database: with another DECKHAND_HOME, or another DATABASE_URL.',
    });
  }
  throw new DeckhandError('conflict', `the database holds migrations this version does not know: ${names.join(', ')}`, {
    userMessage: 'The database has migrations of another version of Deckhand.',
    hint: 'Use that version or a newer one, or another database.',
  });
}

function edited(name: string): DeckhandError {
  return new DeckhandError('conflict', `migration ${name} was edited after this database applied it`, {
    hint: 'Restore its file and put the change into a new migration.',
  });
}
