/**
 * How much of the tests runs. `./deckhand test` sets the tier; vitest called directly runs everything at the length of the fast tier.
 */
import { TIER_VARIABLE, type TestTier } from '../cli/test/suites.ts';
import { loadConfig } from '../platform/config.ts';

const FAST_SHARE = 0.1;

/** The tier of this run. */
export function testTier(): TestTier {
  const chosen = loadConfig().environment[TIER_VARIABLE];
  return chosen === 'fast' || chosen === 'deep' ? chosen : 'full';
}

/** Whether properties run at their full length. */
function runsLongProperties(): boolean {
  const chosen = loadConfig().environment[TIER_VARIABLE];
  return chosen === 'deep' || chosen === 'full';
}

/**
 * Runs of a property: all of them in the tiers `deep` and `full`, a tenth otherwise, but `least` of them.
 * @example for (let seed = 1; seed <= propertyRuns(1_000); seed += 1) live(seed)
 */
export function propertyRuns(fullRuns: number, least = 10): number {
  if (runsLongProperties()) return fullRuns;
  return Math.min(fullRuns, Math.max(least, Math.ceil(fullRuns * FAST_SHARE)));
}
