/**
 * `deckhand tiers`, `capacity` and `plan`: what the provider sells, what it has now, and what a selector would buy in which order. They buy
 * nothing. `capacity` and `plan` exit with 1 when nothing is available, so that scripts can ask.
 */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Capacity, PlanQuery } from '../../api/client.ts';
import { type Market, MARKETS } from '../../domain/fleet/selection/offer.ts';
import { askApi } from '../api/open.ts';
import { capacityTable, planTable, tierTable, unreadableLines } from '../fleet/selection-tables.ts';
import { JSON_HELP, printResult, printingCommand } from '../terminal/output.ts';

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
    .option('-v, --verbose', 'also list offers that the selector excludes')
    .option('-p, --pick', 'print type and location of the best offer and nothing else')
    .option('--json', JSON_HELP)
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
      else
        console.error(
          [`Nothing of ${plan.selector} can be bought now.`, ...unreadableLines(plan.unreadableRows)].join('\n'),
        );
    });
}

/** An amount of money from the command line. */
function usd(text: string): number {
  const value = Number(text);
  if (!(value > 0) || !Number.isFinite(value)) throw new InvalidArgumentError('It has to be an amount such as 1.99.');
  return value;
}

/** Adds the command. */
export function registerTiers(program: Command): void {
  printingCommand(
    program,
    'tiers',
    'list the tiers of GPUs with the types sold in each, their prices and where they are available',
  ).action(async (options: { readonly json?: boolean }) => {
    const list = await askApi('Asking the provider', (client, signal) => client.tiers(signal));
    printResult(options, list, () => tierTable(list));
  });
}

interface CapacityOptions {
  readonly instanceType?: string;
  readonly location?: string;
  readonly market: Market | 'any';
  readonly pick?: boolean;
  readonly json?: boolean;
}

/** Adds the command. */
export function registerCapacity(program: Command): void {
  program
    .command('capacity')
    .description('show what the provider has now; exit code 1 when it has nothing')
    .option('-i, --instance-type <type>', 'only this type; a selector such as ANY_1H100 or h100-or-less works too')
    .option('-l, --location <location>', 'only this location')
    .addOption(new Option('-m, --market <market>', 'which market').choices([...MARKETS, 'any']).default('ondemand'))
    .option('-p, --pick', 'print the first location and nothing else')
    .option('-j, --json', JSON_HELP)
    .action(async ({ instanceType, location, market, pick, json }: CapacityOptions) => {
      const query = { instanceType, location, market };
      const found = await askApi('Asking the provider', (client, signal) => client.capacity(query, signal));
      const [first] = found.items;
      if (first === undefined) process.exitCode = 1;
      if (json === true) console.log(JSON.stringify(instanceType === undefined ? byLocation(found) : byOffer(found)));
      else if (first === undefined)
        console.error([nothing(instanceType, location), ...unreadableLines(found.unreadableRows)].join('\n'));
      else console.log(pick === true ? first.location : capacityTable(found));
    });
}

/** One entry per offer. The first three names are those that scripts around DataCrunch already read. */
const byOffer = ({ items, seenAt }: Capacity): unknown =>
  items.map(({ location, instanceType, ...offer }) => ({
    location,
    instance_type: instanceType,
    available: true,
    ...offer,
    seenAt,
  }));

/** One entry per location and market. The first two names are those that scripts around DataCrunch already read. */
const byLocation = ({ items, seenAt }: Capacity): unknown =>
  [...Map.groupBy(items, (item) => `${item.location}/${item.market}`).values()].map((there) => ({
    location: there[0]?.location,
    instances: there.map((item) => item.instanceType),
    market: there[0]?.market,
    seenAt,
  }));

const nothing = (instanceType: string | undefined, location: string | undefined): string =>
  `Nothing is available${instanceType === undefined ? '' : ` of ${instanceType}`}${location === undefined ? '' : ` in ${location}`} now.`;
