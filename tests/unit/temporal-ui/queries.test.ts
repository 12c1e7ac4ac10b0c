/** Saved queries of docs/operations.md and sources of workflows against the code. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { queryLink, SAVED_QUERIES } from '../../../domain/temporal/saved-queries.ts';
import { DECK_STATUSES, SEARCH_ATTRIBUTES } from '../../../domain/temporal/search-attributes.ts';

const text = readFileSync(path.resolve(import.meta.dirname, '../../../docs/operations.md'), 'utf8');
const values = { now: new Date('2026-11-20T12:00:00Z'), tenant: 'TENANT', deckId: 'DECK', pool: 'POOL' };

it.each(SAVED_QUERIES.map((q) => [q.name, q] as const))(
  'docs/operations.md has the query %s',
  (_, { name, question, query }) => expect(text).toContain(`| \`${name}\` | ${question} | \`${query(values)}\` |`),
);

it.each(SEARCH_ATTRIBUTES)('docs/operations.md describes the search attribute %s', (name) =>
  expect(text).toContain(`\`${name}\``),
);

it.each(DECK_STATUSES)('docs/operations.md describes the status %s', (status) =>
  expect(text).toContain(`\`${status}\``),
);

it('a saved query lets no value end its quotes', () => {
  const query = SAVED_QUERIES.find((q) => q.name === 'by-tenant');
  expect(query?.query({ ...values, tenant: "a' OR Tenant != 'b" })).toContain(String.raw`'a\' OR Tenant != \'b'`);
});

it('a saved query is a link of the UI', () =>
  expect(queryLink('http://127.0.0.1:8233', 'default', "Pool = 'a b'")).toBe(
    "http://127.0.0.1:8233/namespaces/default/workflows?query=Pool%20%3D%20'a%20b'",
  ));

// No timer without a line that says what it waits for: checked over the sources, because a timer is made at every await of a wait with a
// time. The compiler checks activities (workflows/temporal-ui/activity-summaries.ts), and tests/e2e/temporal-details.deep.test.ts real histories.
const root = path.resolve(import.meta.dirname, '../../../workflows');

/** Arguments of the call that opens at `start`, split at the commas of its own level. */
function argumentsAt(source: string, start: number): string[] {
  const found: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let at = start; at < source.length; at++) {
    const c = source.charAt(at);
    if ('([{'.includes(c)) depth++;
    if (')]}'.includes(c)) depth--;
    const isEnd = depth === 0;
    if (isEnd || (c === ',' && depth === 1)) {
      found.push(source.slice(from, at).trim());
      from = at + 1;
    }
    if (isEnd) return found.filter((argument) => argument !== '');
  }
  return found;
}

interface Timer {
  readonly where: string;
  readonly summary: boolean;
}

/** `sleep(ms, options)` and `condition(fn, ms, options)`; a condition without a time makes no timer. */
function timersOf(file: string, source: string): Timer[] {
  return [...source.matchAll(/\b(sleep|condition)\(/gu)].flatMap((match) => {
    const [call = '', name = ''] = match;
    const args = argumentsAt(source, match.index + call.length - 1);
    const options = name === 'sleep' ? 1 : 2;
    if (args.length < options) return [];
    const line = source.slice(0, match.index).split('\n').length;
    return [{ where: `${file}:${line}`, summary: /\bsummary\b/u.test(args[options] ?? '') }];
  });
}

it('timers of workflows are found, with and without a summary', () => {
  expect(timersOf('x.ts', "await sleep(5, { summary: 'x' }); await condition(() => f(1, 2), 7);")).toEqual([
    { where: 'x.ts:1', summary: true },
    { where: 'x.ts:1', summary: false },
  ]);
  expect(timersOf('x.ts', 'await condition(() => a && b(c, d));')).toEqual([]);
});

it('timers of workflows all say what they wait for', () => {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const timers = files.flatMap((file) => timersOf(file, readFileSync(path.join(root, file), 'utf8')));
  expect(timers.length).toBeGreaterThan(5);
  expect(timers.filter((timer) => !timer.summary).map((timer) => timer.where)).toEqual([]);
});
