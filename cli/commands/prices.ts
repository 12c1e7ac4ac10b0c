/**
 * `deckhand prices` and `deckhand compare GPU`: what a GPU costs at many providers, from a snapshot of prices. It needs no credentials and
 * nothing that runs, and buys nothing; what runs says which models there are.
 */
import type { Command } from 'commander';
import { providerName } from '../../clouds/provider-name.ts';
import { rowsOfGpu, rowsOfProviders } from '../../domain/fleet/selection/price-comparison.ts';
import { loadConfig } from '../../platform/config.ts';
import { readModels } from '../api/open.ts';
import { priceTable } from '../fleet/price-table.ts';
import { priceDocument } from '../fleet/prices.ts';
import { isPositive, numberThat } from '../terminal/arguments.ts';
import { JSON_HELP, printResult } from '../terminal/output.ts';

export interface PricesOptions {
  readonly fits?: string;
  readonly hours?: number;
  readonly provider?: readonly string[];
  readonly json?: boolean;
}

/** Adds the options of {@link PricesOptions}. */
export const priceOptions = (command: Command): Command =>
  command
    .option('--fits <model>', 'GPUs: only machines that hold this model, or the models of this profile')
    .option('--hours <n>', 'GPUs: also show the price of so many hours', hours)
    .option('-P, --provider <name...>', 'GPUs: only these providers')
    .option('--json', JSON_HELP);

/** Prints the prices of a GPU, or of all. @throws DeckhandError for a GPU, provider or model that does not exist */
export async function showPrices(
  gpu: string | undefined,
  { fits, hours: forHours = 1, provider = [], json }: PricesOptions,
): Promise<void> {
  const config = loadConfig();
  const document = priceDocument(
    (rows) => {
      const theirs = rowsOfProviders(rows, provider.map(providerName));
      return gpu === undefined ? theirs : rowsOfGpu(theirs, gpu);
    },
    { fits, hours: forHours },
    { ...config, catalog: await readModels(config) },
  );
  if (document.items.length === 0) process.exitCode = 1;
  printResult({ json }, document, (style) => priceTable(document, style));
}

export function registerPrices(program: Command): void {
  const command = program
    .command('prices')
    .description(
      'compare what a GPU costs at many providers, from a dated snapshot; needs no credentials, buys nothing',
    )
    .argument('[gpu]', 'a GPU or a tier, such as H100 or a100-80; left out = all');
  priceOptions(command).action(showPrices);
}

const hours = numberThat(isPositive, 'It has to be a number of hours above 0.');
