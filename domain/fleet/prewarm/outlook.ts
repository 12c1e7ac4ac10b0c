/**
 * What a pool goes by when it warms instances ahead of decks: whether the replay of the last weeks says that it pays, and the times of the next
 * hours at which it does. Plain JSON: the pool's workflow remembers it.
 */
import { counted, durationWords, usdText } from '../../text/words.ts';
import { learnArrivals } from './forecast.ts';
import { heldBackUntilMs, missesInARow } from './hold-back.ts';
import { hasPaid, LEAST_HISTORY_MS, priceAt, replayWarming, type Replay, type ReplayInput } from './replay.ts';
import { judgeWarming } from './rule.ts';
import { QUARTER_MS, quarterOfWeekIn, quarterStart } from './week.ts';

/** Times this far ahead are judged: an outlook is made every hour, and one may be missed. */
const AHEAD_MS = 2 * 3_600_000;

export const OUTLOOK_VERDICTS = [
  /** Instances are warmed. */
  'pays',
  /** Over the last weeks warming would have cost more than it saved, or would not have been done. */
  'does_not_pay',
  'too_little_history',
  /** Nothing was rented yet, so no price is known. */
  'no_price',
] as const;
export type OutlookVerdict = (typeof OUTLOOK_VERDICTS)[number];

/** A time at which an instance is worth being ready. */
export interface WarmWindow {
  /** When it is woken or created. */
  readonly wakeAtMs: number;
  readonly readyAtMs: number;
  /** Until then it is kept; its sleep policy may keep it for longer. */
  readonly keptUntilMs: number;
  /** Probability that a deck comes while it is warm. */
  readonly chance: number;
  /** What it is expected to gain, USD. */
  readonly gainUsd: number;
}

export interface Outlook {
  readonly madeAtMs: number;
  readonly verdict: OutlookVerdict;
  /** Why, as a sentence for people. */
  readonly words: string;
  readonly windows: readonly WarmWindow[];
}

/** What an outlook is made from. */
export interface OutlookInput extends ReplayInput {
  readonly nowMs: number;
  /** Instances that were really warmed lately, in order of time. `isHit`: null = not decided yet. */
  readonly warmedLately: readonly { readonly atMs: number; readonly isHit: boolean | null }[];
}

/** An outlook with the replay that it goes by; null = there was nothing to replay. */
export interface JudgedOutlook {
  readonly outlook: Outlook;
  readonly replay: Replay | null;
}

export function outlookOf(input: OutlookInput): JudgedOutlook {
  const { fromMs, untilMs, nowMs, prices, terms, warmedLately } = input;
  const none = (verdict: OutlookVerdict, words: string, replay: Replay | null = null): JudgedOutlook => ({
    outlook: { madeAtMs: nowMs, verdict, words, windows: [] },
    replay,
  });
  if (untilMs - fromMs < LEAST_HISTORY_MS * 1.5)
    return none('too_little_history', 'Pre-warm waits: too little history; it begins after three weeks of decks.');
  const usdPerHour = priceAt(prices, nowMs);
  if (usdPerHour === null)
    return none('no_price', 'Pre-warm waits: no machine was rented lately, so its price is not known.');
  const replay = replayWarming(input);
  if (!hasPaid(replay)) return none('does_not_pay', `Pre-warm does not pay. ${replayWords(replay)}`, replay);
  const last = warmedLately.at(-1)?.atMs ?? null;
  const heldMs = heldBackUntilMs(missesInARow(warmedLately.map(({ isHit }) => isHit)), last) ?? nowMs;
  const forecast = learnArrivals(input.arrivals, fromMs, untilMs, quarterOfWeekIn(input.timezone));
  const windows: WarmWindow[] = [];
  for (let readyAtMs = quarterStart(nowMs) + QUARTER_MS; readyAtMs <= nowMs + AHEAD_MS; readyAtMs += QUARTER_MS) {
    const wakeAtMs = readyAtMs - terms.bootSec * 1000;
    const { chance, gainUsd, holdSec } = judgeWarming(forecast, readyAtMs, usdPerHour, terms);
    if (gainUsd <= 0 || wakeAtMs < heldMs) continue;
    const keptUntilMs = holdSec > terms.sleepsAfterSec ? readyAtMs + holdSec * 1000 : readyAtMs;
    windows.push({ wakeAtMs, readyAtMs, keptUntilMs, chance, gainUsd });
  }
  const held = heldMs > nowMs ? ` Held back until ${new Date(heldMs).toISOString()} after misses.` : '';
  return {
    outlook: { madeAtMs: nowMs, verdict: 'pays', words: `Pre-warm pays. ${replayWords(replay)}${held}`, windows },
    replay,
  };
}

/** A replay in a sentence. */
export function replayWords(replay: Replay): string {
  const weeks = counted(Math.round((replay.untilMs - replay.fromMs) / (7 * 86_400_000)), 'week');
  if (replay.warmed.length === 0) return `Over the last ${weeks} no time was worth warming for.`;
  const { warmed, hits, savedSec, costUsd, netUsd } = replay;
  return `Over the last ${weeks} it would have warmed ${counted(warmed.length, 'time')}, ${hits} of them for a deck, saved ${durationWords(savedSec * 1000)} of waiting and cost ${usdText(costUsd)}: ${usdText(netUsd)} gained.`;
}
