/** The first page of decks whose facts stand in cards, tables and legends: from the drawn page to the summary. */
import { buffer } from 'node:stream/consumers';
import PDFDocument from 'pdfkit';
import { expect, it } from 'vitest';
import { checkFact, typedValue } from '../../../domain/profile/facts.ts';
import { factsOfTopic, profileSchema } from '../../../domain/profile/schema.ts';
import { PROFILE_TOPICS } from '../../../domain/profile/topics.ts';
import type { AnalysisReport } from '../../../domain/decks/report.ts';
import { summaryOf, type Topic } from '../../../domain/decks/review/summary.ts';
import { deckBlock } from '../../../domain/models/prompt-assembly.ts';
import { textOfPages } from '../../../domain/pages/deck-pages.ts';
import { layoutsOf } from '../../../testing/read-pdf.ts';
import { NOT_JUDGED, reportWith } from '../../unit/api/report-fixture.ts';
import { ask } from '../../unit/reader/ask.ts';

type Draw = (page: PDFKit.PDFDocument) => void;

/** Draws a deck with a cover, a page on the problem, and the given pages. */
async function drawn(pages: readonly (readonly [title: string, draw: Draw])[]): Promise<Buffer> {
  const deck = new PDFDocument({ size: [960, 540], margin: 40, autoFirstPage: false });
  const bytes = buffer(deck);
  const lines =
    (...texts: readonly string[]): Draw =>
    (page) =>
      texts.forEach((text, at) => page.fontSize(18).text(text, 60, 140 + at * 60, { lineBreak: false }));
  const all: readonly (readonly [string, Draw])[] = [
    ['Tannrad', lines('Tannrad lends cargo bikes to village shops', '© Tannrad GmbH')],
    ['Problem', lines('Village shops cannot deliver without a car.')],
    ...pages,
  ];
  for (const [title, draw] of all) {
    deck.addPage();
    deck.fontSize(30).text(title, 60, 40, { lineBreak: false });
    draw(deck);
  }
  deck.end();
  return bytes;
}

/** Lines of the summary on a topic, as the review of such a deck has them, and the verdicts of their quotes. */
async function summaryLines(
  pdf: Uint8Array,
  topic: Topic,
): Promise<{ readonly lines: string[]; readonly verdicts: string[] }> {
  const layouts = await layoutsOf(pdf);
  const { pages, running } = textOfPages(layouts.map((layout, at) => ({ number: at + 1, layout })));
  const block = deckBlock(
    pages.map((page) => ({ ...page, description: null })),
    running,
  );
  const output = profileSchema.parse(ask('extract_profile', block));
  const topics = PROFILE_TOPICS.map((each): AnalysisReport['profile']['topics'][number] => {
    const facts = factsOfTopic(output, each).map((fact) => {
      const { slide, quote, name, value } = fact;
      const check = checkFact(each, fact, quote, layouts[slide - 1] ?? null);
      const evidence = [{ ...NOT_JUDGED, slide, quote, verdict: check.verdict, reason: check.reason, boxes: null }];
      return { name, value, ...typedValue(each, fact), evidence };
    });
    return { topic: each, status: facts.length > 0 ? 'found' : 'not_found', facts, evidence: [] };
  });
  const base = reportWith('x', { extractions: [] });
  const found = summaryOf({ ...base, profile: { ...base.profile, topics } }).find((each) => each.topic === topic);
  return {
    lines: (found?.facts ?? []).map(({ text }) => text),
    verdicts: (found?.facts ?? []).flatMap(({ evidence }) => evidence.map(({ verdict }) => verdict)),
  };
}

const card = (page: PDFKit.PDFDocument, left: number, top: number, texts: readonly string[]): void => {
  page.rect(left, top, 240, 150).stroke('#888888');
  texts.forEach((text, at) =>
    page
      .fillColor('#000000')
      .fontSize(at === 1 ? 28 : 16)
      .text(text, left + 16, top + 16 + at * 42, { lineBreak: false }),
  );
};

it('the market line has the sizes of three cards with their levels', async () => {
  const pdf = await drawn([
    [
      'Market',
      (page) => {
        card(page, 60, 140, ['TAM', '€8.6B', 'all village shops in Europe']);
        card(page, 340, 140, ['SAM', '€1.2B', 'shops in the Alps']);
        card(page, 620, 140, ['SOM', '€48M', 'reachable in four years']);
      },
    ],
  ]);
  const { lines, verdicts } = await summaryLines(pdf, 'market');
  expect(lines).toEqual([
    'TAM (all village shops in Europe) €8.6B',
    'SAM (shops in the Alps) €1.2B',
    'SOM (reachable in four years) €48M',
  ]);
  expect(verdicts).toEqual(['verified', 'verified', 'verified']);
});

