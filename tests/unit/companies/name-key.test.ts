/** What all spellings of a company's name share. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nameKey } from '../../../domain/companies/name-key.ts';
import { codePoint } from '../../../testing/any-text.ts';
import { forAll } from '../../../testing/property.ts';

it.each([
  ['Lumbalis Therapeutics GmbH', 'lumbalistherapeutics'],
  ['LUMBALIS  Therapeutics', 'lumbalistherapeutics'],
  ['Lumbalis-Therapeutics gmbh', 'lumbalistherapeutics'],
  ['Quayline, Inc.', 'quayline'],
  ['Müller & Söhne GmbH & Co. KG', 'mullersohne'],
  ['Straßenwerk UG (haftungsbeschränkt)', 'strassenwerk'],
  ['Verein der Bauern e. V.', 'vereinderbauern'],
  ['Acme S.A.', 'acme'],
  ['Acme S.p.A.', 'acme'],
  ['Acme B.V.', 'acme'],
  ['Acme Sp. z o.o.', 'acme'],
  ['Acme Co., Ltd.', 'acme'],
  ['Acme Pty Ltd', 'acme'],
  ['Kabul Oy', 'kabul'],
  ['Æther A/S', 'aether'],
  ['Łódź Software sp. z o. o.', 'lodzsoftware'],
  ['株式会社メルカリ', 'メルカリ'],
  ['Ｗｉｄｅ Ltd', 'wide'],
  ['A.I. Labs', 'ailabs'],
  ['Safe{Core}', 'safecore'],
  ['Thermal Spa', 'thermalspa'],
  ['GmbH', 'gmbh'],
])('%s is %s', (name, key) => expect(nameKey(name)).toBe(key));

it.each(['', ' ', '—', '🚀'])('%j has no key', (name) => expect(nameKey(name)).toBeNull());

const word = fc.stringMatching(/^[a-z]{5,9}$/u);
const name = fc.array(word, { minLength: 1, maxLength: 3 });
const form = fc.constantFrom(
  'GmbH',
  'AG',
  'UG',
  'Inc.',
  'Ltd',
  'LLC',
  'S.A.',
  'B.V.',
  'Oy',
  'GmbH & Co. KG',
  'Pty Ltd',
);

it('does not depend on the legal form, on capitals, on accents and on what stands between words', () =>
  forAll([name, form, fc.constantFrom(' ', '-', ' – ', '.', ' & ')], (words, legal, between) => {
    const key = nameKey(words.join(' '));
    expect(nameKey(`${words.join(between)}, ${legal}`)).toBe(key);
    expect(nameKey(`${words.join(between).toUpperCase()} ${legal.toUpperCase()}`)).toBe(key);
    expect(nameKey(words.join(between).replaceAll('e', 'é'))).toBe(key);
  }));

it('is the key of itself, short, and made of letters and digits', () =>
  forAll([fc.string({ unit: codePoint, maxLength: 200 })], { runs: 1000 }, (text) => {
    const key = nameKey(text);
    if (key === null) return;
    expect(key).toMatch(/^[\p{L}\p{N}\u{FFFD}]+$/u);
    expect(key.length).toBeLessThanOrEqual(100);
    expect(nameKey(key)).toBe(key);
  }));
