/** The lists of words: each phrase finds what it says, and each fault in a file is named with its place. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DeckhandError } from '../../../domain/errors.ts';
import { SECTOR_SLUGS } from '../../../domain/models/result-schemas.ts';
import { compilePhrase, parseLists, phrases } from '../../../reader/phrases.ts';
import { QUESTION_TOPICS } from '../../../reader/question-topics.ts';
import { anyOf, has } from '../../../reader/words.ts';
import { forAll } from '../../../testing/property.ts';

const READER = path.join(import.meta.dirname, '../../../reader');
const patternOf = (text: string): RegExp => anyOf(compilePhrase({ text, place: 'test.en.txt:1' }));

describe('a phrase', () => {
  it.each([
    ['problems?', 'Our PROBLEM is', 'problematic'],
    ['(net|gross) margin', 'a gross margin of', 'margin'],
    ['(our )?team', 'team', 'teamwork'],
    ['patient*', 'Patienten', 'outpatient'],
    ['*sensor', 'Drucksensor', 'sensors'],
    ['who * pays', 'who really pays', 'who pays'],
    ['raise {words}{money}', 'raise up to €2', 'raise money'],
    ['what …8 costs', 'what it all costs', 'what is. It costs'],
    ['go-to-market', 'go to market', 'gotomarket'],
    ["we're", 'we’re', 'were'],
    ['!(target )markets?', 'the market', 'target market'],
    ['markets?!( entry)', 'markets', 'market entry'],
    ['^today$', 'Today', 'today only'],
    [String.raw`510\(k\)`, 'a 510(k) route', '510k'],
    ['u.s.', 'the U.S. has', 'uxs.'],
  ])('%s is found in "%s" and not in "%s"', (phrase, text, other) => {
    expect(has(text, patternOf(phrase))).toBe(true);
    expect(has(other, patternOf(phrase))).toBe(false);
  });

  const word = fc.stringMatching(/^[a-zäöü]{2,6}$/u);
  /** Pieces of a phrase, each with words that it stands for. */
  const piece = fc.oneof(
    word.map((text) => [text, text] as const),
    fc.tuple(word, word).map(([a, b]) => [`(${a}|${b})`, b] as const),
    fc.tuple(word, word, fc.boolean()).map(([a, b, both]) => [`(${a} )?${b}`, both ? `${a} ${b}` : b] as const),
    fc.tuple(word, word).map(([a, b]) => [`${a}*`, `${a}${b}`] as const),
    word.map((text) => ['*', text] as const),
    fc.tuple(word, word).map(([a, b]) => [`${a}-${b}`, `${a} ${b}`] as const),
  );

  it('is found in every text that it stands for, in any case, between other words and not inside one', () =>
    forAll([fc.array(piece, { minLength: 1, maxLength: 4 })], (pieces) => {
      const pattern = patternOf(pieces.map(([phrase]) => phrase).join(' '));
      const text = pieces.map(([, example]) => example).join(' ');
      expect(has(`xx, ${text}; xx`, pattern)).toBe(true);
      expect(has(text.toUpperCase(), pattern)).toBe(true);
      expect(has(`${text.split(' ')[0] ?? ''}9`, anyOf(compilePhrase({ text, place: '' })))).toBe(false);
    }));
});

describe('a file of lists', () => {
  it('holds its lists with the place of each phrase', () =>
    expect(parseLists('# Money\n\n[ask]\nraising\n\n[other]\nsales\n', 'money.en.txt')).toEqual(
      new Map([
        ['ask', [{ text: 'raising', place: 'money.en.txt:4' }]],
        ['other', [{ text: 'sales', place: 'money.en.txt:7' }]],
      ]),
    ));

  it.each([
    ['raising', 1, 'outside of a [list]'],
    ['[ask]\nraising\nraising', 3, 'comes twice in its list'],
    ['[ask]\nraising\n[ask]', 3, 'comes twice'],
    ['[ask]\n raising', 2, 'a space at the edge'],
  ])('%j is refused at line %i', (text, line, reason) =>
    expect(() => parseLists(text, 'x.en.txt')).toThrow(
      new RegExp(`^x\\.en\\.txt:${line}: .*${RegExp.escape(reason)}`, 'u'),
    ),
  );

  it.each(['(raising', 'raising)', '?', '(a||b)', '|a', '{no such list}'])('the phrase %s is refused', (text) =>
    expect(() => compilePhrase({ text, place: 'x.en.txt:7' })).toThrow(/^x\.en\.txt:7: /u),
  );

  it('of any content gives phrases that compile or an error that names its place', () =>
    forAll([fc.string({ unit: fc.constantFrom(...Array.from('ab [](){}|?*!-…7^$\\#\n')) })], (text) => {
      try {
        for (const phrase of [...parseLists(text, 'x.en.txt').values()].flat())
          expect(new RegExp(compilePhrase(phrase), 'u')).toBeInstanceOf(RegExp);
      } catch (error) {
        expect(error).toBeInstanceOf(DeckhandError);
        expect(String(error)).toMatch(/x\.en\.txt:\d+: /u);
      }
    }));
});

describe('the lists of the reader', () => {
  const files = readdirSync(path.join(READER, 'words')).filter((file) => file.endsWith('.txt'));
  const texts = files.map((file) => readFileSync(path.join(READER, 'words', file), 'utf8'));
  const names = [...new Set(texts.flatMap((text, index) => [...parseLists(text, files[index] ?? '').keys()]))];
  const code = readdirSync(READER, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(path.join(READER, file), 'utf8').toLowerCase())
    .join('\n');

  it('compile', () => {
    for (const name of names) expect(phrases(name).flags, name).toBe('giu');
  });

  it('every list is used: by name, as part of another list, or by the name of a question, a sector or what is read', () => {
    const isUsed = (name: string): boolean => {
      const [, slug = '', part = ''] = /^(?:near )?(\w+) (\w+)$/u.exec(name) ?? [];
      return (
        code.includes(`'${name}'`) ||
        texts.some((text) => text.includes(`{${name}}`)) ||
        (['says', 'with', 'not', 'absent'].includes(part) && QUESTION_TOPICS.has(slug)) ||
        (['label', 'statement', 'matters', 'asked', 'given'].includes(part) && code.includes(`'${slug}'`)) ||
        SECTOR_SLUGS.some((sector) => sector === name)
      );
    };
    expect(names.filter((name) => !isUsed(name))).toEqual([]);
  });
});
