/**
 * `deckhand compare A B`: what two analyses of one deck say differently, and what differs in how they were made.
 */
import type { Command } from 'commander';
import { renderComparison } from '../decks/comparison-text.ts';
import { askApi } from '../fleet/selection-api.ts';
import { styleOfStdout } from '../terminal-style.ts';

interface CompareOptions {
  readonly anyDeck?: boolean;
  readonly json?: boolean;
}

/** Adds the command. */
export function registerCompare(program: Command): void {
  program
    .command('compare')
    .description('show what two analyses of one deck say differently, value by value, and why that may be')
    .argument('<a>', 'id of the first analysis')
    .argument('<b>', 'id of the second analysis')
    .option('--any-deck', 'compare analyses of two different decks all the same')
    .option('--json', 'print one JSON document and nothing else on stdout')
    .action(async (a: string, b: string, options: CompareOptions) => {
      const comparison = await askApi('Comparing', (client, signal) =>
        client.compare(a, b, { anyDeck: options.anyDeck === true }, signal),
      );
      console.log(
        options.json === true ? JSON.stringify(comparison) : renderComparison(comparison, styleOfStdout().colours),
      );
    });
}
