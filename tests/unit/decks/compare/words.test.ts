/** Which words changed: both texts can be read from the runs, and equal words are never marked. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedWords } from '../../../../domain/decks/compare/words.ts';
import { forAll } from '../../../../testing/property.ts';

const sentence = fc
  .array(fc.constantFrom('the', 'market', 'is', 'large', 'small', 'and', 'grows', 'fast'), { maxLength: 14 })
  .map((words) => words.join(' '));

describe('changed words', () => {
  it('hold both texts', () =>
    forAll([sentence, sentence], (a, b) => {
      const runs = changedWords(a, b);
      const without = (kind: string): string =>
        runs
          .filter((run) => run.kind !== kind)
          .map((run) => run.text)
          .join(' ');
      expect(without('added')).toBe(a);
      expect(without('removed')).toBe(b);
    }));

  it('mark nothing in equal texts, and are runs, not single words', async () => {
    await forAll([sentence], (a) => changedWords(a, a).every((run) => run.kind === 'same'));
    expect(changedWords('the market is large and grows', 'the market is very small and grows')).toEqual([
      { kind: 'same', text: 'the market is' },
      { kind: 'removed', text: 'large' },
      { kind: 'added', text: 'very small' },
      { kind: 'same', text: 'and grows' },
    ]);
  });

  it('never put two runs of one kind beside each other', () =>
    forAll([sentence, sentence], (a, b) => {
      const runs = changedWords(a, b);
      return runs.every((run, index) => run.kind !== runs[index + 1]?.kind);
    }));

  it('show texts of thousands of words as a whole where the table would be too large', () => {
    const long = (word: string): string => Array.from({ length: 2000 }, (_, i) => `${word}${i}`).join(' ');
    expect(changedWords(long('a'), long('b')).map((run) => run.kind)).toEqual(['removed', 'added']);
  });
});
