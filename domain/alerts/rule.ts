/**
 * An alert rule, as data: which metric, when an alert is raised and when it is over. Pure, with its rules of validity.
 */
import { DeckhandError } from '../errors.ts';
import { ALERT_METRIC_NAMES, alertMetricOf } from '../metrics/catalogue.ts';

/** Id of the rule for messages of instances to the operator. */
export const OPERATOR_TOLD_RULE = 'operator-told';

export const SEVERITIES = ['info', 'warning', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Which side of the threshold is the bad one. At the threshold counts as beyond it. */
export const COMPARISONS = ['above', 'below'] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** Longest window a metric is taken over, s: a quarter. */
export const LONGEST_WINDOW_SEC = 92 * 24 * 3600;

/** Largest threshold, above and below zero: far beyond what any metric reads, and a number that a database takes. */
export const LARGEST_THRESHOLD = 1e12;

/** When a rule raises and clears. */
export interface Thresholds {
  readonly comparison: Comparison;
  /** Raised at this value or beyond it … */
  readonly raiseAt: number;
  /** … cleared only on the good side of this one. Between the two nothing changes. */
  readonly clearAt: number;
  /** How long the value has to stay beyond `raiseAt`. */
  readonly raiseForSec: number;
  /** How long the value has to stay on the good side of `clearAt`. */
  readonly clearForSec: number;
}

/** One rule. */
export interface AlertRule extends Thresholds {
  /** Such as `failure-rate`. */
  readonly id: string;
  readonly title: string;
  /** One of ALERT_METRIC_NAMES; a database of a later version may hold others. */
  readonly metric: string;
  /** Time the metric is taken over, where it is. */
  readonly windowSec: number;
  readonly severity: Severity;
  /** What to do about it. */
  readonly advice: string;
  readonly enabled: boolean;
}

/**
 * Checks what the type of a column does not say.
 *
 * @throws DeckhandError `invalid_request` that names the field and what it should be
 */
export function checkRule(rule: AlertRule): void {
  const refuse = (field: string, why: string): never => {
    throw new DeckhandError('invalid_request', `rule ${rule.id}: ${field} ${why}`, {
      userMessage: `${field}: ${why}`,
      hint: 'The rules and their metrics are listed by: deckhand alerts rules',
    });
  };
  if (alertMetricOf(rule.metric) === undefined) {
    refuse('metric', `"${rule.metric}" is not known; there are ${ALERT_METRIC_NAMES.join(', ')}`);
  }
  for (const field of ['raiseAt', 'clearAt'] as const) {
    // Also what is no number at all.
    if (!(Math.abs(rule[field]) <= LARGEST_THRESHOLD)) {
      refuse(field, `is not a number from -${LARGEST_THRESHOLD} to ${LARGEST_THRESHOLD}`);
    }
  }
  for (const field of ['raiseForSec', 'clearForSec'] as const) {
    if (!Number.isInteger(rule[field]) || rule[field] < 0) refuse(field, 'is not a whole number of seconds from 0');
  }
  if (!Number.isInteger(rule.windowSec) || rule.windowSec < 1 || rule.windowSec > LONGEST_WINDOW_SEC) {
    refuse('windowSec', `is not a whole number of seconds from 1 to ${LONGEST_WINDOW_SEC}`);
  }
  const { comparison, raiseAt, clearAt } = rule;
  if (comparison === 'above' && clearAt > raiseAt) {
    refuse(
      'clearAt',
      `${clearAt} is beyond raiseAt ${raiseAt}: an alert that is raised above is cleared at or below that`,
    );
  }
  if (comparison === 'below' && clearAt < raiseAt) {
    refuse(
      'clearAt',
      `${clearAt} is beyond raiseAt ${raiseAt}: an alert that is raised below is cleared at or above that`,
    );
  }
  if (rule.title.trim() === '') refuse('title', 'is empty');
}
