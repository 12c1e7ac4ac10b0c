/**
 * `deckhand queries`: the usual questions about all runs, as queries for the Temporal UI, with links where it is known where that is.
 */
import type { Command } from 'commander';
import { queryLink, SAVED_QUERIES, type QueryValues } from '../../domain/temporal/saved-queries.ts';
import { loadConfig } from '../../platform/config.ts';
import { runningTemporalUi } from '../temporal-ui.ts';

interface QueriesOptions {
  readonly tenant?: string;
  readonly deck?: string;
  readonly pool?: string;
  readonly json?: boolean;
}

/** Adds the command. */
export function registerQueries(program: Command): void {
  program
    .command('queries')
    .description(
      'print queries for the Temporal UI: what failed today, what waits for capacity, runs of a tenant, deck or pool',
    )
    .option('--tenant <id>', 'tenant that is asked about (default: default)')
    .option('--deck <id>', 'deck that is asked about')
    .option('--pool <name>', 'pool that is asked about')
    .option('--json', 'print one JSON document and nothing else on stdout')
    .action((options: QueriesOptions) => {
      const ui = runningTemporalUi(loadConfig());
      const values: QueryValues = {
        now: new Date(),
        tenant: options.tenant ?? 'default',
        deckId: options.deck ?? 'DECK',
        pool: options.pool ?? 'POOL',
      };
      const items = SAVED_QUERIES.map(({ name, question, query }) => {
        const text = query(values);
        return { name, question, query: text, url: ui === null ? null : queryLink(ui.url, ui.namespace, text) };
      });
      if (options.json === true) {
        console.log(JSON.stringify({ items }));
        return;
      }
      for (const { name, question, query, url } of items) {
        console.log(`${name}: ${question}\n  ${query}${url === null ? '' : `\n  ${url}`}\n`);
      }
    });
}
