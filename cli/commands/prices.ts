/**
 * `deckhand prices`: what a GPU costs at many providers, from a snapshot of prices. It needs no credentials and nothing that runs, and buys
 * nothing.
 */
import { type Command, InvalidArgumentError } from 'commander';
import { providerName } from '../../clouds/prices/snapshot.ts';
import { rowsOfGpu, rowsOfProviders } from '../../domain/fleet/selection/price-comparison.ts';
import { loadConfig } from '../../platform/config.ts';
import { priceTable } from '../fleet/price-table.ts';
import { priceDocument } from '../fleet/prices.ts';
import { JSON_HELP, printResult } from '../terminal/output.ts';

interface PricesOptions {
  readonly fits?: string;
  readonly hours: number;
  readonly provider?: readonly string[];
  readonly json?: boolean;
}

/** Adds the command. */
export function registerPrices(program: Command): void {
  program
    .command('prices')
    .description(
      'compare what a GPU costs at many providers, from a dated snapshot; needs no credentials, buys nothing',
    )
    .argument('[gpu]', 'a GPU or a tier, such as H100 or a100-80; left out = all')
    .option('--fits <model>', 'only machines that hold this model, or the models of this profile')
    .option('--hours <n>', 'also show the price of so many hours', hours, 1)
    .option('-P, --provider <name...>', 'only these providers')
    .option('--json', JSON_HELP)
    .action((gpu: string | undefined, { fits, hours: forHours, provider = [], json }: PricesOptions) => {
      const document = priceDocument(
        (rows) => {
          const theirs = rowsOfProviders(rows, provider.map(providerName));
          return gpu === undefined ? theirs : rowsOfGpu(theirs, gpu);
        },
        { fits, hours: forHours },
        loadConfig(),
      );
      if (document.items.length === 0) process.exitCode = 1;
      printResult({ json }, document, (style) => priceTable(document, style));
    });
}

/** A number of hours from the command line. */
function hours(text: string): number {
  const value = Number(text);
  if (!(value > 0) || !Number.isFinite(value))
    throw new InvalidArgumentError('It has to be a number of hours above 0.');
  return value;
}
