/** A document as a PDF: A4, with contents, page numbers, links and small pictures of the slides that it refers to. */
import { setImmediate } from 'node:timers/promises';
import {
  type Block,
  type Document,
  DOCUMENT_WORDS,
  type Entry,
  type Group,
  lineOf,
  type Section,
  type SlideCard,
  slideCards,
  type Table,
} from '../blocks.ts';
import { chartTable } from '../chart.ts';
import { COLOURS, paragraph, pieces, placeOf, type Print, SIZE, textOf } from './lines.ts';
import { type Column, Paper, printable, SOFT } from './paper.ts';

const SMALL = 8;
const INDENT = 12;
const FACT_WIDTH = 104;
const CARDS_IN_ROW = 3;
const CARD_GAP = 14;

/** Height of an entry, to keep it on one page where it is short. */
const heightOf = (print: Print, { head, lines }: Entry, column: Column): number =>
  [head, ...lines].reduce((sum, line) => sum + print.paper.heightOf(textOf(print, line), SIZE, column) + 2, 0);

function listEntry(print: Print, entry: Entry): void {
  const { paper } = print;
  const column = { x: paper.column.x + INDENT, width: paper.column.width - INDENT };
  paper.need(Math.min(heightOf(print, entry, column), 120));
  paper.doc.circle(paper.column.x + 4, paper.doc.y + SIZE * 0.65, 1.4).fill(SOFT);
  paragraph(print, entry.head, column);
  for (const line of entry.lines) paragraph(print, line, column);
  paper.space(2);
}

/** A name at the left, what is said on it beside it. */
function fact(print: Print, { head, lines }: Entry): void {
  const { paper } = print;
  const column = { x: paper.column.x + FACT_WIDTH, width: paper.column.width - FACT_WIDTH };
  paper.need(Math.min(heightOf(print, { head: [], lines }, column), 120));
  const top = paper.doc.y;
  paper.write([{ text: textOf(print, head), colour: SOFT }], SIZE, { x: paper.column.x, width: FACT_WIDTH - 10 });
  const below = paper.doc.y;
  paper.doc.y = top;
  for (const line of lines) paragraph(print, line, column);
  // The name is on the page on which the text began.
  if (paper.doc.y > top) paper.doc.y = Math.max(paper.doc.y, below);
  paper.space(3);
}

/** Their bars in front of all, then each. */
function groups(print: Print, all: readonly Group[]): void {
  const { paper } = print;
  const [name, width, height] = [160, 240, 7];
  for (const { title, aside, bar } of all) {
    if (bar === null) continue;
    paper.need(16);
    const { doc, column } = paper;
    const y = doc.y;
    paper.write([{ text: title }], SIZE, { x: column.x, width: name });
    const below = doc.y;
    doc.rect(column.x + name, y + 3, width, height).fill('#eef0f4');
    doc.rect(column.x + name, y + 3, width * bar.share, height).fill(COLOURS[bar.colour]);
    doc.y = y;
    paper.write([{ text: textOf(print, aside) }], SIZE, { x: column.x + name + width + 12, width: 90 });
    doc.y = Math.max(below, doc.y) + 2;
  }
  for (const { title, aside, blocks } of all) {
    // With the first answer under it.
    paper.need(150);
    paper.space(6);
    paper.write([{ text: title, font: 'bold' }, { text: '   ' }, ...pieces(print, aside)], 10.5);
    paper.space(3);
    for (const inner of blocks) block(print, inner);
  }
}

function table(print: Print, { head, rows, words }: Table): void {
  const { paper } = print;
  const align = (column: number) => ({ x: column < words ? ('left' as const) : ('right' as const) });
  paper.need(60);
  paper.use(SMALL - 0.5).table({
    defaultStyle: { border: [0, 0, 0.5, 0], borderColor: '#dde2ea', padding: [2, 4, 2, 0] },
    columnStyles: (column) => ({ width: column < words ? '*' : 58, align: align(column) }),
    data: [head, ...rows].map((cells) => cells.map((cell) => printable(textOf(print, lineOf(cell))))),
  });
  paper.space(6);
}

