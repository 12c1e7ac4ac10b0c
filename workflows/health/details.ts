/**
 * What the Temporal UI shows of an instance's health.
 */
import type { HealthState } from '../../domain/health/state.ts';
import {
  detailsOfLines,
  linkText,
  markdownText,
  momentText,
  type DetailsLink,
} from '../../domain/temporal/run-details.ts';
import type { HealthOrder } from '../../contracts/health.ts';

const MODES = {
  serving: 'It serves.',
  watched: 'It takes no work and is watched.',
  away: 'It is not looked at: it boots, sleeps or is being repaired.',
} as const;

/** Markdown. @param instance name of the instance, and its page where that is known */
export function detailsOf(state: HealthState | null, order: HealthOrder | null, instance: DetailsLink): string {
  const mode = order?.standing?.mode ?? 'away';
  if (state === null) return detailsOfLines([MODES[mode]]);
  const at = (ms: number | null): string => (ms === null ? 'never' : momentText(ms));
  return detailsOfLines([
    `**${state.level}** since ${momentText(state.sinceMs)}: ${markdownText(state.reason)}`,
    '',
    MODES[mode],
    '',
    `- last sample: ${at(state.sampledAtMs)}${state.missing > 0 ? `, ${state.missing} since then without an answer` : ''}`,
    `- last probe: ${at(state.probedAtMs)}${state.probeMs === null ? '' : `, ${Math.round(state.probeMs)} ms`}`,
    `- calls in flight at the last sample: ${state.inFlight}`,
    '',
    `Its instance: ${linkText(instance.name, instance.url)}`,
  ]);
}
