/**
 * Questions of operators about all runs, as queries of Temporal's search. Pure text.
 */

/** Values that queries can contain. */
export interface QueryValues {
  readonly now: Date;
  readonly tenant: string;
  readonly deckId: string;
  readonly pool: string;
}

/** One question with its query. */
export interface SavedQuery {
  /** Short, for the command line. */
  readonly name: string;
  readonly question: string;
  readonly query: (values: QueryValues) => string;
}

const HOUR_MS = 3_600_000;

const midnight = (now: Date): string => `${now.toISOString().slice(0, 10)}T00:00:00Z`;
const hoursAgo = (now: Date, hours: number): string =>
  `${new Date(now.getTime() - hours * HOUR_MS).toISOString().slice(0, 19)}Z`;
/** A text as a quoted string of a query; quotes within it are escaped. */
const quoted = (value: string): string => `'${value.replaceAll(/['\\]/gu, String.raw`\$&`)}'`;

export const SAVED_QUERIES: readonly SavedQuery[] = [
  {
    name: 'failed-today',
    question: 'Which reviews failed today?',
    query: ({ now }) =>
      `WorkflowType = 'deckAnalysis' AND ExecutionStatus IN ('Failed', 'TimedOut', 'Terminated') AND CloseTime >= '${midnight(now)}'`,
  },
  {
    name: 'gaps-today',
    question: 'Which reviews ended with gaps today?',
    query: ({ now }) => `DeckStatus = 'completed_with_gaps' AND CloseTime >= '${midnight(now)}'`,
  },
  {
    name: 'waiting',
    question: 'Which reviews wait for capacity?',
    query: () => "ExecutionStatus = 'Running' AND DeckStatus = 'waiting_for_capacity'",
  },
  {
    name: 'paused',
    question: 'Which reviews does an operator hold?',
    query: () => "ExecutionStatus = 'Running' AND DeckStatus = 'paused'",
  },
  {
    name: 'long-running',
    question: 'Which reviews have been running for more than an hour?',
    query: ({ now }) =>
      `WorkflowType = 'deckAnalysis' AND ExecutionStatus = 'Running' AND StartTime < '${hoursAgo(now, 1)}'`,
  },
  {
    name: 'stuck',
    question: 'Which reviews say that they move and have not ended for six hours?',
    query: ({ now }) => `ExecutionStatus = 'Running' AND DeckStatus = 'running' AND StartTime < '${hoursAgo(now, 6)}'`,
  },
  {
    name: 'scoring',
    question: 'Which reviews are being scored now?',
    query: () => "ExecutionStatus = 'Running' AND Stage = 'scoring'",
  },
  {
    name: 'by-template',
    question: 'Which reviews used the Seven-Chapter review, in any version?',
    query: () => "Template STARTS_WITH 'seven_chapter_review@'",
  },
  {
    name: 'by-tenant',
    question: 'Which reviews are those of a tenant?',
    query: ({ tenant }) => `WorkflowType = 'deckAnalysis' AND Tenant = ${quoted(tenant)}`,
  },
  {
    name: 'of-deck',
    question: 'Which runs were made over a deck?',
    query: ({ deckId }) => `DeckId = ${quoted(deckId)}`,
  },
  {
    name: 'of-pool',
    question: 'Which lives had the instances of a pool?',
    query: ({ pool }) => `WorkflowType = 'instanceLife' AND Pool = ${quoted(pool)}`,
  },
  {
    name: 'pools',
    question: 'Which pools and instances run?',
    query: () => "ExecutionStatus = 'Running' AND WorkflowType IN ('pool', 'instanceLife')",
  },
];

/** Page of the Temporal UI that shows what a query finds. */
export const queryLink = (uiUrl: string, namespace: string, query: string): string =>
  `${uiUrl}/namespaces/${encodeURIComponent(namespace)}/workflows?query=${encodeURIComponent(query)}`;
