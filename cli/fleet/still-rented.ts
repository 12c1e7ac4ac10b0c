/**
 * Reports machines that stay rented when Deckhand ends: they are not managed until it runs again, and go on costing.
 */
import type { FleetDocument } from '../../api/client.ts';
import { clientOf } from '../../api/client/home-client.ts';
import { asDeckhandError } from '../../domain/errors.ts';
import type { Config } from '../../platform/config.ts';
import { loadFleet } from '../../clouds/fleet-file.ts';
import { providerNames } from '../../clouds/fleet.ts';
import { isLocal } from '../../clouds/providers.ts';
import { usdText } from '../../domain/text/words.ts';

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

/** Prints on stderr which machines stay rented. To be called before the API at `apiUrl` ends. */
export async function tellOfStillRented(config: Config, apiUrl: () => string): Promise<void> {
  try {
    const loaded = loadFleet(config);
    const names = providerNames(loaded);
    if (names.length === 0) return;
    const fleet = await clientOf(config, apiUrl()).fleet(AbortSignal.timeout(ANSWER_LIMIT_MS));
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
