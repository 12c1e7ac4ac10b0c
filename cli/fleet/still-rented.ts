/**
 * Reports machines that stay rented when Deckhand ends: they are not managed until it runs again, and go on costing, stopped ones perhaps only
 * their disk.
 */
import type { FleetDocument } from '../../api/client.ts';
import { clientOf } from '../../api/client/home-client.ts';
import { asDeckhandError } from '../../domain/errors.ts';
import type { Config } from '../../platform/config.ts';
import { loadFleet } from '../../clouds/fleet-file.ts';
import { providerNames } from '../../clouds/fleet.ts';
import { isLocal } from '../../clouds/providers.ts';
import { usdText } from '../../domain/text/words.ts';
import { priceNow } from './price-now.ts';

/** The end of Deckhand is not delayed for longer. */
const ANSWER_LIMIT_MS = 2_000;

/**
 * One line per machine that is rented now, and what to do about them; none where nothing is.
 *
 * @param isSimulated the machines are a simulator's
 */
export function stillRentedLines(fleet: FleetDocument, isSimulated = false): string[] {
  const rented = fleet.pools
    .flatMap((pool) => pool.instances)
    .flatMap((instance) => {
      const price = priceNow(instance);
      return price === null ? [] : [{ instance, price }];
    });
  if (rented.length === 0) return [];
  const lines = rented.map(({ instance: { name, provider, phase, offer }, price }) => {
    const cost =
      'usdPerHour' in price
        ? `${usdText(price.usdPerHour)} an hour, ${phase}`
        : `stopped, costs only its ${price.keptOnly}`;
    return `Still rented: ${name} (${offer ?? provider}, ${cost})`;
  });
  // A simulator's machines stay in its state file, and wait there for the next start.
  if (isSimulated) return [...lines, 'They are simulated and cost nothing.'];
  // What is suspended already costs until it is destroyed.
  const isSuspended = ({ instance: { phase } }: (typeof rented)[number]): boolean => phase === 'suspended';
  const verbs = [...(rented.every(isSuspended) ? [] : ['suspend']), ...(rented.some(isSuspended) ? ['destroy'] : [])];
  const commands = verbs.map((verb) => `./deckhand fleet ${verb} NAME`);
  const which = verbs.length === 1 ? '' : ' (for one that is suspended)';
  return [
    ...lines,
    `They go on costing while Deckhand does not run. To end that: ./deckhand up, then ${commands.join(' or ')}${which}.`,
  ];
}

/** Prints on stderr which machines stay rented. To be called before the API at `apiUrl` ends. */
export async function tellOfStillRented(config: Config, apiUrl: () => string): Promise<void> {
  try {
    const loaded = loadFleet(config);
    const names = providerNames(loaded);
    if (names.length === 0) return;
    const fleet = await clientOf(config, apiUrl()).GET('/fleet', { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) });
    for (const line of stillRentedLines(
      fleet,
      names.every((name) => isLocal(loaded, name)),
    ))
      console.error(line);
  } catch (error) {
    // Ending continues in any case, but the user has to know that this was not found out.
    console.error(`Could not check for rented machines: ${asDeckhandError(error).userMessage}`);
  }
}
