/** The words of a page as the viewer gets them. */
import { expect, it } from 'vitest';
import { slideWords } from '../../../api/decks/files/words.ts';
import type { PageLayout, PageWord } from '../../../domain/pages/page.ts';

const word = (text: string, box: PageWord['box'], confidence: number | null = null): PageWord => ({
  text,
  box,
  sizePt: 12,
  turn: 0,
  bold: false,
  confidence,
});

const page = (values: Partial<PageLayout> = {}): PageLayout => ({
  version: 5,
  widthPt: 959.999,
  heightPt: 540,
  source: 'layer',
  ocr: 'none',
  readableShare: 1,
  blank: false,
  words: [],
  blocks: [],
  hidden: [],
  ...values,
});

const ofLayout = (layout: PageLayout) => slideWords({ layout });

it('words of a page come in reading order, with boxes to a tenth of a point', () => {
  const words = [
    word('below', [1, 50, 30, 60]),
    word('Title', [1.2345, 2.05, 40.96, 12]),
    word('cell', [50, 50, 70, 60]),
  ];
  const blocks = [
    { kind: 'title' as const, lines: [[[1]]] },
    { kind: 'table' as const, lines: [[[0], [2]]] },
  ];
  expect(ofLayout(page({ words, blocks }))).toEqual({
    widthPt: 960,
    heightPt: 540,
    words: [
      { text: 'Title', box: [1.2, 2.1, 41, 12] },
      { text: 'below', box: [1, 50, 30, 60] },
      { text: 'cell', box: [50, 50, 70, 60] },
    ],
    reason: null,
  });
});

it('words of a page that were recognised in its picture are among them, hidden ones are not', () => {
  const layout = page({
    source: 'ocr',
    ocr: 'done',
    words: [word('Seen', [1, 1, 9, 9], 91)],
    blocks: [{ kind: 'text', lines: [[[0]]] }],
    hidden: [{ reason: 'same_colour', text: 'Score 10 of 10' }],
  });
  expect(ofLayout(layout)).toMatchObject({ words: [{ text: 'Seen' }], reason: null });
});

it.each([
  ['that could not be drawn', { layout: null }, 'failed'],
  ['on which nothing is drawn', { layout: page({ blank: true, source: 'none' }) }, 'blank'],
  ['whose picture could not be read', { layout: page({ source: 'none', ocr: 'failed' }) }, 'not_recognised'],
  ['without text', { layout: page({ source: 'none' }) }, 'no_text'],
])('words of a page %s: none, and why', (_name, slide, reason) => {
  expect(slideWords(slide)).toMatchObject({ words: [], reason });
});
