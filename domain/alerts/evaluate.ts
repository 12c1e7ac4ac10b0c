/**
 * When alerts are raised and cleared: one rule, first for one subject, then for a round over all of them. Pure.
 *
 * An alert begins when the value has been beyond `raiseAt` for `raiseForSec` and ends when it has been on the good side of `clearAt` for
 * `clearForSec`; in between nothing changes, so a value that wavers makes one alert.
 */
import type { AlertRule, Thresholds } from './rule.ts';

/** What a metric says of one subject now. */
export interface Reading {
  readonly subject: string;
  readonly value: number;
  /** The same for people, as a complete sentence. Never anything of a deck. */
  readonly message: string;
}

/** State of a rule for one subject, between rounds. */
export interface Condition {
  readonly subject: string;
  readonly value: number;
  /** Since when the value has been beyond the threshold that matters now: `raiseAt` without an open alert, `clearAt` with one. Null = it is not. */
  readonly beyondSinceMs: number | null;
  /** The open alert; null = none. */
  readonly alertId: string | null;
}

/** What one value changes. */
export interface Verdict {
  readonly condition: Condition;
  readonly action: 'raise' | 'clear' | 'nothing';
}

/**
 * Judges one value.
 *
 * @param before where the rule stood; null = the subject is new
 * @param nowMs never used but as a difference; a clock that was set back starts a wait anew
 * @param newId id of an alert that is raised
 */
export function evaluate(
  rule: Thresholds,
  before: Condition | null,
  { subject, value }: Pick<Condition, 'subject' | 'value'>,
  nowMs: number,
  newId: () => string,
): Verdict {
  const alertId = before?.alertId ?? null;
  const isOpen = alertId !== null;
  if (!(isOpen ? isGood(rule, value) : isBad(rule, value))) {
    return { condition: { subject, value, beyondSinceMs: null, alertId }, action: 'nothing' };
  }
  const beyondSinceMs = Math.min(before?.beyondSinceMs ?? nowMs, nowMs);
  const lastsMs = nowMs - beyondSinceMs;
  if (lastsMs < (isOpen ? rule.clearForSec : rule.raiseForSec) * 1000) {
    return { condition: { subject, value, beyondSinceMs, alertId }, action: 'nothing' };
  }
  const condition = { subject, value, beyondSinceMs: null, alertId: isOpen ? null : newId() };
  return { condition, action: isOpen ? 'clear' : 'raise' };
}

/** At `raiseAt` or beyond. */
export function isBad({ comparison, raiseAt }: Thresholds, value: number): boolean {
  return comparison === 'above' ? value >= raiseAt : value <= raiseAt;
}

/** On the good side of `clearAt`. Never together with {@link isBad}, because `clearAt` is not beyond `raiseAt`. */
export function isGood({ comparison, clearAt }: Thresholds, value: number): boolean {
  return comparison === 'above' ? value < clearAt : value > clearAt;
}

/** What a round of a rule changes. */
export interface Judgement {
  /** All states of the rule after this round. */
  readonly conditions: readonly Condition[];
  readonly raised: readonly (Reading & { readonly alertId: string })[];
  /** Ids of alerts that are over. */
  readonly cleared: readonly string[];
}

/**
 * Judges a round. What is not read any more has vanished, and an alert on it is over; a rule that is switched off reads nothing.
 *
 * @param readings one for each subject; of several for one the last counts
 */
export function judgeRule(
  rule: AlertRule,
  before: readonly Condition[],
  readings: readonly Reading[],
  nowMs: number,
  newId: () => string,
): Judgement {
  const known = new Map(before.map((condition) => [condition.subject, condition]));
  const bySubject = new Map((rule.enabled ? readings : []).map((reading) => [reading.subject, reading]));
  const raised: (Reading & { readonly alertId: string })[] = [];
  const cleared = before.flatMap(({ subject, alertId }) =>
    alertId === null || bySubject.has(subject) ? [] : [alertId],
  );
  const conditions = [...bySubject.values()].map((reading) => {
    const was = known.get(reading.subject) ?? null;
    const { condition, action } = evaluate(rule, was, reading, nowMs, newId);
    if (action === 'raise' && condition.alertId !== null) raised.push({ ...reading, alertId: condition.alertId });
    const open = was?.alertId ?? null;
    if (action === 'clear' && open !== null) cleared.push(open);
    return condition;
  });
  return { conditions, raised, cleared };
}
