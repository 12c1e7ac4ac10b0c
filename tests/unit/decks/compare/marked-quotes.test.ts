/** Quotes of two reviews with the words marked that only one has. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { markedQuotes, markedText } from '../../../../domain/decks/compare/marked-quotes.ts';
import { forAll } from '../../../../testing/property.ts';
import { quoted } from '../fixtures.ts';

it('marks the figure that changed in the closest quote of the other side', () => {
  const before = [quoted('31 hospitals pay for the service'), quoted('Pilots run at three trusts')];
  const after = [quoted('Pilots run at three trusts'), quoted('48 hospitals pay for the service')];
  expect(markedQuotes(before, after, 'before').map(({ runs }) => runs)).toEqual([
    [
      { kind: 'removed', text: '31' },
      { kind: 'same', text: 'hospitals pay for the service' },
    ],
    [{ kind: 'same', text: 'Pilots run at three trusts' }],
  ]);
  expect(markedQuotes(after, before, 'after')[1]?.runs).toEqual([
    { kind: 'added', text: '48' },
    { kind: 'same', text: 'hospitals pay for the service' },
  ]);
});

it('marks a quote as a whole where the other side has nothing like it', () => {
  expect(markedQuotes([quoted('Annual churn is 4%')], [quoted('Sold by partners')], 'after')[0]?.runs).toEqual([
    { kind: 'added', text: 'Annual churn is 4%' },
  ]);
  expect(markedText('Annual churn is 4%', 'Sold by partners', 'after')).toBeNull();
});

const someQuotes = fc.array(
  fc.array(fc.constantFrom('31', '48', 'hospitals', 'pay', 'pilots', 'run'), { minLength: 1, maxLength: 6 }),
  { maxLength: 4 },
);

it('keeps every word of every quote in its order, and marks nothing that both have', () =>
  forAll([someQuotes, someQuotes], (mine, others) => {
    const [quotes, rest] = [mine, others].map((list) => list.map((words) => quoted(words.join(' '))));
    const marked = markedQuotes(quotes ?? [], rest ?? [], 'after');
    expect(marked.map(({ runs }) => runs.map(({ text }) => text).join(' '))).toEqual(quotes?.map((each) => each.quote));
    for (const { evidence, runs } of marked) {
      const isInBoth = rest?.some((other) => other.quote === evidence.quote) === true;
      if (isInBoth) expect(runs.every(({ kind }) => kind === 'same')).toBe(true);
      expect(runs.every(({ kind }) => kind !== 'removed')).toBe(true);
    }
  }));
