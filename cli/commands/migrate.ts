/**
 * `deckhand migrate`: brings the database to the schema of this version. One of the few commands that go deeper than the API.
 */
import type { Command } from 'commander';
import { DeckhandError } from '../../domain/errors.ts';
import { loadConfig } from '../../platform/config.ts';
import { authorMigration, pendingMigrationSql } from '../../prisma/author-migration.ts';
import { migrate } from '../../prisma/migrate.ts';

interface MigrateOptions {
  readonly author?: string;
  readonly check?: boolean;
  readonly json?: boolean;
}

/** Adds the command. */
export function registerMigrate(program: Command): void {
  program
    .command('migrate')
    .description('bring the database (DATABASE_URL) to the schema of this version and seed it')
    .option('--author <name>', 'for developers: write the migration that leads to prisma/schema.prisma')
    .option('--check', 'for developers: fail when prisma/schema.prisma has no migration yet')
    .option('--json', 'print one JSON document')
    .action(async (options: MigrateOptions) => {
      const outcome = await run(options);
      if (options.json === true) console.log(JSON.stringify(outcome));
      else console.log(describe(outcome));
    });
}

type Outcome =
  | { readonly applied: readonly string[]; readonly seeded: boolean }
  | { readonly written: string | null }
  | { readonly pending: false };

async function run(options: MigrateOptions): Promise<Outcome> {
  if (options.author !== undefined) return { written: await authorMigration(options.author, new Date()) };
  if (options.check === true) {
    if ((await pendingMigrationSql()) === '') return { pending: false };
    throw new DeckhandError('conflict', 'prisma/schema.prisma differs from the migrations', {
      hint: 'Write the migration with `./deckhand migrate --author <name>`.',
    });
  }
  const { databaseUrl } = loadConfig();
  if (databaseUrl === undefined) {
    throw new DeckhandError('usage', 'DATABASE_URL is not set', {
      userMessage: 'There is no database to migrate: DATABASE_URL is not set.',
      hint: 'The embedded database is migrated by `./deckhand up` by itself.',
    });
  }
  return migrate(databaseUrl, options.json === true ? {} : { onProgress: (line) => console.log(line) });
}

function describe(outcome: Outcome): string {
  if ('written' in outcome)
    return outcome.written === null
      ? 'Schema and migrations agree; nothing written.'
      : `Wrote prisma/migrations/${outcome.written}`;
  if ('pending' in outcome) return 'Schema and migrations agree.';
  const applied = outcome.applied.length === 0 ? 'No migration was pending' : `Applied ${outcome.applied.join(', ')}`;
  return `${applied}; ${outcome.seeded ? 'seed written' : 'seed up to date'}.`;
}
