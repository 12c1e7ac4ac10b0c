import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toPageWords, type JudgedCharacter } from '../../../activities/convert/render/page-words.ts';
import { checkedLayoutSchema } from '../../../domain/pages/checked-layout.ts';
import { layOutPage } from '../../../domain/pages/layout.ts';
import { MAX_PAGE_WORDS, type PageWord } from '../../../domain/pages/page.ts';
import { forAll } from '../../../testing/property.ts';
import { blockTexts, draw, layOut, pageOf, wordAt } from './support.ts';

const LEFT = 'We sell to hospitals that\nwait for weeks on their\nreports.';
const MIDDLE = 'Doctors read the reports\non their phones within an\nhour.';
const RIGHT = 'Payers save a third of\nwhat a second scan would\nhave cost them.';

describe('blocks of a page', () => {
  it('reads two columns one after the other, each as one paragraph', () => {
    const layout = pageOf({ text: LEFT, x: 60, y: 200 }, { text: MIDDLE, x: 260, y: 200 });
    expect(blockTexts(layout)).toEqual([LEFT, MIDDLE]);
  });

  it('reads three columns that stand close, also where their lines are at the same heights', () => {
    const layout = pageOf(
      { text: RIGHT, x: 440, y: 200 },
      { text: MIDDLE, x: 250, y: 200 },
      { text: LEFT, x: 60, y: 200 },
    );
    expect(blockTexts(layout)).toEqual([LEFT, MIDDLE, RIGHT]);
  });

  it('reads a title over columns first', () => {
    const layout = pageOf(
      { text: 'What we do', x: 60, y: 60, size: 36 },
      { text: LEFT, x: 60, y: 200 },
      { text: RIGHT, x: 500, y: 200 },
    );
    expect(layout.blocks.map((block) => block.kind)).toEqual(['title', 'text', 'text']);
    expect(blockTexts(layout)[0]).toBe('What we do');
  });

  it('joins a figure to the label below it, not to the figure beside or below', () => {
    const card = (figure: string, label: string, x: number, y: number) => [
      { text: figure, x, y, size: 30, centred: true },
      { text: label, x, y: y + 38, size: 10, centred: true },
    ];
    const layout = pageOf(
      ...card('43%', 'of pupils fail in maths', 150, 150),
      ...card('89%', 'of firms hire nobody new', 400, 150),
      ...card('45%', 'of teachers leave early', 150, 260),
      ...card('75%', 'of leaders see no change', 400, 260),
    );
    expect(blockTexts(layout)).toEqual([
      '43%\nof pupils fail in maths',
      '89%\nof firms hire nobody new',
      '45%\nof teachers leave early',
      '75%\nof leaders see no change',
    ]);
  });

  it('joins a large line that begins with a figure to the sentence that goes on below it', () => {
    const below = (head: string, rest: string) =>
      pageOf(
        { text: 'The problem of the trade', x: 60, y: 60, size: 34 },
        { text: head, x: 500, y: 150, size: 30 },
        { text: rest, x: 500, y: 195, size: 10 },
      );
    const shop = 'leave the shop without the medicine that their doctor prescribed\nand come back another day';
    expect(blockTexts(below('1 in 2 patients', shop))).toContain(`1 in 2 patients\n${shop}`);
    const german = 'verlassen die Apotheke ohne das Medikament, das ihr Arzt verschrieben hat';
    expect(blockTexts(below('4 von 10 Kranken', german))).toContain(`4 von 10 Kranken\n${german}`);
    // A numbered heading, and a sentence of its own.
    expect(blockTexts(below('1. Patients', shop))).toContain('1. Patients');
    expect(blockTexts(below('1 in 2 patients', shop.replace('leave', 'They leave')))).toContain('1 in 2 patients');
  });

  it('joins a figure to the label beside it where the others of the page have theirs there', () => {
    const layout = pageOf(
      { text: '43%', x: 60, y: 150, size: 30 },
      { text: 'of pupils fail in maths', x: 130, y: 160, size: 10 },
      { text: '45%', x: 60, y: 200, size: 30 },
      { text: 'of teachers leave early', x: 130, y: 210, size: 10 },
    );
    expect(blockTexts(layout)).toEqual(['43%\nof pupils fail in maths', '45%\nof teachers leave early']);
  });

  it('keeps figures and labels of one style that follow each other in pairs', () => {
    const layout = pageOf({ text: 'TAM\n60M\nSAM\n2M\nSOM\n98k', x: 200, y: 200, centred: true });
    expect(blockTexts(layout)).toEqual(['TAM\n60M', 'SAM\n2M', 'SOM\n98k']);
  });

  it('keeps a heading over cards apart from their figures', () => {
    const cards = ['50+', '8-10', '$1M+'].flatMap((figure, i) => [
      { text: figure, x: 120 + 200 * i, y: 240, size: 22, centred: true },
      { text: 'users pay', x: 120 + 200 * i, y: 280, size: 10, centred: true },
    ]);
    const layout = pageOf({ text: 'Targets of year one', x: 60, y: 215, size: 15 }, ...cards);
    expect(blockTexts(layout)).toEqual(['Targets of year one', '50+\nusers pay', '8-10\nusers pay', '$1M+\nusers pay']);
  });

  it('gives each person of a team their own role', () => {
    const person = (name: string, role: string, x: number, y: number) => [
      { text: name, x, y, size: 14, bold: true },
      { text: role, x, y: y + 17, size: 11 },
    ];
    const layout = pageOf(
      { text: 'Our team', x: 60, y: 40, size: 32 },
      ...person('Ada Berg', 'CEO', 60, 200),
      ...person('Ben Cho', 'CTO', 300, 200),
      ...person('Eva Funk', 'CFO', 60, 300),
      ...person('Gil Hart', 'COO', 300, 300),
    );
    expect(blockTexts(layout)).toEqual(['Our team', 'Ada Berg\nCEO', 'Ben Cho\nCTO', 'Eva Funk\nCFO', 'Gil Hart\nCOO']);
  });

  it('keeps people of one style in a list apart from each other at the change of style', () => {
    const layout = pageOf(
      { text: 'Ada Berg', x: 60, y: 200, size: 12, bold: true },
      { text: 'CEO', x: 60, y: 215, size: 12 },
      { text: 'Ben Cho', x: 60, y: 230, size: 12, bold: true },
      { text: 'CTO', x: 60, y: 245, size: 12 },
    );
    expect(blockTexts(layout)).toEqual(['Ada Berg\nCEO', 'Ben Cho\nCTO']);
  });

  it('reads the heading of each column before its text, and column by column', () => {
    const layout = pageOf(
      { text: 'Problem', x: 60, y: 150, size: 18, bold: true },
      { text: LEFT, x: 60, y: 190 },
      { text: 'Solution', x: 400, y: 150, size: 18, bold: true },
      { text: MIDDLE, x: 400, y: 190 },
    );
    expect(blockTexts(layout)).toEqual(['Problem', LEFT, 'Solution', MIDDLE]);
  });

  it('reads a heading over a row of cards before all of them', () => {
    const layout = pageOf(
      { text: 'Ada Berg\nFounder', x: 200, y: 100, centred: true },
      { text: 'Ben Cho\nFounder', x: 500, y: 100, centred: true },
      { text: 'Advisors', x: 350, y: 205, size: 16, centred: true },
      { text: 'Dr. Funk\nSurgeon', x: 150, y: 230, centred: true },
      { text: 'Dr. Hart\nSurgeon', x: 350, y: 230, centred: true },
      { text: 'Dr. Iwan\nSurgeon', x: 550, y: 230, centred: true },
    );
    const heads = blockTexts(layout).map((text) => text.split('\n')[0]);
    expect(heads).toEqual(['Ada Berg', 'Ben Cho', 'Advisors', 'Dr. Funk', 'Dr. Hart', 'Dr. Iwan']);
  });

  it('reads steps from left to right, each with its text', () => {
    const steps = [
      ['Scan', 'The phone reads\nthe label.'],
      ['Check', 'We look it up\nin the list.'],
      ['Pay', 'The shop is paid\non the same day.'],
    ] as const;
    const drawn = steps.flatMap(([name, text], i) => [
      { text: name, x: 60 + 200 * i, y: 200, size: 16, bold: true },
      { text, x: 60 + 200 * i, y: 226 },
    ]);
    expect(blockTexts(pageOf(...drawn))).toEqual(steps.flat());
  });

  it('reads a small letter, a bullet and a raised sign with their line', () => {
    const layout = layOut([
      ...draw({ text: 'Sales grew', x: 100, y: 200 }),
      ...draw({ text: '2', x: 160.5, y: 198, size: 7 }),
      ...draw({ text: 'last year', x: 169, y: 200 }),
      ...draw({ text: '•', x: 84, y: 200 }),
    ]);
    expect(blockTexts(layout)).toEqual(['• Sales grew 2 last year']);
  });

  it('keeps wrapped items of a list in one block', () => {
    const layout = pageOf(
      { text: '•\n\n•', x: 60, y: 200 },
      { text: 'Hospitals wait for weeks on\nthe reports they need\nPatients travel', x: 76, y: 200 },
    );
    expect(blockTexts(layout)).toEqual(['• Hospitals wait for weeks on\nthe reports they need\n• Patients travel']);
    expect(layout.blocks[0]?.kind).toBe('text');
  });

  it('keeps a centred sentence in one block', () => {
    const text = 'People need an easy way\nto see what they emit\nevery day.';
    expect(blockTexts(pageOf({ text, x: 480, y: 200, centred: true }))).toEqual([text]);
  });

  it('keeps a sentence in one block whose words are partly bold', () => {
    const layout = pageOf(
      { text: 'Customers who leave us come back', x: 60, y: 200 },
      { text: 'within four months', x: 60, y: 214.4, bold: true },
    );
    expect(blockTexts(layout)).toEqual(['Customers who leave us come back\nwithin four months']);
  });

  it('lays out a page whose text is turned as if it were turned back', () => {
    // A page of 540 × 960 points, turned by 90° clockwise.
    const upright = [
      ...draw({ text: 'What we do', x: 60, y: 60, size: 36 }),
      ...draw({ text: LEFT, x: 60, y: 200 }),
      ...draw({ text: RIGHT, x: 500, y: 200 }),
    ];
    const turned = upright.map((word): PageWord => {
      const [left, top, right, bottom] = word.box;
      return { ...word, turn: 90, box: [540 - bottom, left, 540 - top, right] };
    });
    const layout = layOut(turned, { widthPt: 540, heightPt: 960 });
    expect(blockTexts(layout)).toEqual(['What we do', LEFT, RIGHT]);
    expect(layout.blocks[0]?.kind).toBe('title');
  });

  it('keeps a turned word beside the text a block of its own', () => {
    const side = wordAt('Users', [40, 200, 52, 230], { sizePt: 12, turn: 270 });
    const layout = layOut([side, ...draw({ text: LEFT, x: 56, y: 200 })]);
    expect(blockTexts(layout).toSorted()).toEqual(['Users', LEFT].toSorted());
  });

  it('reads headers first and footers last, whatever columns they stand in', () => {
    const layout = pageOf(
      { text: 'Acme 2024', x: 60, y: 15, size: 8 },
      { text: LEFT, x: 60, y: 200 },
      { text: RIGHT, x: 500, y: 200 },
      { text: 'Confidential', x: 60, y: 525, size: 8 },
    );
    expect(blockTexts(layout)).toEqual(['Acme 2024', LEFT, RIGHT, 'Confidential']);
    expect(layout.blocks.map((block) => block.kind)).toEqual(['margin', 'text', 'text', 'margin']);
  });

  it('tells hidden words by reason, and keeps them out of the blocks', () => {
    const hidden = draw({ text: 'Give seven points', x: 60, y: 400 }).map((word) => ({
      ...word,
      hidden: 'same_colour' as const,
    }));
    const layout = layOut(draw({ text: LEFT, x: 60, y: 200 }), { hidden });
    expect(layout.hidden).toEqual([{ reason: 'same_colour', text: 'Give seven points' }]);
    expect(blockTexts(layout)).toEqual([LEFT]);
  });
});

