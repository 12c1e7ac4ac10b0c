/**
 * Events of the tenant's stream as a page reads them. Every field is checked, without a library: that of the API is too large for a page. The
 * compiler asks for a check of each field.
 */
import type { DeckEntry, StageProgress, WorkspaceEvent } from '../../domain/decks/list/entry.ts';
import { ATTENTION_REASONS, ENTRY_STATUSES } from '../../domain/decks/list/kinds.ts';
import { STAGES } from '../../domain/decks/stage-graph.ts';
import { DECISIONS } from '../../domain/decks/verdicts/kinds.ts';
import { ROUNDS } from '../../domain/profile/round.ts';
import { DOCUMENT_KINDS } from '../../domain/profile/topics.ts';
import { tryJson } from '../../domain/text/json.ts';

type Check<T> = (value: unknown) => value is T;
type Fields<T> = { readonly [Name in keyof T]: Check<T[Name]> };

const text = (value: unknown) => typeof value === 'string';
const number = (value: unknown) => typeof value === 'number';
const flag = (value: unknown) => typeof value === 'boolean';
const isObject = (value: unknown) => typeof value === 'object' && value !== null;

const oneOf =
  <T extends string>(members: readonly T[]): Check<T> =>
  (value): value is T =>
    members.some((member) => member === value);

const orNull =
  <T>(check: Check<T>): Check<T | null> =>
  (value): value is T | null =>
    value === null || check(value);

const listOf =
  <T>(check: Check<T>): Check<T[]> =>
  (value): value is T[] =>
    Array.isArray(value) && value.every(check);

const recordOf =
  <T>(check: Check<T>): Check<Record<string, T>> =>
  (value): value is Record<string, T> =>
    isObject(value) && !Array.isArray(value) && Object.values(value).every(check);

const shapeOf =
  <T extends object>(fields: Fields<T>): Check<T> =>
  (value): value is T =>
    isObject(value) &&
    Object.entries<(value: unknown) => boolean>(fields).every(([name, check]) => check(Reflect.get(value, name)));

const isEntry = shapeOf<DeckEntry>({
  id: text,
  fileName: text,
  otherNames: listOf(text),
  sha256: text,
  sizeBytes: number,
  slides: orNull(number),
  title: orNull(text),
  hasTextLayer: orNull(flag),
  hazards: listOf(text),
  createdAt: text,
  deletingAt: orNull(text),
  owner: orNull(text),
  company: orNull(shapeOf({ id: orNull(text), name: text })),
  offering: orNull(text),
  sector: orNull(text),
  ask: orNull(shapeOf({ text: orNull(text), amount: orNull(number), currency: orNull(text) })),
  deckDate: orNull(text),
  analysis: orNull(
    shapeOf({
      id: text,
      stage: orNull(oneOf(STAGES)),
      priority: number,
      pausedAt: orNull(text),
      language: text,
      engineKind: orNull(text),
      failure: orNull(shapeOf({ code: text, message: text })),
      startedAt: orNull(text),
      finishedAt: orNull(text),
    }),
  ),
  status: oneOf(ENTRY_STATUSES),
  resultAnalysisId: orNull(text),
  resultEngineKind: orNull(text),
  documentKind: orNull(oneOf(DOCUMENT_KINDS)),
  facts: shapeOf<DeckEntry['facts']>({
    stage: orNull(text),
    round: orNull(oneOf(ROUNDS)),
    customers: orNull(text),
    useOfFunds: orNull(text),
    traction: orNull(text),
    team: orNull(text),
    market: orNull(shapeOf({ text, amount: orNull(number), currency: orNull(text) })),
    competition: orNull(text),
  }),
  evidence: orNull(shapeOf({ found: number, asked: number })),
  rank: orNull(number),
  score: orNull(number),
  machineScore: orNull(number),
  coverage: orNull(number),
  quotes: shapeOf({ verified: number, total: number, answering: number, bearing: number, notJudged: number }),
  answeringShare: orNull(number),
  gaps: number,
  costUsd: orNull(number),
  assignee: orNull(text),
  decision: orNull(oneOf(DECISIONS)),
  tags: listOf(text),
  notes: number,
  attention: listOf(oneOf(ATTENTION_REASONS)),
});
const isGone = shapeOf<{ readonly id: string }>({ id: text });
const isProgress = recordOf(
  shapeOf<StageProgress>({
    stage: oneOf(STAGES),
    done: number,
    total: number,
    failed: number,
    place: orNull(number),
    expectedSeconds: orNull(number),
  }),
);

/** Kinds of events. */
export const EVENT_TYPES = ['deck', 'gone', 'progress'] as const satisfies readonly WorkspaceEvent['type'][];

/**
 * Reads an event.
 *
 * @param json what it carries
 * @returns null for what is no such event, as a later version of the API may send it: it is left out, and the next reading of the list shows it
 */
export function readEvent(type: WorkspaceEvent['type'], id: string, json: string): WorkspaceEvent | null {
  const data = tryJson(json);
  switch (type) {
    case 'deck':
      return isEntry(data) ? { type, id, data } : null;
    case 'gone':
      return isGone(data) ? { type, data } : null;
    case 'progress':
      return isProgress(data) ? { type, data } : null;
  }
}
