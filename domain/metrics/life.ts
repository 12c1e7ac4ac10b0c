/** What a step in the life of an instance says about its boot or its wake, for the metrics. Pure. */
import { isComingUp } from '../fleet/phases.ts';

/** A step: the phase that an instance came to. */
export interface LifeStep {
  readonly from: string | null;
  readonly to: string;
  readonly atMs: number;
  readonly offerKey: string | null;
}

/** How a boot ended: it served, was given up for another order, or was not wanted any more. */
export interface Provisioning {
  readonly outcome: 'ready' | 'failed' | 'ended';
  readonly offerKey: string | null;
  readonly seconds: number;
}

/** The boot that ended with a step; null when none did. @param before earlier steps of the instance, in order */
export function provisioningEnded(before: readonly LifeStep[], step: LifeStep): Provisioning | null {
  const isServing = step.to === 'ready' && step.from !== null && isComingUp(step.from);
  const hasLeftBoot = step.from === 'booting' && step.to !== 'booting';
  if (!isServing && !hasLeftBoot) return null;
  const order = before.findLast(({ to }) => to === 'creating' || to === 'waking' || to === 'ready');
  // A machine that was ready since its last order is only being repaired; one without an order was there already.
  if (order === undefined || order.to === 'ready') return null;
  const outcome = step.to === 'ready' ? 'ready' : isOrdering(step.to) ? 'failed' : 'ended';
  const seconds = Math.max(0, step.atMs - order.atMs) / 1000;
  return { outcome, offerKey: order.offerKey ?? step.offerKey, seconds };
}

const isOrdering = (phase: string): boolean => phase === 'creating' || phase === 'waking' || phase === 'planned';

/** The create of the last attempt. */
export interface WakeOrder {
  readonly createdAtMs: number;
  readonly fromVolumeId: string | null;
}

/** How a wake went, when a step ended one; null when none did. */
export function wakeEnded(
  before: readonly LifeStep[],
  step: LifeStep,
  order: WakeOrder | null,
): 'started' | 'kept_disk' | 'fresh' | 'given_up' | null {
  if (step.from !== 'waking' || step.to === 'waking') return null;
  if (step.to !== 'booting' && step.to !== 'ready') return 'given_up';
  const begun = before.findLast(({ from, to }) => to === 'waking' && from !== 'waking');
  // A create from before the wake was for the machine that was only stopped.
  if (order === null || order.createdAtMs < (begun?.atMs ?? step.atMs)) return 'started';
  return order.fromVolumeId === null ? 'fresh' : 'kept_disk';
}
