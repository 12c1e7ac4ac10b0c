/**
 * Whether an instance is worth being warm at a time: what the waiting that it saves is worth, against what it costs until a deck comes, or
 * until the sleep policy has put it back to sleep for nothing.
 */
import type { BillingCapability } from '../provider/billing.ts';
import { billsContinuously } from '../provider/billing.ts';
import type { PoolConfig } from '../pool/pool-config.ts';
import { sleepTime } from '../sleep/policy.ts';
import type { ArrivalForecast } from './forecast.ts';

/** From the request to sleep until billing stops: a drain without calls, a shutdown and a delete. */
const STOP_SEC = 90;
/** Draw of a gap under the policy `randomised`, for which no mean is known. */
const MIDDLE_DRAW = 0.5;

/** What a pool's warm time costs and saves. */
export interface WarmTerms {
  /** From the wake until the instance is ready. */
  readonly bootSec: number;
  /** Idle time after which the sleep policy puts it back to sleep; infinite = never. */
  readonly holdSec: number;
  /** Paid blocks whose rest is lost, seconds; 0 = by the time. */
  readonly blockSec: number;
  readonly waitingUsdPerMinute: number;
}

/** A judged time. Amounts are expected values. */
export interface WarmJudgement {
  /** Probability that a deck comes from the wake until the instance sleeps again. */
  readonly chance: number;
  readonly savedUsd: number;
  readonly costUsd: number;
  readonly gainUsd: number;
}

/** Judges an instance that is ready at `readyAtMs`. A hit costs the idle time until the deck: its boot would be paid anyway. */
export function judgeWarming(
  forecast: ArrivalForecast,
  readyAtMs: number,
  usdPerHour: number,
  { bootSec, holdSec, blockSec, waitingUsdPerMinute }: WarmTerms,
): WarmJudgement {
  const wakeMs = readyAtMs - bootSec * 1000;
  if (!Number.isFinite(holdSec)) return { chance: 0, savedUsd: 0, costUsd: Infinity, gainUsd: -Infinity };
  const whileBooting = forecast.chance(wakeMs, readyAtMs);
  const chance = forecast.chance(wakeMs, readyAtMs + holdSec * 1000);
  const whileWarm = chance - whileBooting;
  // A deck that comes while the instance boots waits for the rest of the boot: half of it on average.
  const savedSec = whileBooting * (bootSec / 2) + whileWarm * bootSec;
  const costSec = whileWarm * (holdSec / 2) + (1 - chance) * missSec({ bootSec, holdSec, blockSec });
  const savedUsd = (savedSec / 60) * waitingUsdPerMinute;
  const costUsd = (costSec / 3600) * usdPerHour;
  return { chance, savedUsd, costUsd, gainUsd: savedUsd - costUsd };
}

/** Paid seconds of an instance that was warm for nothing. */
export function missSec({ bootSec, holdSec, blockSec }: Omit<WarmTerms, 'waitingUsdPerMinute'>): number {
  const sec = bootSec + holdSec + STOP_SEC;
  return blockSec === 0 ? sec : Math.ceil(sec / blockSec) * blockSec;
}

/** What the terms of a pool are made from. */
export interface TermsInput {
  readonly config: PoolConfig;
  readonly billing: BillingCapability;
  readonly bootSec: number;
  readonly usdPerHour: number;
  readonly volumeUsdPerHour: number;
  /** Idle gaps seen, newest last. */
  readonly idleGapsSec: readonly number[];
}

/** The terms of a pool now: its own sleep policy says how long an instance stays warm. */
export function warmTerms(input: TermsInput): WarmTerms {
  const { config, billing, bootSec, usdPerHour, volumeUsdPerHour, idleGapsSec } = input;
  const bootMs = bootSec * 1000;
  const { atMs } = sleepTime({
    policy: config.sleepPolicy,
    billing,
    wakeCostSec: bootSec,
    priceUsdPerHour: usdPerHour,
    volumeUsdPerHour,
    minIdleMs: config.timing.minIdleMs,
    fixedIdleMs: config.timing.fixedIdleMs,
    idleGapsSec,
    draw01: MIDDLE_DRAW,
    nowMs: bootMs,
    idleSinceMs: bootMs,
    billedSinceMs: 0,
  });
  return {
    bootSec,
    holdSec: atMs === null ? Infinity : Math.max(0, atMs - bootMs) / 1000,
    blockSec: billsContinuously(billing) ? 0 : billing.quantumSec,
    waitingUsdPerMinute: config.waitingUsdPerMinute,
  };
}
