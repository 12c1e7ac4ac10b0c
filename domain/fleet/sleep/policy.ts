/**
 * When an idle instance goes to sleep: the sleep policies, one function for all.
 *
 * The question is that of ski rental: an idle machine costs by the second, a wake costs once, and the length of the gap is not known. Break-even is
 * never worse than twice what one who knew would pay, randomised is expected at e ÷ (e − 1) ≈ 1.58 times (arXiv 0802.2832), learned does what would
 * have been cheapest lately, block-end uses up what is paid and goes on for another block only where the gaps seen make that cheaper.
 */
import { assertNever } from '../../errors.ts';
import { billsContinuously, type BillingCapability } from '../provider/billing.ts';
import type { SleepPolicyName } from '../pool/pool-config.ts';
import { breakEvenSec, makeGapPrices, type GapPrices, type Stop } from './costs.ts';
import { durationWords } from '../../text/words.ts';
import { learnedIdleSec } from './learned.ts';
import { paidBlocksOf, paidUntil, stopTime, type PaidBlocks } from './paid-blocks.ts';

/**
 * Idle time at a block's end, as a share of the break-even time, while nothing is learned: where the worst of five kinds of gap is cheapest
 * (`deckhand bench sleep`, blocks of 10 minutes; 0 and 1 are both dearer).
 */
const UNLEARNED_SHARE = 0.4;

/** Everything a sleep policy looks at. */
export interface SleepInput {
  readonly policy: SleepPolicyName;
  readonly billing: BillingCapability;
  /** Cost of a wake in seconds of machine time. */
  readonly wakeCostSec: number;
  readonly priceUsdPerHour: number | null;
  readonly volumeUsdPerHour: number;
  /** Least idle time under every policy but `fixed`. */
  readonly minIdleMs: number;
  /** Idle time of the policy `fixed`. */
  readonly fixedIdleMs: number;
  readonly stopLeadSec?: number | undefined;
  /** Gaps seen, newest last. */
  readonly idleGapsSec: readonly number[];
  /** Random number of this gap, 0 … 1. */
  readonly draw01: number;
  readonly nowMs: number;
  readonly idleSinceMs: number;
  /** Start of the paid time; null when nothing is rented. */
  readonly billedSinceMs: number | null;
}

/** The policies that decide; `auto` selects one of them. */
export type DecidingPolicy = Exclude<SleepPolicyName, 'auto'>;

/** When to ask for the stop, and why then. */
export interface SleepTime {
  /** Null = never. In the past = now. */
  readonly atMs: number | null;
  readonly policy: DecidingPolicy;
  /** A part of a sentence: `after 3 min idle, …`. */
  readonly reason: string;
}

/** The policy that `auto` selects: learned where billing stops with the machine, the end of a paid block where the rest of it would be lost. */
export const automaticPolicy = (billing: BillingCapability): DecidingPolicy =>
  billsContinuously(billing) ? 'learned' : 'block_end';

/** When an instance that has been idle since `idleSinceMs` goes to sleep if no work comes. */
export function sleepTime(input: SleepInput): SleepTime {
  const prices = makeGapPrices(input.wakeCostSec, input.priceUsdPerHour, input.volumeUsdPerHour);
  const policy = input.policy === 'auto' ? automaticPolicy(input.billing) : input.policy;
  const blocks = paidBlocksOf(input.billing, input.billedSinceMs, input.stopLeadSec);
  const limit = idleLimit(policy, input, prices, blocks);
  if (!Number.isFinite(limit.idleMs)) return { atMs: null, policy: limit.policy, reason: limit.reason };
  if (limit.policy === 'fixed') return { ...limit, atMs: input.idleSinceMs + limit.idleMs };
  const idleMs = Math.max(limit.idleMs, input.minIdleMs);
  const fromMs = input.idleSinceMs + idleMs;
  const after = `after ${durationWords(idleMs)} idle (${limit.reason})`;
  if (blocks === null) return { atMs: fromMs, policy: limit.policy, reason: after };
  return {
    atMs: stopTime(blocks, fromMs, input.nowMs),
    policy: limit.policy,
    reason: `${after}, at the end of the block that is paid`,
  };
}

/** Idle time that a policy allows, before floors and blocks. */
interface IdleLimit extends Omit<SleepTime, 'atMs'> {
  readonly idleMs: number;
}

function idleLimit(policy: DecidingPolicy, input: SleepInput, prices: GapPrices, blocks: PaidBlocks | null): IdleLimit {
  const breakEvenMs = breakEvenSec(prices) * 1000;
  switch (policy) {
    case 'never':
      return { idleMs: Infinity, policy, reason: 'it never sleeps by configuration' };
    case 'fixed':
      return {
        idleMs: input.fixedIdleMs,
        policy,
        reason: `after ${durationWords(input.fixedIdleMs)} idle (fixed by configuration)`,
      };
    case 'break_even':
      return { idleMs: breakEvenMs, policy, reason: 'a wake costs as much' };
    case 'randomised':
      // Density e^(t/B) ÷ (B (e − 1)) on 0 … B: no gap length is worse for it than another.
      return {
        idleMs: breakEvenMs * Math.log1p(input.draw01 * (Math.E - 1)),
        policy,
        reason: `drawn for this gap, at most ${durationWords(breakEvenMs)}`,
      };
    case 'block_end':
      // Where billing stops with the machine there is no block to use up.
      if (blocks === null) return idleLimit('break_even', input, prices, blocks);
      return (
        learned(policy, input, prices, blocks) ?? {
          idleMs: breakEvenMs * UNLEARNED_SHARE,
          policy,
          reason: 'too few gaps seen yet',
        }
      );
    case 'learned':
      // `auto` promises more than twice the least cost also before it has learned.
      return (
        learned(policy, input, prices, blocks) ??
        idleLimit(input.policy === 'auto' ? 'randomised' : 'break_even', input, prices, blocks)
      );
    default:
      return assertNever(policy);
  }
}

function learned(
  policy: DecidingPolicy,
  input: SleepInput,
  prices: GapPrices,
  blocks: PaidBlocks | null,
): IdleLimit | null {
  const idleSec = learnedIdleSec(input.idleGapsSec, prices, (sec) => stopOf(sec, input, blocks));
  if (idleSec === null) return null;
  return { idleMs: idleSec * 1000, policy, reason: `cheapest over the last ${input.idleGapsSec.length} gaps` };
}

/** The stop that an idle time leads to, in seconds since this gap began. */
function stopOf(idleSec: number, input: SleepInput, blocks: PaidBlocks | null): Stop {
  const fromMs = input.idleSinceMs + Math.max(idleSec * 1000, input.minIdleMs);
  const askedMs = blocks === null ? fromMs : stopTime(blocks, fromMs, input.idleSinceMs);
  return {
    askedSec: (askedMs - input.idleSinceMs) / 1000,
    paidUntilSec: (paidUntil(blocks, askedMs) - input.idleSinceMs) / 1000,
  };
}
