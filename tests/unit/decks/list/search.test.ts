/** What people type into the search, as a query of Postgres. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { searchQuery } from '../../../../domain/decks/list/search.ts';
import { forAll } from '../../../../testing/property.ts';

it.each([
  ['medtech', `'medtech':*`],
  ['Med Tech', `'Med':* & 'Tech':*`],
  ['med-tech_2.0', `'med':* & 'tech':* & '2':* & '0':*`],
  ["O'Neill & Co.", `'O':* & 'Neill':* & 'Co':*`],
  ['invest\u00ADment', `'investment':*`],
  ['ﬁn'.normalize('NFD'), `'fin':*`],
  ['A\u0308rzte', `'Ärzte':*`],
  ['twice twice', `'twice':*`],
  ['हिन्दी', `'हिन्दी':*`],
  ['', null],
  [' "!&|():*<->\\ ', null],
])('a search for %j', (typed, query) => expect(searchQuery(typed)).toBe(query));

it('a search is quoted words of letters and digits alone, whatever was typed, and not too many', async () => {
  const typed = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.string({ unit: 'grapheme', maxLength: 100 }),
  );
  await forAll([typed], { runs: 1000 }, (text) => {
    const query = searchQuery(text);
    if (query === null) expect(text).not.toMatch(/[a-z0-9]/iu);
    else {
      expect(query).toMatch(/^'[\p{L}\p{N}\p{M}]+':\*(?: & '[\p{L}\p{N}\p{M}]+':\*)*$/u);
      expect(query.split(' & ').length).toBeLessThanOrEqual(20);
    }
  });
});
