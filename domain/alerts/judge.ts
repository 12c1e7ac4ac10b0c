/**
 * One round of one rule over all its subjects. Pure.
 */
import { evaluate, type Condition } from './evaluate.ts';
import type { Reading } from './metrics.ts';
import type { AlertRule } from './rule.ts';

/** What a round of a rule changes. */
export interface Judgement {
  /** Where the rule stands now: these and no others. */
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
