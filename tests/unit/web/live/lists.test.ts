/** Which lists are read again for an event. */
import { expect, it } from 'vitest';
import type { DeckEntry } from '../../../../domain/decks/list/entry.ts';
import { type ListFilter, needsReading } from '../../../../web/live/lists.ts';
import { shown } from './entry.ts';

it('reads a list that does not show the deck, and one that must not show it any longer', () => {
  expect(needsReading({}, undefined, shown)).toBe(true);
  expect(needsReading({}, shown, { ...shown, deletingAt: '2026-11-26T10:00:00.000Z' })).toBe(true);
});

it('replaces the row of a deck whose change moves it nowhere', () => {
  const next: DeckEntry = { ...shown, status: 'completed', score: 4, gaps: 2, tags: [] };
  expect(needsReading({}, shown, next)).toBe(false);
  expect(needsReading({ sector: 'telemedicine', sort: '-coverage', since: '7d' }, shown, next)).toBe(false);
});

it.each<[ListFilter, Partial<DeckEntry>]>([
  [{ status: 'running' }, { status: 'completed' }],
  [{ sort: '-score' }, { score: 4 }],
  [{ maxScore: '4' }, { score: 4.5 }],
  [{ tag: 'hot' }, { tags: [] }],
  [{ attention: 'any' }, { attention: ['gaps'] }],
  [{ assignee: 'Ann' }, { assignee: 'Ann' }],
])('reads a list by %o again for %o', (filter, change) => {
  expect(needsReading(filter, shown, { ...shown, ...change })).toBe(true);
});

it('reads a text search again for any change, since it may look at anything', () => {
  expect(needsReading({ q: 'patch' }, shown, { ...shown, notes: 1 })).toBe(true);
});