/** Slides side by side, with their pictures. */
function cardRows(print: Print, slides: readonly SlideCard[]): void {
  const { paper, images, cards } = print;
  const shown = slides.filter(({ number }) => cards.has(number));
  const width = (paper.column.width - (CARDS_IN_ROW - 1) * CARD_GAP) / CARDS_IN_ROW;
  const pictureHeight = (width * 9) / 16;
  const textHeight = ({ number, title, lines }: SlideCard): number =>
    paper.heightOf(`${number}. ${title}`, SMALL, { x: 0, width }, 'bold') +
    lines.reduce((sum, line) => sum + paper.heightOf(textOf(print, line), SMALL, { x: 0, width }), 0);
  for (let from = 0; from < shown.length; from += CARDS_IN_ROW) {
    const row = shown.slice(from, from + CARDS_IN_ROW);
    const hasPicture = row.some(({ number }) => images.has(number));
    const height = (hasPicture ? pictureHeight + 4 : 0) + Math.max(...row.map(textHeight));
    paper.need(height);
    const top = paper.doc.y;
    for (const [index, card] of row.entries()) {
      const column = { x: paper.column.x + index * (width + CARD_GAP), width };
      const picture = images.get(card.number);
      paper.doc.y = top;
      paper.place(placeOf(card.number), null);
      if (picture !== undefined) {
        paper.doc.image(Buffer.from(picture), column.x, top, { fit: [width, pictureHeight] });
      }
      paper.doc.y = hasPicture ? top + pictureHeight + 4 : top;
      paper.write([{ text: `${card.number}. ${card.title}`, font: 'bold' }], SMALL, column);
      for (const line of card.lines) paper.write(pieces(print, line), SMALL, column);
    }
    paper.doc.y = top + height + CARD_GAP;
  }
}

function block(print: Print, each: Block): void {
  const { paper } = print;
  switch (each.is) {
    case 'line':
      paragraph(print, each.line, paper.column);
      return;
    case 'notice': {
      const text = textOf(print, each.line);
      const column = { x: paper.column.x + 8, width: paper.column.width - 16 };
      const height = paper.heightOf(text, SIZE, column) + 8;
      paper.need(height);
      const top = paper.doc.y;
      paper.doc.rect(paper.column.x, top, paper.column.width, height).fill('#fff6dd');
      if (each.warning) paper.doc.rect(paper.column.x, top, 3, height).fill(COLOURS.weak);
      paper.doc.y = top + 4;
      paper.write([{ text }], SIZE, column);
      paper.doc.y = top + height + 6;
      return;
    }
    case 'list':
      for (const entry of each.entries) listEntry(print, entry);
      return;
    case 'facts':
      for (const entry of each.facts) fact(print, entry);
      return;
    case 'groups':
      groups(print, each.groups);
      return;
    case 'slides':
      cardRows(print, each.slides);
      return;
    case 'table':
      table(print, each);
      return;
    case 'chart':
      table(print, chartTable(each));
      return;
  }
}

function section(print: Print, { id, title, blocks }: Section): void {
  const { paper } = print;
  paper.need(110);
  paper.space(10);
  paper.rule();
  paper.space(8);
  paper.place(id, title);
  paper.write([{ text: title, font: 'bold' }], 13);
  paper.space(5);
  for (const each of blocks) block(print, each);
}

function head(print: Print, { title, head: { first = null, figure, blocks }, sections }: Document): void {
  const { paper, words } = print;
  paper.write([{ text: title, font: 'bold' }], 20);
  paper.space(4);
  if (first !== null) block(print, first);
  if (figure !== null) {
    const { name, value, unit, tone, lines } = figure;
    const shown = value ?? '–';
    const top = paper.doc.y + 2;
    paper.doc.y = top;
    paper.write([{ text: shown, font: 'bold', ...(tone === null ? {} : { colour: COLOURS[tone] }) }], 26);
    const below = paper.doc.y;
    const left = Math.max(62, paper.doc.widthOfString(shown) + 12);
    paper.doc.y = top + 2;
    const column = { x: paper.column.x + left, width: paper.column.width - left };
    for (const line of [[{ soft: name }], ...(unit === null ? [] : [[unit]]), ...lines])
      paper.write(pieces(print, line), SIZE, column);
    paper.doc.y = Math.max(below, paper.doc.y) + 6;
  }
  for (const each of blocks) block(print, each);
  paper.space(8);
  paper.need(20 + sections.length * 15);
  paper.write([{ text: words.contents, font: 'bold' }], 11);
  paper.space(3);
  for (const { id, title: name } of sections) paper.contentsLine(name, id, 10);
}

/**
 * The document as a PDF.
 *
 * @param images slide pictures as JPEG; a slide without one is shown without
 */
export async function renderPdf(document: Document, images: ReadonlyMap<number, Uint8Array>): Promise<Uint8Array> {
  const { language, title, sections } = document;
  const words = DOCUMENT_WORDS[language];
  const paper = new Paper(title, language);
  const cards = new Set(slideCards(document).flatMap(({ number, referred }) => (referred ? [number] : [])));
  const print: Print = { paper, words, images, cards };
  head(print, document);
  for (const each of sections) {
    section(print, each);
    // Text is measured for some hundred milliseconds in all; other requests go on in between.
    await setImmediate();
  }
  return paper.finish((page, count) => `${title} · ${words.page(page, count)}`);
}
