/**
 * `deckhand migrate`: brings the database to the schema of this version, as prisma/main.ts does. It uses the database, not the API.
 */
import type { Command } from 'commander';
import { DeckhandError } from '../../domain/errors.ts';
import { loadConfig } from '../../platform/config.ts';
import { authorMigration, pendingMigrationSql } from '../../prisma/author-migration.ts';
import { printResult } from '../terminal/output.ts';
import { migrateConfigured, outcomeLine, type MigrationOutcome } from '../../prisma/migrate.ts';

interface MigrateOptions {
  readonly author?: string;
  readonly check?: boolean;
  readonly json?: boolean;
}

export function registerMigrate(program: Command): void {
  program
    .command('migrate')
    .description('bring the database (DATABASE_URL) to the schema of this version and seed it')
    .option('--author <name>', 'for developers: write the migration that leads to prisma/schema.prisma')
    .option('--check', 'for developers: fail when prisma/schema.prisma has no migration yet')
    .option('--json', 'print one JSON document')
    .action(async (options: MigrateOptions) => {
      const outcome = await run(options);
      printResult(options, outcome, () => describe(outcome));
    });
}

type Outcome = MigrationOutcome | { readonly written: string | null } | { readonly pending: false };

async function run(options: MigrateOptions): Promise<Outcome> {
  if (options.author !== undefined) return { written: await authorMigration(options.author, new Date()) };
  if (options.check === true) {
    if ((await pendingMigrationSql()) === '') return { pending: false };
    throw new DeckhandError('conflict', 'prisma/schema.prisma differs from the migrations', {
      hint: 'Write the migration with `./deckhand migrate --author <name>`.',
    });
  }
  return migrateConfigured(loadConfig(), options.json === true ? {} : { onProgress: (line) => console.log(line) });
}

function describe(outcome: Outcome): string {
  if ('written' in outcome)
    return outcome.written === null
      ? 'Schema and migrations agree; nothing written.'
      : `Wrote prisma/migrations/${outcome.written}`;
  return 'pending' in outcome ? 'Schema and migrations agree.' : outcomeLine(outcome);
}
