import { describe, expect, it } from 'vitest';
import { findRun } from '../../../cli/evaluation/run-list.ts';
import type { EvaluationRun } from '../../../platform/evaluation-files.ts';

const runWith = (id: string, apiUrl: string | null = null): EvaluationRun => ({
  id,
  createdAt: '2026-11-23T10:00:00.000Z',
  finishedAt: null,
  folder: '/decks',
  labels: '/decks/labels.json',
  models: 'reader',
  language: 'en',
  again: false,
  code: null,
  apiUrl,
  decks: [],
  labelsWithoutPdf: [],
  deletedDecks: 0,
  shares: [],
  invented: 0,
});
const ELSEWHERE = 'https://deckhand.example';
const RUNS = [runWith('2026-11-23-1001-reader-2'), runWith('2026-11-23-1001-reader'), runWith('far', ELSEWHERE)];
const idOf = (text: string): string => findRun(RUNS, text, null).id;

describe('a kept run', () => {
  it('is found by its id, by a beginning that only it has, and as the last', () => {
    expect(idOf('2026-11-23-1001-reader')).toBe('2026-11-23-1001-reader');
    expect(idOf('2026-11-23-1001-reader-')).toBe('2026-11-23-1001-reader-2');
    expect(idOf('last')).toBe('2026-11-23-1001-reader-2');
  });

  it('that is none, or one of several, is refused with the nearest', () => {
    const hint = expect.stringContaining('deckhand evaluate list');
    expect(() => idOf('2026-11')).toThrow(expect.objectContaining({ userMessage: expect.stringMatching(/^2 /u) }));
    expect(() => idOf('2026-11-23-1002-reader')).toThrow(expect.objectContaining({ code: 'not_found', hint }));
    expect(() => findRun([], 'last', null)).toThrow(expect.objectContaining({ code: 'not_found' }));
  });

  it('whose reviews another API has is refused with where they are', () => {
    const refused = { code: 'usage', userMessage: expect.stringContaining(ELSEWHERE) };
    expect(() => idOf('far')).toThrow(expect.objectContaining(refused));
    expect(findRun(RUNS, 'far', ELSEWHERE).id).toBe('far');
    expect(() => findRun(RUNS, 'last', ELSEWHERE)).toThrow(expect.objectContaining({ code: 'usage' }));
  });
});
