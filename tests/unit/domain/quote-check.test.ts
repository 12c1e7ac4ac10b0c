import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkQuote } from '../../../domain/evidence/quote-check.ts';
import { forAll } from '../../../testing/property.ts';

const PAGE = [
  'Traction',
  'We do not yet have paying customers in France',
  'Revenue grew 40% to €1.5 million in 2025, no churn',
  'Pilots with 12 hospitals in Ger-',
  'many and Austria since March 2024',
  'Our device isn’t approved by the FDA',
  'Ohne Zulassung kein Vertrieb in der Schweiz',
].join('\n');

it.each([
  ['plain words', 'Revenue grew 40% to €1.5 million'],
  ['other case and spacing', 'revenue  GREW 40% to €1.5 million in 2025'],
  ['punctuation dropped', 'in 2025 no churn'],
  ['over a line break and a hyphen', 'Pilots with 12 hospitals in Germany and Austria'],
  ['with its negation', 'We do not yet have paying customers'],
  ['another apostrophe', "Our device isn't approved by"],
])('a quote that stands on the slide is verified: %s', (_, quote) =>
  expect(checkQuote(quote, PAGE)).toEqual({ verdict: 'verified', reason: null }),
);

it.each([
  ['a digit changed', 'Revenue grew 41% to €1.5 million'],
  ['part of a number', '5 million in 2025, no churn'],
  ['a unit cut off', 'Revenue grew 40% to €1.5'],
  ['the negation dropped before it', 'have paying customers in France'],
  ['the negation dropped inside it', 'We do yet have paying customers'],
  ['the negation in a contraction dropped', 'approved by the FDA'],
  ['German negation dropped', 'Vertrieb in der Schweiz'],
  ['words left out', 'Revenue grew to €1.5 million'],
  ['words of another slide', 'We raised a seed round'],
])('a spoiled quote is contradicted: %s', (_, quote) => expect(checkQuote(quote, PAGE).verdict).toBe('contradicted'));

it('a spoiled quote is contradicted where the negation is the first word of the slide', () =>
  expect(checkQuote('paying customers in Germany', 'No paying customers in Germany').verdict).toBe('contradicted'));

it('a quote of fewer than three words is no evidence', () => {
  expect(checkQuote('paying customers', PAGE).verdict).toBe('unverified');
  expect(checkQuote('', PAGE).verdict).toBe('unverified');
  expect(checkQuote('€1.5 million', PAGE).verdict).toBe('unverified');
  expect(checkQuote('A 14-day', 'A 14-day patch').verdict).toBe('unverified');
});

it('cannot be checked on a page without text', () =>
  expect(checkQuote('Revenue grew 40% last year', '  \n ').verdict).toBe('unverified'));

describe('properties', () => {
  const word = fc.stringMatching(/^[a-z]{2,9}$/u).filter((w) => !['no', 'not', 'nor', 'nie'].includes(w));
  const number = fc.integer({ min: 10, max: 99_999 });
  const sentence = fc.array(fc.oneof({ weight: 4, arbitrary: word }, { weight: 1, arbitrary: number.map(String) }), {
    minLength: 6,
    maxLength: 20,
  });

  it('whole lines are verified', () =>
    forAll([fc.array(sentence, { minLength: 1, maxLength: 6 }), fc.nat()], (lines, pick) => {
      const page = lines.map((l) => l.join(' ')).join('.\n');
      const line = lines[pick % lines.length] ?? [];
      return checkQuote(line.join(' '), page).verdict === 'verified';
    }));

  it('a changed number is never verified', () =>
    forAll([sentence, number, number], (words, was, is) => {
      fc.pre(was !== is && !words.includes(String(is)));
      const page = [...words, String(was)].join(' ');
      return checkQuote([...words.slice(-3), String(is)].join(' '), page).verdict !== 'verified';
    }));

  it('a sentence that lost its negation is never verified', () =>
    forAll(
      [sentence, fc.constantFrom('not', 'no', 'never', 'without', 'nicht', 'kein', 'ohne'), fc.nat()],
      (words, negation, at) => {
        const where = at % words.length;
        const page = [...words.slice(0, where), negation, ...words.slice(where)].join(' ');
        return checkQuote(words.join(' '), page).verdict !== 'verified';
      },
    ));
});
