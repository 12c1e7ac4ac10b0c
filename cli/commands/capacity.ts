/**
 * `deckhand capacity`: what is available now, by type or location. Exit code 1 when nothing is, so that scripts can ask.
 */
import { Option, type Command } from 'commander';
import type { Capacity } from '../../api/client.ts';
import { MARKETS, type Market } from '../../domain/fleet/selection/offer.ts';
import { askApi } from '../fleet/selection-api.ts';
import { capacityTable } from '../fleet/selection-tables.ts';

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
    .option('-j, --json', 'print one JSON document and nothing else on stdout')
    .action(async ({ instanceType, location, market, pick, json }: CapacityOptions) => {
      const query = { instanceType, location, market };
      const found = await askApi('Asking the provider', (client, signal) => client.capacity(query, signal));
      const [first] = found.items;
      if (first === undefined) process.exitCode = 1;
      if (json === true) console.log(JSON.stringify(instanceType === undefined ? byLocation(found) : byOffer(found)));
      else if (first === undefined) console.error(nothing(instanceType, location));
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
