/**
 * What warming by the rule would have come to over the arrivals of the last weeks, at the prices of that time: the same rule on the same
 * forecast, which at every instant knows only what was over by then.
 *
 * One machine is simulated: it serves every deck, sleeps after its idle time, and boots for a deck that finds it asleep. The clairvoyant knows
 * every arrival and has the machine ready just then: nobody waits, and nothing is warm for nothing.
 */
import { MODEL_TASK_NAMES, MODEL_TASKS, type GpuClass } from '../../models/model-tasks.ts';
import { ArrivalForecast, countQuarters, type Arrival } from './forecast.ts';
import { heldBackUntilMs } from './hold-back.ts';
import { judgeWarming, missSec, type WarmTerms } from './rule.ts';
import { QUARTER_MS, quarterOfWeekIn, quarterStart } from './week.ts';

/** Arrivals are learned from over this time. */
export const HISTORY_MS = 8 * 7 * 86_400_000;
/** From this much history on there is something to go by; a replay begins after it. */
export const LEAST_HISTORY_MS = 2 * 7 * 86_400_000;

/** Price of the pool's machines from a time on. */
export interface PriceSince {
  readonly fromMs: number;
  readonly usdPerHour: number;
}

export interface ReplayInput {
  /** In order of time. */
  readonly arrivals: readonly Arrival[];
  /** From here on all arrivals are known. */
  readonly fromMs: number;
  readonly untilMs: number;
  /** IANA. */
  readonly timezone: string;
  /** In order of time. */
  readonly prices: readonly PriceSince[];
  readonly terms: WarmTerms;
  /** Machine time of a slide, with all places of the machine in use, and what each deck adds to it. */
  readonly slideSec: number;
  readonly deckSec: number;
}

/** An instance that was warmed. */
export interface Warmed {
  readonly wakeMs: number;
  readonly isHit: boolean;
  readonly savedSec: number;
  readonly costUsd: number;
}

/** Result of a replay. Amounts in USD. */
export interface Replay {
  /** The time replayed: without the weeks that only taught. */
  readonly fromMs: number;
  readonly untilMs: number;
  readonly warmed: readonly Warmed[];
  readonly hits: number;
  readonly misses: number;
  readonly savedSec: number;
  readonly savedUsd: number;
  readonly costUsd: number;
  /** What warming would have gained: saved less spent. */
  readonly netUsd: number;
  /** The same in the later half of the time. */
  readonly lateNetUsd: number;
  /** Decks that waited for a boot nevertheless. */
  readonly coldStarts: number;
  /** What the clairvoyant would have gained. */
  readonly clairvoyantUsd: number;
  readonly regretUsd: number;
}

export function replayWarming(input: ReplayInput): Replay {
  const { arrivals, untilMs, timezone, terms, prices } = input;
  const learnFromMs = quarterStart(input.fromMs);
  const fromMs = quarterStart(input.fromMs + LEAST_HISTORY_MS);
  const counts = countQuarters(arrivals, learnFromMs, untilMs);
  const forecast = new ArrivalForecast(quarterOfWeekIn(timezone));
  const machine = new Machine(input);
  let learned = 0;
  for (let readyAtMs = fromMs; readyAtMs < untilMs; readyAtMs += QUARTER_MS) {
    const wakeMs = readyAtMs - terms.bootSec * 1000;
    for (; learnFromMs + (learned + 1) * QUARTER_MS <= wakeMs; learned += 1)
      forecast.add(learnFromMs + learned * QUARTER_MS, counts[learned] ?? { decks: 0, visits: 0 });
    machine.runUntil(wakeMs);
    if (wakeMs < fromMs || machine.isAwake || machine.isHeldBack) continue;
    const usdPerHour = priceAt(prices, wakeMs);
    if (usdPerHour === null) continue;
    const { gainUsd, holdSec } = judgeWarming(forecast, readyAtMs, usdPerHour, terms);
    if (gainUsd > 0) machine.warm({ wakeMs, readyAtMs, holdSec, usdPerHour });
  }
  machine.runUntil(untilMs);
  return resultOf(machine, fromMs, untilMs, terms);
}

/** The price known at an instant; null = none was known yet. */
export const priceAt = (prices: readonly PriceSince[], atMs: number): number | null =>
  prices.findLast((price) => price.fromMs <= atMs)?.usdPerHour ?? null;

/** True where it would have paid, over the whole time and lately, and often enough to say so. */
export const hasPaid = ({ warmed, netUsd, lateNetUsd }: Replay): boolean =>
  warmed.length >= LEAST_WARMED && netUsd > 0 && lateNetUsd > 0;

/** Fewer say too little. */
const LEAST_WARMED = 5;

