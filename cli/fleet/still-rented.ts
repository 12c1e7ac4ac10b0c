/**
 * Tells of machines that stay rented when Deckhand ends: nobody looks after them until it runs again, and they go on costing.
 */
import type { FleetDocument } from '../../api/client.ts';
import { asDeckhandError } from '../../domain/errors.ts';
import type { Config } from '../../platform/config.ts';
import { isLoopbackUrl, loadFleet } from '../../platform/fleet-config.ts';
import { clientOf } from '../api-client.ts';
import { usd } from './fleet-table.ts';

/** Whoever ends Deckhand is not kept waiting for longer. */
const ANSWER_LIMIT_MS = 2_000;

/** One line per machine that is rented now, and what to do about them; none where nothing is. */
export function stillRentedLines(fleet: FleetDocument): string[] {
  const rented = fleet.pools
    .flatMap((pool) => pool.instances)
    .flatMap(({ name, provider, phase, offer, priceUsdPerHour }) => {
      if (provider === 'static' || priceUsdPerHour === null) return [];
      return [`Still rented: ${name} (${offer ?? provider}, ${usd(priceUsdPerHour)} an hour, ${phase})`];
    });
  if (rented.length === 0) return [];
  return [
    ...rented,
    'They go on costing while Deckhand does not run. To end that: ./deckhand up, then ./deckhand fleet suspend NAME.',
  ];
}

/** Says on stderr what stays rented at a real provider. To be called before the API at `apiUrl` ends. */
export async function tellOfStillRented(config: Config, apiUrl: () => string): Promise<void> {
  try {
    const { provider, baseUrl } = loadFleet(config);
    // A simulator's machines cost nothing.
    if (provider === 'static' || isLoopbackUrl(baseUrl)) return;
    const fleet = await clientOf(config, apiUrl()).fleet(AbortSignal.timeout(ANSWER_LIMIT_MS));
    for (const line of stillRentedLines(fleet)) console.error(line);
  } catch (error) {
    // Ending goes on whatever this comes to; that it is not known has to be said all the same.
    console.error(`Whether machines are still rented could not be found out: ${asDeckhandError(error).userMessage}`);
  }
}
