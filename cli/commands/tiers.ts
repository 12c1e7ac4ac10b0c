/**
 * `deckhand tiers`: the tiers of GPUs, best first, with the types that the provider sells in each, what they cost and where they are.
 */
import type { Command } from 'commander';
import { askApi } from '../fleet/selection-api.ts';
import { tierTable } from '../fleet/selection-tables.ts';

/** Adds the command. */
export function registerTiers(program: Command): void {
  program
    .command('tiers')
    .description('list the tiers of GPUs with the types sold in each, their prices and where they are available')
    .option('--json', 'print one JSON document and nothing else on stdout')
    .action(async (options: { readonly json?: boolean }) => {
      const list = await askApi('Asking the provider', (client, signal) => client.tiers(signal));
      console.log(options.json === true ? JSON.stringify(list) : tierTable(list));
    });
}