it('the market line has the sizes of circles whose labels stand apart', async () => {
  const pdf = await drawn([
    [
      'Market size',
      (page) => {
        for (const [at, size] of ['€8.6B', '€1.2B', '€48M'].entries()) {
          page.circle(260, 340 + at * 20, 150 - at * 45).stroke('#4477aa');
          page
            .fillColor('#000000')
            .fontSize(20)
            .text(size, 230, 200 + at * 90, { lineBreak: false });
        }
        ['TAM: village shops in Europe', 'SAM: shops in the Alps', 'SOM: four years'].forEach((text, at) =>
          page.fontSize(16).text(text, 560, 200 + at * 90, { lineBreak: false }),
        );
      },
    ],
  ]);
  const { lines } = await summaryLines(pdf, 'market');
  expect(lines.map((line) => line.replace(/ \(.*\)/u, ''))).toEqual(['TAM €8.6B', 'SAM €1.2B', 'SOM €48M']);
});

const RIVALS = [
  ['', 'Rent a month', 'Bikes', 'Insured'],
  ['Tannrad', '€21', '1,900', 'yes'],
  ['Lastenfix', '€34', '700', 'no'],
  ['Kargovelo', '€29', '1,150', 'no'],
];

/** A table with ruled rows. */
const table =
  (rows: readonly (readonly string[])[], width: number): Draw =>
  (page) =>
    rows.forEach((cells, row) => {
      page
        .moveTo(60, 190 + row * 50)
        .lineTo(60 + width * cells.length, 190 + row * 50)
        .stroke('#888888');
      cells.forEach((cell, column) =>
        page.fontSize(16).text(cell, 68 + column * width, 160 + row * 50, { lineBreak: false }),
      );
    });

it('competitors are named from the rows of a table, quoted with their headings', async () => {
  const { lines, verdicts } = await summaryLines(await drawn([['Competition', table(RIVALS, 190)]]), 'competition');
  expect(lines).toEqual(['Lastenfix', 'Kargovelo']);
  expect(verdicts).toEqual(['verified', 'verified']);
});

it('competitors are named from the columns of a table', async () => {
  const turned = (RIVALS[0] ?? []).map((_, column) => RIVALS.map((row) => row[column] ?? ''));
  const { lines, verdicts } = await summaryLines(await drawn([['Competition', table(turned, 190)]]), 'competition');
  expect(lines).toEqual(['Lastenfix', 'Kargovelo']);
  expect(verdicts).toEqual(['verified', 'verified']);
});

it('the use of funds is whole from a legend beside a pie, each with its share', async () => {
  const uses = [
    ['Bikes', '45 %'],
    ['Sales', '30 %'],
    ['Software', '15 %'],
    ['Administration', '10 %'],
  ] as const;
  const pdf = await drawn([
    [
      'Use of funds',
      (page) => {
        page.circle(240, 320, 120).stroke('#4477aa');
        uses.forEach(([name, share], at) => {
          page.rect(480, 200 + at * 50, 14, 14).fill('#4477aa');
          page
            .fillColor('#000000')
            .fontSize(18)
            .text(name, 510, 198 + at * 50, { lineBreak: false });
          page.text(share, 700, 198 + at * 50, { lineBreak: false });
        });
      },
    ],
  ]);
  const { lines, verdicts } = await summaryLines(pdf, 'use_of_funds');
  expect(lines).toEqual(uses.map((use) => use.join(' ')));
  expect(new Set(verdicts)).toEqual(new Set(['verified']));
});

it('people are named with their roles from cards', async () => {
  const pdf = await drawn([
    [
      'Team',
      (page) => {
        card(page, 60, 140, ['Ada Example', 'CEO', 'Ran a rail company']);
        card(page, 340, 140, ['Bo Sample', 'Head of workshop', 'Built 900 bikes']);
      },
    ],
  ]);
  expect((await summaryLines(pdf, 'team')).lines).toEqual(['Ada Example (CEO)', 'Bo Sample (Head of workshop)']);
});
