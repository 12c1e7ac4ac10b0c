/**
 * The targets Deckhand is held to, and whether a period met them. Pure: figures in, verdicts out.
 *
 * - *Wait*: from the start of an analysis until its first model call had its place. An analysis whose first call is still to come counts with its
 *   wait so far; one that needed no call, or was cancelled before its first, does not wait for anything and is left out.
 * - *Done*: from the start of an analysis until its end: the wait for the whole review.
 * - *Success* of calls: those with a stored answer among those that ended; answers that were there already are left out. Of analyses: those that
 *   ended with a review among all that ended, but for those that were cancelled and for files that cannot be reviewed.
 * - *Instance failure*: rented machines that never served though they were to, or had to be repaired or replaced, among all rented.
 * - *Start*: of a woken machine from the order to wake until it is ready; *provisioning*: of a new one from its first order until it is ready.
 * - *Scaling response*: from the newest request of a review until a pool begins or wakes a machine for it.
 * - *Availability*: looks at serving machines that were answered, among all.
 * - *Saving*: what renting only while there is work saved of what the same machines would have cost all the time, as in the cost report.
 * - *Cost per document*: what the ledger attributes to calls on slides (the vision pass), and the whole bill, by the documents reviewed.
 */
import type { Decimal } from 'decimal.js';

/** Every target there is. */
export const TARGET_NAMES = [
  'wait_mean',
  'wait_within_10_min',
  'done_within_sla',
  'call_success',
  'analysis_success',
  'instance_failure',
  'machine_start',
  'provisioning',
  'scaling_response',
  'availability',
  'cost_per_month',
  'cost_per_document_vision',
  'cost_per_document_total',
  'saving',
] as const;
export type TargetName = (typeof TARGET_NAMES)[number];

/** What a figure is counted in. */
export type TargetUnit = 'seconds' | 'ratio' | 'usd';

/** Limits that operators can configure. */
export interface TargetSettings {
  readonly monthlyUsd: number;
  readonly perDocumentUsd: number;
  /** Within this time a document is to be done. */
  readonly slaMs: number;
}

/** What a period is judged by. */
export interface TargetFacts {
  readonly waits: { readonly count: number; readonly meanSeconds: number; readonly within10Min: number };
  /** Analyses that ended and were not cancelled; `withinSla` of them ended in time. */
  readonly done: { readonly count: number; readonly withinSla: number };
  readonly calls: { readonly ended: number; readonly stored: number };
  readonly analyses: { readonly ended: number; readonly reviewed: number };
  readonly machines: { readonly rented: number; readonly failed: number };
  readonly wakes: { readonly count: number; readonly meanSeconds: number };
  readonly boots: { readonly count: number; readonly meanSeconds: number };
  readonly responses: { readonly count: number; readonly meanSeconds: number };
  readonly looks: { readonly count: number; readonly answered: number };
  /** `share` null = nothing was rented that could have run all the time. */
  readonly saving: { readonly rentals: number; readonly share: number | null };
  /** Settled in the period; `documents` had a part in it. */
  readonly costs: {
    readonly totalUsd: Decimal;
    readonly visionUsd: Decimal;
    readonly visionDocuments: number;
    readonly documents: number;
    /** Rentals that had a part in the period; 0 = nothing was rented, which costs nothing. */
    readonly entries: number;
  };
}

/** A limit: `below` = less than it, `at_least` = it or more. Null = a figure without a limit. */
export interface TargetLimit {
  readonly comparison: 'below' | 'above' | 'at_least';
  readonly value: number;
}

export type TargetState = 'met' | 'not_met' | 'no_data' | 'told';

/** One target over a period. */
export interface TargetVerdict {
  readonly target: TargetName;
  readonly title: string;
  readonly unit: TargetUnit;
  /** Null without data. */
  readonly value: number | null;
  readonly limit: TargetLimit | null;
  readonly state: TargetState;
  /** How many waits, calls, machines … the figure is made of. */
  readonly samples: number;
  readonly sampleOf: string;
}

const WAIT_MEAN_SECONDS = 300;
const SHARE_IN_TIME = 0.95;
const SUCCESS_ABOVE = 0.99;
const FAILURE_BELOW = 0.01;
const MACHINE_START_SECONDS = 120;
const PROVISIONING_SECONDS = 300;
const RESPONSE_SECONDS = 120;
const AVAILABILITY = 0.995;
/** The least of the 30 to 70 % that are expected. */
const SAVING = 0.3;
/** Days of a mean month. */
const MONTH_DAYS = 30.4375;
const DAY_MS = 86_400_000;
/** No calendar month is longer; a longer period is reported per month. */
const LONGEST_MONTH_DAYS = 31.1;

