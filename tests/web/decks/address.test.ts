/** The filter in the address of the list: what is read of it, and what the controls make of it. */
import { expect, it } from 'vitest';
import {
  isFiltered,
  kindsSet,
  orderOf,
  sortedNext,
  toggled,
  valuesOf,
  withoutFilters,
  withoutKind,
  withParameter,
} from '../../../web/decks/filters/filter.ts';
import { readDecksSearch } from '../../../web/decks/search.ts';

it('An address gives its filters as text and nothing else', () => {
  expect(readDecksSearch({ q: 2026, status: 'failed', tag: '', page: 3, minScore: 0.5, sort: '-score' })).toEqual({
    q: '2026',
    status: 'failed',
    minScore: '0.5',
    sort: '-score',
  });
  expect(readDecksSearch({ q: true, owner: { name: 'Ann' }, since: null })).toEqual({ q: 'true' });
});

it('A value is added to its filter and taken out again', () => {
  const one = toggled({ q: 'heart' }, 'status', 'failed');
  expect(one).toEqual({ q: 'heart', status: 'failed' });
  const two = toggled(one, 'status', 'running');
  expect(valuesOf(two, 'status')).toEqual(['failed', 'running']);
  expect(toggled(two, 'status', 'failed')).toEqual({ q: 'heart', status: 'running' });
  expect(toggled(one, 'status', 'failed')).toEqual({ q: 'heart' });
});

it('A kind is taken out with all of its parameters', () => {
  const search = { minScore: '1', maxScore: '5', since: '2026-01-01', sort: 'company' } as const;
  expect(kindsSet(search)).toEqual(['score', 'created']);
  expect(withoutKind(search, 'score')).toEqual({ since: '2026-01-01', sort: 'company' });
  expect(withoutFilters(search)).toEqual({ sort: 'company' });
  expect(withoutFilters({ q: 'heart' })).toEqual({});
});

it('An order alone is no filter, a company is one', () => {
  expect(isFiltered({ sort: 'company' })).toBe(false);
  expect(isFiltered({ company: 'c1' })).toBe(true);
  expect(withParameter({ company: 'c1', sort: 'score' }, 'company', '')).toEqual({ sort: 'score' });
});

it('A head sorts names upwards first and numbers downwards first, then the other way, then newest first', () => {
  expect(orderOf({})).toEqual({ by: 'created', down: true });
  const upwards = sortedNext({ q: 'heart' }, 'company');
  expect(upwards).toEqual({ q: 'heart', sort: 'company' });
  const downwards = sortedNext(upwards, 'company');
  expect(downwards).toEqual({ q: 'heart', sort: '-company' });
  expect(sortedNext(downwards, 'company')).toEqual({ q: 'heart' });
  const highest = sortedNext({}, 'score');
  expect(highest).toEqual({ sort: '-score' });
  expect(sortedNext(highest, 'score')).toEqual({ sort: 'score' });
});
