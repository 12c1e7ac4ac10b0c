/** Events of the stream as a page reads them: the checks of the page agree with the schema of the API. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { deckEntrySchema, stageProgressSchema } from '../../../../domain/decks/list/entry.ts';
import { assertProperty } from '../../../../testing/property.ts';
import { readEvent } from '../../../../web/live/events.ts';
import { shown } from './entry.ts';

const running = {
  ...shown,
  company: { id: null, name: 'Acme' },
  ask: { text: '2 M€', amount: 2e6, currency: 'EUR' },
  decision: 'meet',
  attention: ['gaps'],
  analysis: {
    id: 'a1',
    stage: 'slides',
    priority: 3,
    pausedAt: null,
    language: 'en',
    engineKind: 'rules',
    failure: { code: 'internal', message: 'x' },
    startedAt: '2026-11-26T10:00:00.000Z',
    finishedAt: null,
  },
};
const progress = { d1: { stage: 'slides', done: 1, total: 3, failed: 0, place: 2, expectedSeconds: 240 } };

/** Ranges and forms of numbers and texts, which a page does not check. */
const UNCHECKED: readonly string[] = ['too_small', 'too_big', 'invalid_format', 'not_multiple_of'];

/** Whether the schema takes it, but for ranges and forms. */
const fits = (schema: z.ZodType, value: unknown): boolean => {
  const { error } = schema.safeParse(value);
  const isForm = (issue: z.core.$ZodIssue): boolean =>
    UNCHECKED.includes(issue.code) || ('expected' in issue && issue.expected === 'int');
  return error === undefined || error.issues.every(isForm);
};

/** The paths of all values in a document. */
const pathsOf = (value: unknown): string[][] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => [[name], ...pathsOf(inner).map((rest) => [name, ...rest])])
    : [];

/** The document with another value at a path; undefined takes it out. */
function withAt(document: unknown, [name = '', ...rest]: readonly string[], value: unknown): unknown {
  const copy = structuredClone(document) as Record<string, unknown>;
  copy[name] = rest.length === 0 ? value : withAt(copy[name], rest, value);
  return copy;
}

const KINDS = [
  { type: 'deck', document: running, schema: deckEntrySchema },
  { type: 'deck', document: shown, schema: deckEntrySchema },
  { type: 'gone', document: { id: 'd1' }, schema: z.object({ id: z.string() }) },
  { type: 'progress', document: progress, schema: z.record(z.string(), stageProgressSchema) },
] as const;

it.each(KINDS)(
  '$type: takes what the schema takes, and nothing else, whatever one value becomes',
  ({ type, document, schema }) => {
    expect(readEvent(type, '7', JSON.stringify(document))).toMatchObject({ type, data: document });
    assertProperty(
      fc.property(
        fc.constantFrom(...pathsOf(document)),
        fc.oneof(fc.jsonValue(), fc.constantFrom(undefined, null, '', 0, [], {}, ['gaps'], ['x', 1])),
        (path, value) => {
          const changed: unknown = JSON.parse(JSON.stringify(withAt(document, path, value)));
          expect(readEvent(type, '7', JSON.stringify(changed)) !== null).toBe(fits(schema, changed));
        },
      ),
    );
  },
);

it('takes no document of another kind, and no text that is not JSON', () => {
  for (const text of ['', '{', 'null', '4', '[]', '"deck"', '[{"id":"d1"}]'])
    for (const { type } of KINDS) expect(readEvent(type, '7', text)).toBeNull();
  expect(readEvent('gone', '', '{}')).toBeNull();
  expect(readEvent('progress', '', '{}')).toEqual({ type: 'progress', data: {} });
});
