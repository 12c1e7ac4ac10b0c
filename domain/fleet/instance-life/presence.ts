/**
 * Is our machine still there? Errors conclude nothing, and neither does one look that did not see it.
 */
import type { Sighting } from './types.ts';
import { lookedAt } from './looks.ts';
import type { Turn } from './turn.ts';

/** `unsure` = look again. */
export type Presence = 'there' | 'gone' | 'unsure';

/**
 * What one successful look means. The provider's word that it ended is evidence; not to be seen is so only twice, `goneConfirmMs`
 * apart, and not before a new machine must be visible.
 */
export function presence(turn: Turn, sighting: Sighting | null): Presence {
  if (sighting !== null) {
    turn.clearTimes('absentSince');
    return sighting.status === 'gone' ? 'gone' : 'there';
  }
  if (lookedAt(turn) < (turn.time('landsUntil') ?? 0)) return 'unsure';
  const since = turn.time('absentSince');
  if (since === null) turn.setTime('absentSince', turn.atMs);
  return since !== null && lookedAt(turn) - since >= turn.state.settings.goneConfirmMs ? 'gone' : 'unsure';
}

/** Time by which a create sent until now is visible, if it took effect: the provider's window and one slow look. */
export const landsUntil = ({ atMs, state: { settings } }: Turn): number =>
  atMs + settings.visibilityWindowMs + settings.bootPollMaxMs;
