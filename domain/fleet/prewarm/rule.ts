/**
 * Whether an instance is worth being warm at a time, and for how long: what the waiting that it saves is worth, against what it costs until a
 * deck comes, or until it was put back to sleep for nothing.
 */
import { billsContinuously, type BillingCapability } from '../provider/billing.ts';
import type { PoolConfig } from '../pool/pool-config.ts';
import { sleepTime } from '../sleep/policy.ts';
import type { ArrivalForecast } from './forecast.ts';

/** From the request to sleep until billing stops: a drain without calls, a shutdown and a delete. */
const STOP_SEC = 90;
/** An instance is kept warm for one of these times, unless its sleep policy keeps it for longer. */
const HOLDS_SEC = [0, 900, 1800, 3600];
/** Times are judged in steps of this length. */
const STEP_MS = 5 * 60_000;
/** Draw of a gap under the policy `randomised`, for which no mean is known. */
const MIDDLE_DRAW = 0.5;

/** What a pool's warm time costs and saves. */
export interface WarmTerms {
  /** From the wake until the instance is ready. */
  readonly bootSec: number;
  /** Idle time after which the sleep policy puts it to sleep; infinite = never. */
  readonly sleepsAfterSec: number;
  /** Paid blocks whose rest is lost, seconds; 0 = by the time. */
  readonly blockSec: number;
  readonly waitingUsdPerMinute: number;
}

/** A judged time. Amounts are expected values. */
export interface WarmJudgement {
  /** For how long the instance is kept warm from then on, at most. */
  readonly holdSec: number;
  /** Probability that a deck comes from the wake until the instance sleeps again. */
  readonly chance: number;
  readonly savedUsd: number;
  readonly costUsd: number;
  readonly gainUsd: number;
}

/**
 * Judges an instance that is ready at `readyAtMs`, with the best time to keep it. A hit costs the idle time until the deck: its boot would be
 * paid anyway.
 */
export function judgeWarming(
  forecast: ArrivalForecast,
  readyAtMs: number,
  usdPerHour: number,
  terms: WarmTerms,
): WarmJudgement {
  const { bootSec, sleepsAfterSec, blockSec, waitingUsdPerMinute } = terms;
  if (!Number.isFinite(sleepsAfterSec)) return NEVER;
  const wakeMs = readyAtMs - bootSec * 1000;
  let noneLog = forecast.noneLog(wakeMs, readyAtMs);
  const whileBooting = -Math.expm1(noneLog);
  let best = NEVER;
  let idleSec = 0;
  let atMs = readyAtMs;
  for (const holdSec of holdsOf(terms)) {
    const endMs = readyAtMs + holdSec * 1000;
    while (atMs < endMs) {
      const nextMs = Math.min(endMs, atMs + STEP_MS);
      const before = Math.exp(noneLog);
      noneLog += forecast.noneLog(atMs, nextMs);
      // It idles for as long as no deck has come.
      idleSec += ((before + Math.exp(noneLog)) / 2) * ((nextMs - atMs) / 1000);
      atMs = nextMs;
    }
    const none = Math.exp(noneLog);
    // A deck that comes while the instance boots waits for the rest of the boot: half of it on average.
    const savedSec = whileBooting * (bootSec / 2) + (1 - whileBooting - none) * bootSec;
    const lostSec = missSec({ bootSec, blockSec }, holdSec) - holdSec;
    const savedUsd = (savedSec / 60) * waitingUsdPerMinute;
    const costUsd = ((idleSec + none * lostSec) / 3600) * usdPerHour;
    const gainUsd = savedUsd - costUsd;
    if (gainUsd > best.gainUsd) best = { holdSec, chance: 1 - none, savedUsd, costUsd, gainUsd };
  }
  return best;
}

/** An instance that never sleeps costs without end. */
const NEVER: WarmJudgement = { holdSec: 0, chance: 0, savedUsd: 0, costUsd: Infinity, gainUsd: -Infinity };

/** Times for which an instance may be kept, rising: none is shorter than what the sleep policy allows. */
const holdsOf = ({ sleepsAfterSec }: WarmTerms): readonly number[] => [
  ...new Set(HOLDS_SEC.map((sec) => Math.max(sec, sleepsAfterSec))),
];

/** Paid seconds of an instance that was kept warm for nothing. */
export function missSec({ bootSec, blockSec }: Pick<WarmTerms, 'bootSec' | 'blockSec'>, holdSec: number): number {
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
    sleepsAfterSec: atMs === null ? Infinity : Math.max(0, atMs - bootMs) / 1000,
    blockSec: billsContinuously(billing) ? 0 : billing.quantumSec,
    waitingUsdPerMinute: config.waitingUsdPerMinute,
  };
}
