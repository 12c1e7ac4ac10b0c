/** The view of an instance in the database and the Temporal UI, made from its state. */
import type { InstanceRow } from '../../../activities/fleet/instance/contract.ts';
import { parseOfferKey } from '../../../domain/fleet/selection/offer.ts';
import type { InstanceState, Transition } from '../../../domain/fleet/instance-life/types.ts';
import {
  detailsOfLines,
  linkText,
  markdownText,
  momentText,
  type DetailsLink,
} from '../../../domain/temporal/run-details.ts';

/** Transitions shown in the Temporal UI. */
export const RECENT_TRANSITIONS = 10;

/** The row of an instance in this state. @param provider the first provider of its pool, where neither an offer nor a kept disk names one */
export function rowOf(state: InstanceState, provider: string): InstanceRow {
  const { machine, intent, volume } = state;
  const shown = machine?.intent ?? intent;
  return {
    name: state.name,
    provider: shown === null ? (volume?.provider ?? provider) : parseOfferKey(shown.offer).provider,
    phase: state.phase,
    phaseSinceMs: state.phaseSinceMs,
    reason: state.reason,
    attempts: state.attempts,
    offerKey: shown?.offer ?? null,
    priceUsdPerHour: machine?.priceUsdPerHour ?? shown?.priceUsdPerHour ?? null,
    providerId: machine?.providerId ?? null,
    hostname: shown?.hostname ?? null,
    ip: machine?.ip ?? null,
    simulatedModelUrl: machine?.simulatedModelUrl ?? null,
    osVolumeId: machine?.osVolumeId ?? volume?.volumeId ?? null,
    keptVolumeLocation: volume?.location ?? null,
    freshDisk: shown?.volumeId === null,
    hostnames: state.hostnames,
  };
}

/**
 * Markdown for the Temporal UI: where the instance stands, what it costs, and how it came there.
 *
 * @param pool name of its pool, and its page where that is known
 */
export function detailsOf(state: InstanceState, recent: readonly Transition[], pool: DetailsLink): string {
  const { machine, intent } = state;
  const shown = machine?.intent ?? intent;
  const price = machine?.priceUsdPerHour ?? shown?.priceUsdPerHour;
  const rows = recent.map((t) => `| ${momentText(t.atMs)} | ${t.from ?? ''} | ${t.to} | ${markdownText(t.reason)} |`);
  return detailsOfLines([
    `**${state.phase}** since ${momentText(state.phaseSinceMs)}: ${markdownText(state.reason)}`,
    '',
    `- offer: ${markdownText(shown?.offer ?? 'none')}${price === undefined ? '' : `, $${price.toFixed(3)} per hour`}`,
    `- machine: ${machine === null ? 'none' : markdownText(`${machine.providerId}${machine.ip === null ? '' : ` at ${machine.ip}`}`)}`,
    ...(state.volume === null
      ? []
      : [`- kept volume: ${markdownText(`${state.volume.volumeId} in ${state.volume.location}`)}`]),
    `- creates so far: ${state.attempts}; wanted: ${state.wanted}`,
    '',
    '| at | from | to | reason |',
    '|---|---|---|---|',
    ...rows,
    '',
    `Its pool: ${linkText(pool.name, pool.url)}`,
  ]);
}
