import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkQuote } from '../../../domain/evidence/quote-check.ts';
import { readMarkup } from '../../../domain/pages/markup.ts';
import { pageMarkup, plainText } from '../../../domain/pages/page-text.ts';
import { forAll } from '../../../testing/property.ts';
import { pageOf, widthOf, type Drawn } from './support.ts';

const PAGE: Drawn[] = [
  { text: 'What we offer', x: 60, y: 50, size: 32 },
  { text: 'Why now', x: 60, y: 130, size: 18, bold: true },
  { text: 'Hospitals wait for weeks on\nreports. Doctors lose pa-\ntients and time.', x: 60, y: 155 },
  { text: '• First item that is long and\n   runs on\n• Second item', x: 60, y: 260 },
  { text: '40', x: 500, y: 150, size: 30 },
  { text: 'paying hospitals', x: 500, y: 184, size: 11 },
];

describe('markup of a page', () => {
  it('marks title, headings and items, joins what wraps, and keeps the lines of a card', () =>
    expect(pageMarkup(pageOf(...PAGE))).toBe(
      [
        '# What we offer',
        '',
        '## Why now',
        'Hospitals wait for weeks on reports. Doctors lose patients and time.',
        '',
        '- First item that is long and runs on',
        '- Second item',
        '',
        '40',
        'paying hospitals',
      ].join('\n'),
    ));

  it.each([
    ['A freedom-to-\noperate opinion is there', 'A freedom-to-operate opinion is there'],
    ['Built to be VPC-\nready on day one', 'Built to be VPC-ready on day one'],
    ['Verträge mit Kranken-\nund Pflegekassen', 'Verträge mit Kranken- und Pflegekassen'],
    ['Doctors see more pa-\ntients every day', 'Doctors see more patients every day'],
  ])('joins %j where the line ends within a word, and a quote of it is verified', (text, joined) => {
    const page = pageOf({ text: 'What we offer', x: 60, y: 50, size: 32 }, { text, x: 60, y: 155 });
    expect(pageMarkup(page)).toBe(`# What we offer\n\n${joined}`);
    expect(checkQuote(joined, page).verdict).toBe('verified');
  });

  it('joins the lines of a card where one ends with a word that goes on', () => {
    const page = pageOf(
      { text: 'The team', x: 60, y: 50, size: 32 },
      { text: 'Marisol Vega', x: 60, y: 150, size: 14, bold: true },
      { text: 'CEO\nBuilt 400 houses a year for a\nTampa builder', x: 60, y: 168 },
      { text: 'Owen Tracht', x: 400, y: 150, size: 14, bold: true },
      { text: 'COO\nOpened depots for\nArmy logistics', x: 400, y: 168 },
    );
    const people = [
      'Marisol Vega\nCEO\nBuilt 400 houses a year for a Tampa builder',
      'Owen Tracht\nCOO\nOpened depots for Army logistics',
    ];
    expect(pageMarkup(page).split('\n\n')).toEqual(['# The team', ...people]);
  });

  it('has the same words without marks', () =>
    expect(plainText(pageOf(...PAGE)).split('\n\n')).toEqual([
      'What we offer',
      'Why now',
      'Hospitals wait for weeks on reports. Doctors lose patients and time.',
      'First item that is long and runs on\nSecond item',
      '40\npaying hospitals',
    ]));

  it.each([
    ['Lower the risk of mistakes\nDetection of fraudulent activities', true],
    // A name goes on with the sentence, whose last line ends it; in German any noun does.
    ['We work with doctors of the\nCharité hospital since the spring.', false],
    ['Verträge unterschreiben Kunden jetzt in sieben\nMinuten statt in sieben ganzen Tagen', false],
  ])('keeps lines of English apart that begin with a capital each, and are no sentence: %j', (text, apart) => {
    const page = pageOf({ text: 'What we offer', x: 60, y: 50, size: 32 }, { text, x: 300, y: 155, centred: true });
    expect(pageMarkup(page)).toBe(`# What we offer\n\n${apart ? text : text.replace('\n', ' ')}`);
  });

  it('keeps lines apart that end early, as entries do', () => {
    const layout = pageOf({
      text: 'Agricultural products\nIndustrial equipment\nConstruction materials\nFood\nOther containerised cargo and bulk\nmaterials',
      x: 60,
      y: 200,
    });
    expect(pageMarkup(layout)).toBe(
      'Agricultural products\nIndustrial equipment\nConstruction materials\nFood\nOther containerised cargo and bulk materials',
    );
  });

  it('keeps lines apart that begin alike', () => {
    const layout = pageOf({ text: '5 services for 1,60€ a month\n10 services for 2,99€ a month', x: 60, y: 200 });
    expect(pageMarkup(layout).split('\n')).toHaveLength(2);
  });

  it('writes the rows of a table between bars', () => {
    const rows = [
      ['Plan', 'Small', 'Large'],
      ['Price', '€12', '€40'],
      ['Seats', '5', '50|60'],
    ];
    const layout = pageOf(
      ...rows.flatMap((row, i) =>
        row.map((text, j): Drawn => ({ text, x: 60 + 150 * j, y: 200 + 30 * i, bold: i === 0 })),
      ),
    );
    expect(pageMarkup(layout)).toBe('| Plan | Small | Large |\n| Price | €12 | €40 |\n| Seats | 5 | 50¦60 |');
    expect(plainText(layout)).toBe('Plan\tSmall\tLarge\nPrice\t€12\t€40\nSeats\t5\t50|60');
  });

  it.each(['# Not a title', '## x y', '| a | b |', String.raw`\ slash`])(
    'puts a backslash before a line of the deck that begins like a mark: %s',
    (text) => {
      const layout = pageOf({ text: 'Real title', x: 60, y: 50, size: 30 }, { text, x: 60, y: 300 });
      expect(pageMarkup(layout)).toBe(`# Real title\n\n\\${text}`);
      expect(readMarkup(pageMarkup(layout)).at(-1)?.lines[0]?.text).toBe(text);
    },
  );

  it('every sentence of a column is found in one line of the text', () => {
    const word = fc.constantFrom(...'we sell hospitals time and doctors reports Germany faster 40'.split(' '));
    const column = fc.array(word, { minLength: 8, maxLength: 40 });
    return forAll([fc.array(column, { minLength: 1, maxLength: 3 })], { runs: 1000 }, (columns) => {
      const sentences = columns.map((words) => `Our ${words.join(' ')} today.`);
      const layout = pageOf(
        ...sentences.map((sentence, i): Drawn => ({ text: wrapped(sentence, 220), x: 40 + 300 * i, y: 120 })),
      );
      const lines = pageMarkup(layout).split('\n');
      for (const sentence of sentences) expect(lines).toContain(sentence);
    });
  });
});

/** Breaks a sentence into lines as a text box of this width does. */
function wrapped(sentence: string, widthPt: number): string {
  return sentence
    .split(' ')
    .reduce<string[]>((lines, word) => {
      const last = lines.at(-1);
      if (last === undefined || widthOf(`${last} ${word}`, 12) > widthPt) lines.push(word);
      else lines[lines.length - 1] = `${last} ${word}`;
      return lines;
    }, [])
    .join('\n');
}
