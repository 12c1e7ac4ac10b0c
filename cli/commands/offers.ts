/**
 * `deckhand tiers`, `capacity`, `plan` and `gpus`: what the provider sells, what it has now, and what a selector would buy in which order. They
 * buy nothing. All but `tiers` exit with 1 when nothing is available, so that scripts can ask.
 */
import { type Command, Option } from 'commander';
import type { Capacity, PlanDocument, PlanQuery } from '../../api/client.ts';
import { providerName } from '../../clouds/provider-name.ts';
import { type Market, MARKETS } from '../../domain/fleet/selection/offer.ts';
import { asDeckhandError, DeckhandError } from '../../domain/errors.ts';
import { askApi } from '../api/open.ts';
import { renderPlan } from '../fleet/plan-ladder.ts';
import { capacityTable, otherProviderLines, tierTable, unreadableLines } from '../fleet/selection-tables.ts';
import { isPositive, isWholeWithin, numberThat } from '../terminal/arguments.ts';
import { JSON_HELP, printResult, printingCommand } from '../terminal/output.ts';

/** Options of every command that shows a ladder. */
interface LadderOptions {
  readonly provider?: string;
  readonly market?: Market | 'any';
  readonly location?: readonly string[];
  readonly all?: boolean;
  readonly verbose?: boolean;
  readonly pick?: boolean;
  readonly json?: boolean;
}

interface PlanOptions extends LadderOptions {
  readonly pool?: string;
  readonly exclude?: readonly string[];
  readonly maxPrice?: number;
  readonly maxDocumentPrice?: number;
}

/** Help of `--provider` where one provider is asked. */
const ONE_PROVIDER = "a provider of the fleet; left out = the fleet's own";

/** Adds the options of {@link LadderOptions}. */
const ladderOptions = (command: Command): Command =>
  command
    .option('--provider <name>', 'only offers of this provider')
    .addOption(new Option('-m, --market <market>', 'which market').choices([...MARKETS, 'any']))
    .option('-l, --location <location...>', 'only these locations, in order of preference')
    .option('-a, --all', 'one line per offer, with its whole reason')
    .option('-v, --verbose', 'also list offers that the selector excludes')
    .option('-p, --pick', 'print type and location of the best offer and nothing else')
    .option('--json', JSON_HELP);

/** Asks for a plan and prints it. */
async function showLadder(query: PlanQuery, options: LadderOptions): Promise<void> {
  const { market, location: locations } = options;
  const provider = options.provider === undefined ? undefined : providerName(options.provider);
  const asked = { ...query, provider, market, locations: locations?.join(',') };
  const plan = await askApi('Asking the provider', (client, signal) =>
    client.GET('/fleet/plan', { params: { query: asked }, signal }),
  ).catch(async (error: unknown) => {
    if (options.json === true || options.pick === true) throw error;
    const { pricesInsteadOfPlan } = await import('../fleet/prices.ts');
    console.log(await pricesInsteadOfPlan(error, { selector: query.selector, provider }));
    return null;
  });
  if (plan === null) {
    process.exitCode = 1;
    return;
  }
  const best = plan.offers.find((offer) => offer.rank === 1);
  if (best === undefined) process.exitCode = 1;
  if (options.pick !== true || options.json === true) {
    const lines = { all: options.all === true, verbose: options.verbose === true };
    printResult(options, plan, (style) => renderPlan(plan, lines, style));
  } else if (best !== undefined) console.log(`${best.instanceType} ${best.location}`);
  else {
    const nothingNow = `Nothing of ${plan.selector} can be bought now.${because(plan)}`;
    console.error([nothingNow, ...unreadableLines(plan.unreadableRows)].join('\n'));
  }
}

const because = ({ whyNothing }: Pick<PlanDocument, 'whyNothing'>): string =>
  whyNothing === null ? '' : ` ${whyNothing}`;