function resultOf(
  { warmed, coldStarts }: Machine,
  fromMs: number,
  untilMs: number,
  { bootSec, waitingUsdPerMinute }: WarmTerms,
): Replay {
  const worth = (seconds: number): number => (seconds / 60) * waitingUsdPerMinute;
  const sum = (all: readonly Warmed[], of: (one: Warmed) => number): number =>
    all.reduce((total, one) => total + of(one), 0);
  const net = (all: readonly Warmed[]): number => sum(all, (one) => worth(one.savedSec) - one.costUsd);
  const hits = warmed.filter((one) => one.isHit).length;
  const middleMs = (fromMs + untilMs) / 2;
  const clairvoyantUsd = worth((coldStarts + hits) * bootSec);
  const netUsd = net(warmed);
  const savedSec = sum(warmed, (one) => one.savedSec);
  return {
    fromMs,
    untilMs,
    warmed,
    hits,
    misses: warmed.length - hits,
    savedSec,
    savedUsd: worth(savedSec),
    costUsd: sum(warmed, (one) => one.costUsd),
    netUsd,
    lateNetUsd: net(warmed.filter((one) => one.wakeMs >= middleMs)),
    coldStarts,
    clairvoyantUsd,
    regretUsd: clairvoyantUsd - netUsd,
  };
}

interface Warm {
  readonly wakeMs: number;
  readonly readyAtMs: number;
  readonly holdSec: number;
  readonly usdPerHour: number;
}

class Machine {
  readonly warmed: Warmed[] = [];
  coldStarts = 0;
  readonly #input: ReplayInput;
  #nowMs = -Infinity;
  #next = 0;
  #busyUntilMs = -Infinity;
  /** Warm, and no deck has come yet. */
  #warm: Warm | null = null;
  #misses = 0;
  #lastMissMs: number | null = null;

  constructor(input: ReplayInput) {
    this.#input = input;
  }

  get isAwake(): boolean {
    return this.#warm !== null || this.#nowMs < this.#asleepAtMs;
  }

  get isHeldBack(): boolean {
    return this.#nowMs < (heldBackUntilMs(this.#misses, this.#lastMissMs) ?? -Infinity);
  }

  get #asleepAtMs(): number {
    return this.#busyUntilMs + this.#input.terms.sleepsAfterSec * 1000;
  }

  warm(warm: Warm): void {
    this.#warm = warm;
  }

  /** Lets time pass, with the decks that arrive before its end. */
  runUntil(atMs: number): void {
    const { arrivals } = this.#input;
    for (
      let arrival = arrivals[this.#next];
      arrival !== undefined && arrival.atMs < atMs;
      arrival = arrivals[this.#next]
    ) {
      this.#next += 1;
      this.#pass(arrival.atMs);
      this.#serve(arrival);
    }
    this.#pass(atMs);
  }

  #pass(atMs: number): void {
    const { terms } = this.#input;
    this.#nowMs = Math.max(this.#nowMs, atMs);
    if (this.#warm === null || this.#nowMs < this.#warm.readyAtMs + this.#warm.holdSec * 1000) return;
    const { wakeMs, holdSec, usdPerHour } = this.#warm;
    this.warmed.push({ wakeMs, isHit: false, savedSec: 0, costUsd: (missSec(terms, holdSec) / 3600) * usdPerHour });
    this.#misses += 1;
    this.#lastMissMs = wakeMs;
    this.#warm = null;
  }

  #serve({ atMs, decks, slides }: Arrival): void {
    const { terms, slideSec, deckSec, fromMs } = this.#input;
    const workMs = (slides * slideSec + decks * deckSec) * 1000;
    if (this.#warm !== null) {
      const { wakeMs, readyAtMs, usdPerHour } = this.#warm;
      const idleSec = Math.max(0, atMs - readyAtMs) / 1000;
      const savedSec = Math.min(terms.bootSec, (atMs - wakeMs) / 1000);
      this.warmed.push({ wakeMs, isHit: true, savedSec, costUsd: (idleSec / 3600) * usdPerHour });
      this.#misses = 0;
      this.#warm = null;
      this.#busyUntilMs = Math.max(atMs, readyAtMs) + workMs;
      return;
    }
    if (atMs < this.#asleepAtMs) {
      this.#busyUntilMs = Math.max(this.#busyUntilMs, atMs) + workMs;
      return;
    }
    if (atMs >= fromMs + LEAST_HISTORY_MS) this.coldStarts += 1;
    this.#busyUntilMs = atMs + terms.bootSec * 1000 + workMs;
  }
}

/** Questions of a usual template. */
const QUESTIONS = 34;

/** Machine time of a slide and of a deck beside its slides, on a machine of these classes whose places are all in use; seconds. */
export function machineSeconds(
  classes: readonly GpuClass[],
  slots: number,
): { readonly slideSec: number; readonly deckSec: number } {
  const own = MODEL_TASK_NAMES.map((task) => MODEL_TASKS[task]).filter(
    ({ gpuClass, step }) => classes.includes(gpuClass) && step !== 'condensation',
  );
  const sum = (subject: (typeof own)[number]['subject']): number =>
    own.filter((task) => task.subject === subject).reduce((total, task) => total + task.expectedSeconds, 0);
  return { slideSec: sum('slide') / slots, deckSec: (sum('deck') + QUESTIONS * sum('question')) / slots };
}
