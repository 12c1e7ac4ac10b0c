/** What a person sends, as it is stored, and what it is about. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { newVerdictSchema, type NewVerdict } from '../../../../domain/decks/verdicts/human-verdict.ts';
import { sayingOf, saysTheSame } from '../../../../domain/decks/verdicts/saying.ts';
import { subjectOf, subjectParts } from '../../../../domain/decks/verdicts/subject.ts';
import { codePoint } from '../../../../testing/any-text.ts';
import { forAll } from '../../../../testing/property.ts';

const anyText = fc.string({ unit: fc.oneof(codePoint, fc.constantFrom('\n', '\r', '\t', ' ', '\u001b')) });

const saying = (verdict: NewVerdict) => sayingOf(newVerdictSchema.parse(verdict));

it('a note has no control characters but its line ends and tabs, and is the same when it is sent again', () =>
  forAll([anyText], (text) => {
    const verdict: NewVerdict = { kind: 'note', subject: 'deck', text: text.slice(0, 5000) };
    const stored = saying(verdict);
    expect(stored.text ?? '').not.toMatch(/(?![\0\t\n])\p{Cc}/u);
    expect(stored.text).not.toBe('');
    const again = saying({ ...verdict, text: stored.text });
    expect(saysTheSame({ ...stored, reason: null }, again)).toBe(true);
  }));

it('a tag is one line without commas, or is refused', () =>
  forAll([anyText], (text) => {
    const typed = text.slice(0, 50);
    const parsed = newVerdictSchema.safeParse({ kind: 'tag', text: typed, on: true });
    if (!parsed.success) return;
    let tag: string | null;
    try {
      tag = sayingOf(parsed.data).text;
    } catch (error) {
      expect(error).toMatchObject({ code: 'invalid_request' });
      expect(typed).toMatch(/,|^[^\p{L}\p{N}\p{P}\p{S}]*$/u);
      return;
    }
    expect(tag).not.toMatch(/(?!\0)\p{Cc}|,/u);
  }));

it('an amount is stored as it is sent again', () =>
  forAll([fc.double({ min: 0, max: 1e12, noNaN: true })], (amount) => {
    const verdict: NewVerdict = { kind: 'value', subject: 'value/funding', text: 'a sum', amount, currency: 'EUR' };
    const stored = saying(verdict);
    expect(saysTheSame({ ...stored }, saying({ ...verdict, amount: stored.amount }))).toBe(true);
    expect(Math.abs((stored.amount ?? -1) - amount)).toBeLessThanOrEqual(0.005001);
  }));

it('a withdrawn value has neither amount nor date', () => {
  const nothing = { text: null, amount: null, currency: null, isoDate: null };
  expect(saying({ kind: 'value', subject: 'value/funding', text: ' ', amount: 5, currency: 'EUR' })).toMatchObject(
    nothing,
  );
  expect(saying({ kind: 'value', subject: 'value/deck_date', text: null, isoDate: '2026-01' })).toMatchObject(nothing);
});

it.each([true, false])('a tag with a comma is refused (on: %s)', (on) =>
  expect(() => saying({ kind: 'tag', text: 'seed, health', on })).toThrow(/no comma/u),
);

it('a subject is written in one way only', () => {
  const kind = fc.constantFrom('deck', 'value', 'question', 'slide', 'reading', 'claim');
  const name = fc.oneof(fc.stringMatching(/^[a-z0-9_-]{0,9}$/u), fc.nat().map(String), fc.constant('07'));
  const likeOne = fc.tuple(kind, fc.constantFrom('/', '', '//'), name).map((parts) => parts.join(''));
  return forAll([fc.oneof(anyText, likeOne)], (text) => {
    const parts = subjectParts(text);
    if (parts !== null) expect(subjectOf(parts)).toBe(text);
  });
});

it.each(['deck', 'value/funding', 'question/market_size', 'slide/7', 'reading/clinical'])('%s is a subject', (text) =>
  expect(subjectParts(text)).not.toBeNull(),
);

const NO_SLIDES = ['slide/0', 'slide/07', 'slide/-1', 'slide/1.5', 'slide/123456'];
it.each([...NO_SLIDES, '', 'deck/1', 'value/', 'value/A', 'claim/x', 'value/a/b', 'question/ a'])(
  '%s is no subject',
  (text) => expect(subjectParts(text)).toBeNull(),
);
