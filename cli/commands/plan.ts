/**
 * `deckhand plan`: what a selector would buy, in which order, and why every other offer is left. Buys nothing. Exit code 1 when nothing could
 * be bought now.
 */
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { PlanQuery } from '../../api/client.ts';
import { MARKETS, type Market } from '../../domain/fleet/selection/offer.ts';
import { askApi } from '../fleet/selection-api.ts';
import { planTable } from '../fleet/selection-tables.ts';

interface PlanOptions {
  readonly pool?: string;
  readonly market?: Market | 'any';
  readonly location?: readonly string[];
  readonly exclude?: readonly string[];
  readonly maxPrice?: number;
  readonly maxDocumentPrice?: number;
  readonly verbose?: boolean;
  readonly pick?: boolean;
  readonly json?: boolean;
}

/** Adds the command. */
export function registerPlan(program: Command): void {
  program
    .command('plan')
    .description('show every offer in the order it would be tried, with its price and the reason; buys nothing')
    .argument('[selector]', 'a type, ANY_1H100, h100-or-less, a tier, or cheapest; may be left out with --pool')
    .option('--pool <name>', 'plan as this pool of the fleet file would')
    .addOption(new Option('-m, --market <market>', 'which market').choices([...MARKETS, 'any']))
    .option('-l, --location <location...>', 'only these locations, in order of preference')
    .option('-x, --exclude <type...>', 'types that are not taken')
    .option('--max-price <usd>', 'cap per hour', usd)
    .option('--max-document-price <usd>', 'cap per document of 30 slides', usd)
    .option('-v, --verbose', 'list offers that the selector does not take too')
    .option('-p, --pick', 'print type and location of the best offer and nothing else')
    .option('--json', 'print one JSON document and nothing else on stdout')
    .action(async (selector: string | undefined, options: PlanOptions) => {
      const query: PlanQuery = {
        selector,
        pool: options.pool,
        market: options.market,
        locations: options.location,
        exclude: options.exclude,
        maxUsdPerHour: options.maxPrice,
        maxUsdPerDocument: options.maxDocumentPrice,
      };
      const plan = await askApi('Asking the provider', (client, signal) => client.plan(query, signal));
      const best = plan.offers.find((offer) => offer.rank === 1);
      if (best === undefined) process.exitCode = 1;
      if (options.json === true) console.log(JSON.stringify(plan));
      else if (options.pick !== true) console.log(planTable(plan, options.verbose === true));
      else if (best !== undefined) console.log(`${best.instanceType} ${best.location}`);
      else console.error(`Nothing of ${plan.selector} can be bought now.`);
    });
}

/** An amount of money from the command line. */
function usd(text: string): number {
  const value = Number(text);
  if (!(value > 0) || !Number.isFinite(value)) throw new InvalidArgumentError('It has to be an amount such as 1.99.');
  return value;
}
