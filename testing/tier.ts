/**
 * How much of the tests runs. `./deckhand test` sets the tier; vitest called directly runs everything at the length of the fast tier.
 */
import { FAILURES_VARIABLE, TIER_VARIABLE, type TestTier } from '../cli/test/suites.ts';
import { loadConfig } from '../platform/config.ts';

const FAST_SHARE = 0.1;

/** The tier of this run. */
export function testTier(): TestTier {
  const chosen = loadConfig().environment[TIER_VARIABLE];
  return chosen === 'fast' || chosen === 'deep' ? chosen : 'full';
}

/** The file to which this run adds a line for each failure; undefined where none is asked for. */
export const failuresFile = (): string | undefined => loadConfig().environment[FAILURES_VARIABLE];

/**
 * Runs of a property: all of them in the tiers `deep` and `full`, a tenth otherwise, but `least` of them. A property that would take many
 * minutes makes `deepRuns` of them in the tier `deep`, and a tenth of those otherwise.
 * @example for (let seed = 1; seed <= propertyRuns(1_000); seed += 1) live(seed)
 */
export function propertyRuns(fullRuns: number, least = 10, deepRuns = fullRuns): number {
  const chosen = loadConfig().environment[TIER_VARIABLE];
  if (chosen === 'full') return fullRuns;
  if (chosen === 'deep') return deepRuns;
  return Math.min(deepRuns, Math.max(least, Math.ceil(deepRuns * FAST_SHARE)));
}
