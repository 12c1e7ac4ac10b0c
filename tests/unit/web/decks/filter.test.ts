/** The filter of the deck list, as presses on the page change it. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ENTRY_SORTS } from '../../../../domain/decks/list/entry.ts';
import { forAll } from '../../../../testing/property.ts';
import {
  FILTER_KINDS,
  isFiltered,
  kindsSet,
  LIST_FILTERS,
  orderOf,
  sortedNext,
  toggled,
  valuesOf,
  withoutFilters,
  withoutKind,
  withParameter,
} from '../../../../web/decks/filters/filter.ts';
import { type DecksSearch, FILTERS, readDecksSearch } from '../../../../web/decks/search.ts';

const word = fc.stringMatching(/^[a-z]{1,8}$/u);
const sort = fc.constantFrom(...ENTRY_SORTS.flatMap((each) => [each, `-${each}`] as const));
/** Searches as addresses can hold them. */
const searches: fc.Arbitrary<DecksSearch> = fc
  .tuple(
    fc.dictionary(fc.constantFrom(...FILTERS), fc.uniqueArray(word, { minLength: 1, maxLength: 3 })),
    fc.option(sort),
  )
  .map(([filters, order]) => ({
    ...Object.fromEntries(Object.entries(filters).map(([name, values]) => [name, values.join(',')])),
    ...(order === null ? {} : { sort: order }),
  }));
const listFilter = fc.constantFrom(...LIST_FILTERS);

it('reads the same search from an address that it was written to', () =>
  forAll([searches], (search) => {
    const address = new URLSearchParams({ ...search });
    expect(readDecksSearch(Object.fromEntries(address))).toEqual(search);
  }));

it('leaves out of an address what is no filter', () => {
  const given = {
    status: 'failed',
    colour: 'red',
    minScore: 0.5,
    q: true,
    tag: '',
    owner: { name: 'Ann' },
    since: null,
  };
  expect(readDecksSearch(given)).toEqual({ status: 'failed', minScore: '0.5', q: 'true' });
});

it('takes a value off with the press that put it there', () =>
  forAll([searches, listFilter, word], (search, name, value) => {
    const twice = toggled(toggled(search, name, value), name, value);
    expect(valuesOf(twice, name).toSorted()).toEqual(valuesOf(search, name).toSorted());
    expect(valuesOf(toggled(search, name, value), name).includes(value)).toBe(!valuesOf(search, name).includes(value));
  }));

it('shows a chip for each kind that is set, and nothing of a kind that was taken off', () =>
  forAll([searches, fc.constantFrom(...FILTER_KINDS)], (search, kind) => {
    const rest = withoutKind(search, kind);
    expect(kindsSet(rest)).toEqual(kindsSet(search).filter((each) => each !== kind));
    expect(rest.sort).toBe(search.sort);
  }));

it('limits nothing any more once it is cleared, and keeps the order', () =>
  forAll([searches], (search) => {
    expect(isFiltered(withoutFilters(search))).toBe(false);
    expect(withoutFilters(search).sort).toBe(search.sort);
  }));

it('a search takes a company as a filter, also when its parameter is taken out', () => {
  expect(isFiltered({ company: 'c1' })).toBe(true);
  expect(withParameter({ company: 'c1', sort: 'score' }, 'company', '')).toEqual({ sort: 'score' });
});

it('a search takes a kind out with all of its parameters', () => {
  const search = { minScore: '1', maxScore: '5', since: '2026-01-01' };
  expect(kindsSet(search)).toEqual(['score', 'created']);
  expect(withoutKind(search, 'score')).toEqual({ since: '2026-01-01' });
});

it('a list sorts the newest first where nothing is said, names upwards and numbers downwards at first', () => {
  expect(orderOf({})).toEqual({ by: 'created', down: true });
  expect(sortedNext({ q: 'heart' }, 'company')).toEqual({ q: 'heart', sort: 'company' });
  expect(sortedNext({}, 'score')).toEqual({ sort: '-score' });
});

it('sorts by the pressed column, the other way at the second press, and newest first at the third', () =>
  forAll([searches, fc.constantFrom(...ENTRY_SORTS.filter((each) => each !== 'created'))], (search, by) => {
    fc.pre(orderOf(search).by !== by);
    const first = sortedNext(search, by);
    const second = sortedNext(first, by);
    expect(orderOf(first).by).toBe(by);
    expect(orderOf(second)).toEqual({ by, down: !orderOf(first).down });
    expect(orderOf(sortedNext(second, by))).toEqual({ by: 'created', down: true });
    expect({ ...second, sort: undefined }).toEqual({ ...search, sort: undefined });
  }));
