/**
 * Tells of machines that stay rented when Deckhand ends: nobody looks after them until it runs again, and they go on costing.
 */
import type { FleetDocument } from '../../api/client.ts';
import { clientOf } from '../../api/client/home-client.ts';
import { asDeckhandError } from '../../domain/errors.ts';
import type { Config } from '../../platform/config.ts';
import { isLoopbackUrl, loadFleet } from '../../platform/fleet-config.ts';
import { usdText } from '../../domain/text/words.ts';

/** Whoever ends Deckhand is not kept waiting for longer. */
const ANSWER_LIMIT_MS = 2_000;

/**
 * One line per machine that is rented now, and what to do about them; none where nothing is.
 *
 * @param isSimulated the machines are a simulator's
 */
export function stillRentedLines(fleet: FleetDocument, isSimulated = false): string[] {
  const rented = fleet.pools
    .flatMap((pool) => pool.instances)
    .flatMap(({ name, provider, phase, offer, priceUsdPerHour }) => {
      if (provider === 'static' || priceUsdPerHour === null) return [];
      return [`Still rented: ${name} (${offer ?? provider}, ${usdText(priceUsdPerHour)} an hour, ${phase})`];
    });
  if (rented.length === 0) return [];
  // A simulator's machines stay in its state file, and wait there for the next start.
  if (isSimulated) return [...rented, 'They are simulated and cost nothing.'];
  return [
    ...rented,
    'They go on costing while Deckhand does not run. To end that: ./deckhand up, then ./deckhand fleet suspend NAME.',
  ];
}

/** Says on stderr what stays rented. To be called before the API at `apiUrl` ends. */
export async function tellOfStillRented(config: Config, apiUrl: () => string): Promise<void> {
  try {
    const { provider, baseUrl } = loadFleet(config);
    if (provider === 'static') return;
    const fleet = await clientOf(config, apiUrl()).fleet(AbortSignal.timeout(ANSWER_LIMIT_MS));
    for (const line of stillRentedLines(fleet, isLoopbackUrl(baseUrl))) console.error(line);
  } catch (error) {
    // Ending goes on whatever this comes to; that it is not known has to be said all the same.
    console.error(`Whether machines are still rented could not be found out: ${asDeckhandError(error).userMessage}`);
  }
}