/** Judges a period. @param span from its first instant until before its last, ms since 1970 */
export function judgeTargets(
  facts: TargetFacts,
  settings: TargetSettings,
  span: { readonly fromMs: number; readonly untilMs: number },
): TargetVerdict[] {
  const { waits, done, calls, analyses, machines, wakes, boots, responses, looks, costs, saving } = facts;
  const days = (span.untilMs - span.fromMs) / DAY_MS;
  const perMonth = days <= LONGEST_MONTH_DAYS ? costs.totalUsd : costs.totalUsd.times(MONTH_DAYS).dividedBy(days);
  const slaMinutes = Math.round(settings.slaMs / 6000) / 10;
  return [
    verdict('wait_mean', 'mean wait for the first call', meanBelow(waits, WAIT_MEAN_SECONDS, 'waits')),
    verdict(
      'wait_within_10_min',
      'waits of 10 minutes at most',
      shareOf(waits.within10Min, waits.count, atLeast(SHARE_IN_TIME), 'waits'),
    ),
    verdict(
      'done_within_sla',
      `analyses done within ${slaMinutes} minutes`,
      shareOf(done.withinSla, done.count, atLeast(SHARE_IN_TIME), 'analyses'),
    ),
    verdict(
      'call_success',
      'model calls with an answer',
      shareOf(calls.stored, calls.ended, above(SUCCESS_ABOVE), 'calls'),
    ),
    verdict(
      'analysis_success',
      'analyses with a review',
      shareOf(analyses.reviewed, analyses.ended, above(SUCCESS_ABOVE), 'analyses'),
    ),
    verdict(
      'instance_failure',
      'rented machines that failed',
      shareOf(machines.failed, machines.rented, below(FAILURE_BELOW), 'machines'),
    ),
    verdict('machine_start', 'mean start of a woken machine', meanBelow(wakes, MACHINE_START_SECONDS, 'wakes')),
    verdict('provisioning', 'mean start of a new machine', meanBelow(boots, PROVISIONING_SECONDS, 'machines')),
    verdict(
      'scaling_response',
      'mean time from a request to a machine',
      meanBelow(responses, RESPONSE_SECONDS, 'orders'),
    ),
    verdict(
      'availability',
      'looks that machines answered',
      shareOf(looks.answered, looks.count, atLeast(AVAILABILITY), 'looks'),
    ),
    verdict('cost_per_month', days <= LONGEST_MONTH_DAYS ? 'cost of the period' : 'cost per month', {
      unit: 'usd',
      value: costs.entries === 0 ? null : perMonth.toNumber(),
      limit: below(settings.monthlyUsd),
      samples: costs.entries,
      sampleOf: 'rentals',
    }),
    verdict(
      'cost_per_document_vision',
      'cost of the vision pass per document',
      perDocument(costs.visionUsd, costs.visionDocuments, below(settings.perDocumentUsd)),
    ),
    verdict('cost_per_document_total', 'whole bill per document', perDocument(costs.totalUsd, costs.documents, null)),
    verdict('saving', 'saved against running all the time', {
      unit: 'ratio',
      value: saving.share,
      limit: atLeast(SAVING),
      samples: saving.share === null ? 0 : saving.rentals,
      sampleOf: 'rentals',
    }),
  ];
}

type Figure = Pick<TargetVerdict, 'unit' | 'value' | 'limit' | 'samples' | 'sampleOf'>;

const meanBelow = ({ count, meanSeconds }: TargetFacts['wakes'], seconds: number, sampleOf: string): Figure => ({
  unit: 'seconds',
  value: count === 0 ? null : meanSeconds,
  limit: below(seconds),
  samples: count,
  sampleOf,
});

const shareOf = (part: number, whole: number, limit: TargetLimit, sampleOf: string): Figure => ({
  unit: 'ratio',
  value: whole === 0 ? null : part / whole,
  limit,
  samples: whole,
  sampleOf,
});

const perDocument = (usd: Decimal, documents: number, limit: TargetLimit | null): Figure => ({
  unit: 'usd',
  value: documents === 0 ? null : usd.dividedBy(documents).toNumber(),
  limit,
  samples: documents,
  sampleOf: 'documents',
});

const below = (value: number): TargetLimit => ({ comparison: 'below', value });
const above = (value: number): TargetLimit => ({ comparison: 'above', value });
const atLeast = (value: number): TargetLimit => ({ comparison: 'at_least', value });

const verdict = (target: TargetName, title: string, figure: Figure): TargetVerdict => ({
  target,
  title,
  ...figure,
  state: stateOf(figure.value, figure.limit),
});

function stateOf(value: number | null, limit: TargetLimit | null): TargetState {
  if (value === null) return 'no_data';
  if (limit === null) return 'told';
  return isMet(value, limit) ? 'met' : 'not_met';
}

function isMet(value: number, { comparison, value: limit }: TargetLimit): boolean {
  switch (comparison) {
    case 'below':
      return value < limit;
    case 'above':
      return value > limit;
    case 'at_least':
      return value >= limit;
  }
}
