/**
 * Replays idle gaps under a sleep policy and a kind of billing, and compares the cost with that of a clairvoyant that knows each gap.
 *
 * Cost is counted in seconds of a running machine. A gap spent awake costs its length (the work after it uses the rest of a paid block). A
 * gap spent asleep costs the time from its start until billing stops, and the wake. Under blocks a gap starts at a random point of a block. A
 * policy has to request a stop `stopLeadSec` before a block ends; the clairvoyant stops at once.
 */
import type { BillingCapability } from '../../domain/fleet/provider/billing.ts';
import type { SleepPolicyName } from '../../domain/fleet/pool/pool-config.ts';
import { breakEvenSec, costOfGap, type GapPrices } from '../../domain/fleet/sleep/costs.ts';
import { GAPS_KEPT } from '../../domain/fleet/sleep/learned.ts';
import { paidBlocksOf, paidUntil } from '../../domain/fleet/sleep/paid-blocks.ts';
import { sleepTime } from '../../domain/fleet/sleep/policy.ts';
import { seededRandom } from '../../samples/generator/random.ts';

/** Parameters that are the same for all policies of a comparison. */
export interface Setting {
  readonly billing: BillingCapability;
  /** Cost of a wake, seconds of machine. */
  readonly wakeSec: number;
  /** From the request until billing stops, where blocks are paid. */
  readonly stopLeadSec: number;
  readonly fixedIdleMs: number;
  readonly seed: number;
}

/** A policy's cost over a trace. */
export interface Outcome {
  readonly costSec: number;
  readonly clairvoyantSec: number;
  readonly ratio: number;
}

/** Storage costs the same awake and asleep, so it is left out. */
export const pricesOf = ({ wakeSec }: Pick<Setting, 'wakeSec'>): GapPrices => ({ wakeSec, asleepShare: 0 });

/** Break-even idle time of a setting. */
export const breakEvenOf = (setting: Pick<Setting, 'wakeSec'>): number => breakEvenSec(pricesOf(setting));

/** Runs one policy over one trace. */
export function replay(policy: SleepPolicyName, gapsSec: readonly number[], setting: Setting): Outcome {
  const { billing, stopLeadSec } = setting;
  const prices = pricesOf(setting);
  const random = seededRandom(setting.seed);
  const quantumMs = billing.quantumSec * 1000;
  const idleGapsSec: number[] = [];
  let costSec = 0;
  let clairvoyantSec = 0;
  for (const gap of gapsSec) {
    const draw01 = random();
    const billedSinceMs = -random() * quantumMs;
    const blocks = paidBlocksOf(billing, billedSinceMs, stopLeadSec);
    const { atMs } = sleepTime({
      policy,
      billing,
      wakeCostSec: setting.wakeSec,
      priceUsdPerHour: 1,
      volumeUsdPerHour: 0,
      minIdleMs: 0,
      fixedIdleMs: setting.fixedIdleMs,
      stopLeadSec,
      idleGapsSec,
      draw01,
      nowMs: 0,
      idleSinceMs: 0,
      billedSinceMs,
    });
    const stop = atMs === null ? null : { askedSec: atMs / 1000, paidUntilSec: paidUntil(blocks, atMs) / 1000 };
    const alreadyPaidSec = blocks === null ? 0 : (billedSinceMs + quantumMs) / 1000;
    costSec += costOfGap(gap, stop, prices);
    clairvoyantSec += Math.min(gap, costOfGap(gap, { askedSec: -1, paidUntilSec: alreadyPaidSec }, prices));
    idleGapsSec.push(gap);
    if (idleGapsSec.length > GAPS_KEPT) idleGapsSec.shift();
  }
  return { costSec, clairvoyantSec, ratio: clairvoyantSec === 0 ? 1 : costSec / clairvoyantSec };
}