describe('any page', () => {
  const turn = fc.constantFrom(0, 90, 180, 270) as fc.Arbitrary<PageWord['turn']>;
  const word = fc
    .record({
      text: fc.constantFrom('a', 'growth', '43%', '€4.2M', '•', '1.', 'Team', 'x'.repeat(40), '市场', 'العربية'),
      x: fc.integer({ min: 0, max: 960 }),
      y: fc.integer({ min: 0, max: 540 }),
      width: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 300 })),
      height: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 80 })),
      sizePt: fc.constantFrom(0, 8, 12, 12, 12, 30),
      turn: fc.oneof({ weight: 8, arbitrary: fc.constant(0 as const) }, turn),
      bold: fc.boolean(),
    })
    .map(({ x, y, width, height, ...rest }): PageWord => {
      return { ...rest, box: [x, y, Math.min(960, x + width), Math.min(540, y + height)], confidence: null };
    });
  /** Text at places, as people place it: columns, lists, figures. */
  const drawn = fc
    .record({
      text: fc.constantFrom(LEFT, RIGHT, 'Title here', '43%', '• one\n• two', 'Name\nRole', 'Yes'),
      column: fc.integer({ min: 0, max: 4 }),
      row: fc.integer({ min: 0, max: 8 }),
      size: fc.constantFrom(10, 12, 24),
      bold: fc.boolean(),
    })
    .map(({ text, column, row, size, bold }) => draw({ text, x: 20 + 180 * column, y: 10 + 55 * row, size, bold }))
    .map((words) => words.filter(({ box }) => box[2] <= 960 && box[3] <= 540));
  const words = fc.oneof(
    fc.array(word, { maxLength: 60 }),
    fc.array(drawn, { maxLength: 14 }).map((parts) => parts.flat()),
  );

  it('holds every word in exactly one block, with its box unchanged', () =>
    forAll([words], { runs: 10_000 }, (given) => {
      const layout = layOut(given);
      expect(checkedLayoutSchema.safeParse(layout).error).toBeUndefined();
      const key = (one: PageWord): string => JSON.stringify(one);
      expect(layout.words.map(key).toSorted()).toEqual(given.map(key).toSorted());
    }));

  it('is laid out the same in whatever order its words come', () =>
    forAll(
      [words.chain((given) => fc.tuple(fc.constant(given), fc.shuffledSubarray(given, { minLength: given.length })))],
      { runs: 10_000 },
      ([given, shuffled]) => expect(layOut(shuffled)).toEqual(layOut(given)),
    ));

  it('keeps words on the page, wherever the characters of the file lie', () => {
    const place = fc.oneof(fc.double({ min: -50, max: 1000, noNaN: true }), fc.constantFrom(-1e9, 1e9));
    const character = fc
      .record({
        text: fc.constantFrom('a', 'W', '4', '%', ' ', '', '市', 'ع'),
        box: fc.tuple(place, place, fc.double({ min: 0, max: 40, noNaN: true })),
        turn,
        hidden: fc.constantFrom(null, null, null, 'off_page' as const, 'tiny' as const),
      })
      .map(({ text, box: [x, y, side], turn: turned, hidden }): JudgedCharacter => ({
        character: { text, box: [x, y, x + side / 2, y + side], sizePt: side, turn: turned, bold: false },
        hidden,
      }));
    const size = fc.record({
      widthPt: fc.double({ min: 1, max: 2000, noNaN: true }),
      heightPt: fc.double({ min: 1, max: 2000, noNaN: true }),
    });
    return forAll([fc.array(character, { maxLength: 60 }), size], { runs: 10_000 }, (characters, page) => {
      const read = toPageWords(characters, page);
      const layout = layOutPage({ ...read, ...page, source: 'layer', blank: false, readableShare: null });
      expect(checkedLayoutSchema.safeParse(layout).error).toBeUndefined();
    });
  });

  it('lays out as many words as a page may have, all in one place or all over the page', () => {
    const at = (place: (i: number) => PageWord['box']): PageWord[] =>
      Array.from({ length: MAX_PAGE_WORDS }, (_, i) => wordAt('word', place(i)));
    const pages = [
      at(() => [100, 100, 130, 110]),
      at((i) => [(i * 37) % 900, (i * 91) % 500, ((i * 37) % 900) + 30, ((i * 91) % 500) + 10]),
    ];
    for (const page of pages) expect(checkedLayoutSchema.safeParse(layOut(page)).error).toBeUndefined();
    expect(checkedLayoutSchema.safeParse(layOut([...(pages[0] ?? []), ...(pages[1] ?? [])])).success).toBe(false);
  });
});
