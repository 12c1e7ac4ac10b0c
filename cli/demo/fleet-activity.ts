/**
 * What the fleet did during the demo: the first offers of the ladder, then every transition of its instances by time.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { DeckhandClient, FleetDocument, InstanceHistoryDocument, PlanDocument } from '../../api/client.ts';
import { DeckhandError } from '../../domain/errors.ts';
import type { InstancePhase } from '../../domain/fleet/phases.ts';
import { tableLines } from '../terminal/table.ts';
import { TIERS } from '../../domain/fleet/selection/tiers.ts';

const LOOK_INTERVAL_MS = 300;

/**
 * One line per provider and tier, from the dearest the selector allows down to the first of that provider that can be had: why it is not, or why
 * it is taken.
 */
export function ladderLines(plan: PlanDocument): string[] {
  const ofProvider = Map.groupBy(plan.offers, (offer) => offer.provider);
  const rows = [...ofProvider.values()].flatMap((offers) => tierRows(offers));
  return tableLines(rows, { indent: '  ' });
}

function tierRows(all: PlanDocument['offers']): string[][] {
  const rows: string[][] = [];
  for (const { slug } of TIERS) {
    const offers = all.filter((offer) => offer.tier === slug && offer.refusal !== 'not_selected');
    const taken = offers.find((offer) => offer.rank !== null);
    const about = taken ?? offers[0];
    if (about === undefined) continue;
    rows.push([slug, about.instanceType, about.location, `$${about.usdPerHour.toFixed(2)}/h`, about.reason]);
    if (taken !== undefined) break;
  }
  return rows;
}

/** What the machines would have cost, by provider. @param plan the ladder, which names every provider that was asked */
export function costLine({ costUsd, pools }: FleetDocument, plan: PlanDocument): string {
  const instances = pools.flatMap((pool) => pool.instances);
  const parts = [...new Set(plan.offers.map((offer) => offer.provider))].map((provider) => {
    const own = instances.filter((instance) => instance.provider === provider);
    return `${provider} $${own.reduce((sum, instance) => sum + (instance.costUsd ?? 0), 0).toFixed(4)}`;
  });
  const split = parts.length < 2 ? '' : `: ${parts.join(', ')}`;
  return `  The GPU time would have cost $${costUsd.toFixed(4)} at the simulated prices${split}.`;
}

/** The transitions of the demo's instances since `sinceMs`, each with the seconds that had passed. */
export function transitionLines(histories: readonly InstanceHistoryDocument[], sinceMs: number): string[] {
  const rows = histories
    .flatMap((history) => history.transitions.map((transition) => ({ name: history.name, ...transition })))
    .filter((transition) => Date.parse(transition.at) >= sinceMs)
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
    .map(({ name, at, to, reason }) => [`${((Date.parse(at) - sinceMs) / 1000).toFixed(1)} s`, name, to, reason]);
  return tableLines(rows, { indent: '  ', right: [0], least: [8] });
}

/** Histories of every instance there is. */
export async function readHistories(
  client: DeckhandClient,
  signal: AbortSignal,
): Promise<readonly InstanceHistoryDocument[]> {
  const { pools } = await client.GET('/fleet', { signal });
  const names = pools.flatMap((pool) => pool.instances.map((instance) => instance.name));
  return Promise.all(
    names.map((name) => client.GET('/fleet/instances/{name}', { params: { path: { name } }, signal })),
  );
}

/** Waits until an instance is in a phase. @throws DeckhandError `host_not_ready` when that takes too long */
export async function untilPhase(
  client: DeckhandClient,
  phase: InstancePhase,
  limitMs: number,
  onLook: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const giveUpAtMs = Date.now() + limitMs;
  for (;;) {
    const { pools } = await client.GET('/fleet', { signal });
    const instances = pools.flatMap((pool) => pool.instances);
    if (instances.some((instance) => instance.phase === phase)) return;
    const now = instances.map((i) => `${i.name} is ${i.phase}: ${i.reason}`).join('; ');
    if (Date.now() > giveUpAtMs) {
      throw new DeckhandError('host_not_ready', `no instance was ${phase} within ${limitMs / 1000} s; ${now}`, {
        hint: 'See `./deckhand fleet`, and the logs in the data directory.',
      });
    }
    onLook(now);
    await delay(LOOK_INTERVAL_MS, undefined, { signal });
  }
}
