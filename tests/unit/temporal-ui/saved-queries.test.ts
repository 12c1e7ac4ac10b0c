/** docs/operations.md against the code: every saved query stands there as the command prints it. */
import { readFileSync } from 'node:fs';
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
  const query = SAVED_QUERIES.find((q) => q.about === 'tenant');
  expect(query?.query({ ...values, tenant: "a' OR Tenant != 'b" })).toContain(String.raw`'a\' OR Tenant != \'b'`);
});

it('a saved query is a link of the UI', () =>
  expect(queryLink('http://127.0.0.1:8233', 'default', "Pool = 'a b'")).toBe(
    "http://127.0.0.1:8233/namespaces/default/workflows?query=Pool%20%3D%20'a%20b'",
  ));