export function registerPlan(program: Command): void {
  const command = program
    .command('plan')
    .description('show the ladder: what would be tried in which order, with prices and reasons; buys nothing')
    .argument('[selector]', 'a type, ANY_1H100, h100-or-less, a tier, or cheapest; may be left out with --pool')
    .option('--pool <name>', 'plan as this pool of the fleet file would')
    .option('-x, --exclude <type...>', 'types that are not taken')
    .option('--max-price <usd>', 'cap per hour', usd)
    .option('--max-document-price <usd>', 'cap per document of 30 slides', usd);
  ladderOptions(command).action(async (selector: string | undefined, options: PlanOptions) => {
    const { pool, exclude, maxPrice, maxDocumentPrice } = options;
    await showLadder(
      { selector, pool, exclude: exclude?.join(','), maxUsdPerHour: maxPrice, maxUsdPerDocument: maxDocumentPrice },
      options,
    );
  });
}

interface GpusOptions extends LadderOptions {
  readonly type: string;
  readonly count: number;
}

export function registerGpus(program: Command): void {
  const command = program
    .command('gpus')
    .description('show the offers with so many GPUs of a type, the first to be tried in front; buys nothing')
    .requiredOption('-t, --type <gpu>', 'the GPU, such as T4, H100 or "A100 80GB"')
    .option('-n, --count <number>', 'GPUs of a machine', countOfGpus, 1);
  ladderOptions(command).action(async ({ type, count, ...options }: GpusOptions) => {
    // A number that begins a name (`4090`) is told from the count by the hyphen.
    const hyphen = /^\d/u.test(type) ? '-' : '';
    const selector = `ANY_${count}${hyphen}${type}`;
    await showLadder({ selector }, options).catch((error: unknown) => {
      const { code, message, userMessage, hint = '' } = asDeckhandError(error);
      if (code !== 'selector_unknown') throw error;
      // The wildcard is ours; what was typed is the GPU.
      const typed = userMessage.replaceAll(selector, type);
      throw new DeckhandError(code, message, { userMessage: typed, hint, cause: error });
    });
  });
}

const countOfGpus = numberThat(isWholeWithin(1, 999), 'It has to be a number from 1 on.');

const usd = numberThat(isPositive, 'It has to be an amount such as 1.99.');

export function registerTiers(program: Command): void {
  printingCommand(
    program,
    'tiers',
    'list the tiers of GPUs: the selectors that take each, the types sold, their prices and where they are available',
  )
    .option('--provider <name>', ONE_PROVIDER, providerName)
    .action(async ({ provider, ...options }: { readonly provider?: string; readonly json?: boolean }) => {
      const list = await askApi('Asking the provider', (client, signal) =>
        client.GET('/fleet/tiers', { params: { query: { provider } }, signal }),
      );
      printResult(options, list, (style) => tierTable(list, style));
    });
}

interface CapacityOptions {
  readonly instanceType?: string;
  readonly location?: string;
  readonly provider?: string;
  readonly market: Market | 'any';
  readonly pick?: boolean;
  readonly json?: boolean;
}

export function registerCapacity(program: Command): void {
  program
    .command('capacity')
    .description('show what the provider has now; exit code 1 when it has nothing')
    .option('-i, --instance-type <type>', 'only this type; a selector such as ANY_1H100 or h100-or-less works too')
    .option('-l, --location <location>', 'only this location')
    .option('--provider <name>', ONE_PROVIDER, providerName)
    .addOption(new Option('-m, --market <market>', 'which market').choices([...MARKETS, 'any']).default('ondemand'))
    .option('-p, --pick', 'print the first location and nothing else')
    .option('-j, --json', JSON_HELP)
    .action(async ({ instanceType, location, provider, market, pick, json }: CapacityOptions) => {
      const query = { instanceType, location, provider, market };
      const found = await askApi('Asking the provider', (client, signal) =>
        client.GET('/fleet/capacity', { params: { query }, signal }),
      );
      const [first] = found.items;
      if (first === undefined) process.exitCode = 1;
      if (json === true) console.log(JSON.stringify(instanceType === undefined ? byLocation(found) : byOffer(found)));
      else if (first === undefined)
        console.error(
          [
            `${nothing(instanceType, location)}${because(found)}`,
            ...unreadableLines(found.unreadableRows),
            ...otherProviderLines(found),
          ].join('\n'),
        );
      else console.log(pick === true ? first.location : capacityTable(found));
    });
}

/** One entry per offer. The first three names are those that scripts around DataCrunch already read. */
const byOffer = ({ items, seenAt, isAvailabilityKnown }: Capacity): unknown =>
  items.map(({ location, instanceType, ...offer }) => ({
    location,
    instance_type: instanceType,
    available: isAvailabilityKnown ? true : null,
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
