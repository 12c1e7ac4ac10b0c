/**
 * Rules of notifications: which events there are, what an answer to a delivery means, and when the next try is due.
 */

/** Events of a tenant: the ends of its analyses. */
export const ANALYSIS_EVENTS = ['analysis.completed', 'analysis.completed_with_gaps', 'analysis.failed'] as const;
export type AnalysisEvent = (typeof ANALYSIS_EVENTS)[number];

/** When an alert begins and when it is over. */
export const ALERT_EVENTS = ['alert.raised', 'alert.cleared'] as const;
export type AlertEvent = (typeof ALERT_EVENTS)[number];

/** A cost report is there, of the installation or of a tenant. */
export const REPORT_EVENT = 'cost_report.ready';

/** Events of the installation: sent only to webhooks that name them. */
export const INSTALLATION_EVENTS = [...ALERT_EVENTS, REPORT_EVENT] as const;

/** Everything a webhook can ask for. */
export const WEBHOOK_EVENTS = [...ANALYSIS_EVENTS, ...INSTALLATION_EVENTS] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** Sent on request; no webhook subscribes to it. */
export const TEST_EVENT = 'test';

/** The event of a final state; null for a cancelled run, which is no event. */
export function eventOfStatus(
  status: 'completed' | 'completed_with_gaps' | 'failed' | 'cancelled',
): AnalysisEvent | null {
  return status === 'cancelled' ? null : `analysis.${status}`;
}

/** True when a webhook wants an event. @param events those it asked for; empty = the ends of analyses, never what concerns the installation */
export function wantsEvent(events: readonly string[], event: WebhookEvent): boolean {
  return events.length === 0 ? ANALYSIS_EVENTS.some((end) => end === event) : events.includes(event);
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Waits after the first, second … try that failed: close together at first, eleven tries over about a day. */
const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  8 * HOUR_MS,
  8 * HOUR_MS,
];

/** No receiver is waited for longer than this, whatever it asks for. */
const LONGEST_WAIT_MS = 8 * HOUR_MS;
/** Share of a wait that is added at random, so that deliveries to a receiver that comes back do not arrive all at once. */
const JITTER_SHARE = 0.1;

/** Longest time between two tries of one delivery; a delivery that waits longer is not being tried. */
export const LONGEST_RETRY_GAP_MS = LONGEST_WAIT_MS * (1 + JITTER_SHARE);

/**
 * Time until the next try.
 *
 * @param tries tries so far, at least 1
 * @param retryAfterMs what the receiver asked for, or null; a shorter wait than ours is granted as well
 * @param random 0 ≤ random < 1
 * @returns null when it was the last try
 */
export function retryDelayMs(tries: number, retryAfterMs: number | null, random: number): number | null {
  const usualMs = RETRY_DELAYS_MS[tries - 1];
  if (usualMs === undefined) return null;
  const asked = retryAfterMs ?? usualMs;
  const waitMs = Math.min(Math.max(asked, SECOND_MS), LONGEST_WAIT_MS);
  return Math.round(waitMs * (1 + JITTER_SHARE * random));
}

/** What an answer means: `taken`; `refused` for good; `gone`: refused, and nothing more is to be sent there; `later`: try again. */
export type Verdict = 'taken' | 'refused' | 'gone' | 'later';

/** Client errors that say "not now" rather than "never". */
const TRY_AGAIN_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);

/** Judges the HTTP status of a receiver. */
export function judgeStatus(status: number): Verdict {
  if (status >= 200 && status < 300) return 'taken';
  if (status === 410) return 'gone';
  if (status >= 400 && status < 500 && !TRY_AGAIN_STATUSES.has(status)) return 'refused';
  return 'later';
}

/** An analysis at its end. */
export interface EndedAnalysis {
  readonly tenantId: string;
  readonly analysisId: string;
  readonly deckId: string;
  readonly fileName: string;
  readonly taskType: string | null;
  readonly overallScore: number | null;
  readonly scoredQuestions: number;
  readonly askedQuestions: number;
  readonly gaps: number;
  readonly failureCode: string | null;
  readonly finishedAt: Date | null;
  readonly reportUrl: string;
}

/** Body of a delivery: type, time of the event and data, as Standard Webhooks recommends. Ids, figures and the file's name, never what stands in the deck. */
export interface WebhookPayload {
  readonly type: string;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly data: Readonly<Record<string, string | number | boolean | null>>;
}

/** The body of an analysis event. Equal events give equal bytes, whichever try it is. */
export function analysisPayload(event: AnalysisEvent, at: Date, ended: EndedAnalysis): WebhookPayload {
  const { finishedAt, ...data } = ended;
  return {
    type: event,
    timestamp: at.toISOString(),
    data: {
      ...data,
      // The state of the event; the analysis may have another one by now.
      status: event.slice('analysis.'.length),
      finishedAt: finishedAt?.toISOString() ?? null,
    },
  };
}

/** An alert as it was raised, whatever changed in its rule since. */
export interface ToldAlert {
  readonly alertId: string;
  readonly rule: string;
  readonly title: string;
  readonly subject: string;
  readonly severity: string;
  readonly message: string;
  readonly advice: string;
  readonly value: number;
  readonly raisedAt: Date;
  readonly clearedAt: Date | null;
}

/** The body of a raised or cleared alert. */
export function alertPayload(event: AlertEvent, at: Date, told: ToldAlert): WebhookPayload {
  const clearedAt = event === 'alert.cleared' ? (told.clearedAt?.toISOString() ?? null) : null;
  return {
    type: event,
    timestamp: at.toISOString(),
    data: { ...told, raisedAt: told.raisedAt.toISOString(), clearedAt },
  };
}

/** A cost report at its event. */
export interface ToldReport {
  readonly costReportId: string;
  readonly kind: string;
  readonly period: string;
  /** A tenant, or * for the installation. */
  readonly scope: string;
  readonly from: Date;
  readonly until: Date;
  readonly timezone: string;
  readonly currency: string;
  /** Exact decimal. */
  readonly totalUsd: string;
  /** False for one that lacks something after all tries: the report says what. */
  readonly complete: boolean;
  readonly reportUrl: string;
}

/** The body of a cost report event. */
export function reportPayload(at: Date, { from, until, ...told }: ToldReport): WebhookPayload {
  return {
    type: REPORT_EVENT,
    timestamp: at.toISOString(),
    data: { ...told, from: from.toISOString(), until: until.toISOString() },
  };
}

/** The body of a test. */
export function testPayload(at: Date, webhookId: string): WebhookPayload {
  return {
    type: TEST_EVENT,
    timestamp: at.toISOString(),
    data: { webhookId, message: 'A test of this webhook by Deckhand. Nothing has happened.' },
  };
}
