/**
 * A PDF to write on: A4, fonts that know more than Latin letters, lines of differently set pieces, page numbers and contents at the end.
 *
 * All measures are points.
 */
import { createRequire } from 'node:module';
import path from 'node:path';
import PDFDocument from 'pdfkit';
import type { Language } from '../../../domain/models/model-tasks.ts';

const folder = path.join(path.dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')), 'ttf');
/** By path: pdfkit keeps a font under the path it was opened with, and opens one that has another name again at every use. */
const FONTS = {
  regular: path.join(folder, 'DejaVuSansCondensed.ttf'),
  bold: path.join(folder, 'DejaVuSansCondensed-Bold.ttf'),
  italic: path.join(folder, 'DejaVuSansCondensed-Oblique.ttf'),
};
type Font = keyof typeof FONTS;

/** Text that is set in one way. */
export interface Piece {
  readonly text: string;
  readonly font?: Font;
  readonly colour?: string;
  readonly strike?: boolean;
  /** Name of the place that a click leads to. */
  readonly goTo?: string | null;
}

/** Where text stands: the left edge and the width. */
export interface Column {
  readonly x: number;
  readonly width: number;
}

const MARGIN = 48;
const FOOT = 60;
const INK = '#1b2330';
export const SOFT = '#566074';
const LINK = '#1d5fbf';
const RULE = '#dde2ea';
/** Space between lines of a paragraph. */
const LINE_GAP = 1.5;

/** Text on one line, without what no font shows. */
export const printable = (text: string): string => text.toWellFormed().replaceAll(/(?:(?!\u00A0)[\p{Cc}\s])+/gu, ' ');

/** A PDF while it is written. */
export class Paper {
  readonly doc: PDFKit.PDFDocument;
  /** The whole width. */
  readonly column: Column;
  readonly #chunks: Buffer[] = [];
  readonly #finished: Promise<void>;
  /** Lines of the contents: where the number of the page goes, and the page it names. */
  readonly #contents: { readonly page: number; readonly y: number; readonly id: string }[] = [];
  readonly #pageOf = new Map<string, number>();

  constructor(title: string, language: Language) {
    this.doc = new PDFDocument({
      size: 'A4',
      margins: { top: MARGIN, left: MARGIN, right: MARGIN, bottom: FOOT },
      bufferPages: true,
      lang: language,
      displayTitle: true,
      info: { Title: printable(title), Creator: 'Deckhand' },
      // In place of a standard font, which would be loaded without being used.
      font: FONTS.regular,
    });
    this.column = { x: MARGIN, width: this.doc.page.width - 2 * MARGIN };
    this.doc.on('data', (chunk: Buffer) => this.#chunks.push(chunk));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.doc.on('end', resolve);
    this.doc.on('error', reject);
    this.#finished = promise;
  }

  /** Room that is left on the page. */
  get room(): number {
    return this.doc.page.height - FOOT - this.doc.y;
  }

  /** Goes to the next page unless there is room for this much; nothing is taller than a page. */
  need(height: number): void {
    if (this.room < Math.min(height, this.doc.page.height - MARGIN - FOOT)) this.doc.addPage();
  }

  /** The document, set to write plain text of this size. */
  use(size: number): PDFKit.PDFDocument {
    return this.doc.font(FONTS.regular).fontSize(size).fillColor(INK);
  }

  /** Height that text takes. */
  heightOf(text: string, size: number, { width }: Column, font: Font = 'regular'): number {
    return this.doc.font(FONTS[font]).fontSize(size).heightOfString(printable(text), { width, lineGap: LINE_GAP });
  }

  /** Writes pieces one after the other, as a paragraph. */
  write(pieces: readonly Piece[], size: number, { x, width }: Column = this.column): void {
    const { doc } = this;
    const shown = pieces.map((piece) => ({ ...piece, text: printable(piece.text) })).filter(({ text }) => text !== '');
    doc.x = x;
    for (const [index, { text, font = 'regular', colour = INK, strike = false, goTo = null }] of shown.entries()) {
      const options = { width, lineGap: LINE_GAP, continued: index < shown.length - 1, strike, goTo };
      const color = goTo === null ? colour : LINK;
      // Null ends the link of the piece before; the types of the library lack it.
      doc
        .font(FONTS[font])
        .fontSize(size)
        .fillColor(color)
        .text(text, options as PDFKit.Mixins.TextOptions);
    }
    doc.x = this.column.x;
  }

  /** Leaves some space. */
  space(height: number): void {
    this.doc.y += height;
  }

  /** A thin line over the whole width. */
  rule(): void {
    const { x, width } = this.column;
    this.doc
      .moveTo(x, this.doc.y)
      .lineTo(x + width, this.doc.y)
      .lineWidth(0.5)
      .strokeColor(RULE)
      .stroke();
  }

  /** A line of the contents; {@link finish} adds the number of the page. */
  contentsLine(title: string, id: string, size: number): void {
    this.#contents.push({ page: this.doc.bufferedPageRange().count - 1, y: this.doc.y, id });
    this.write([{ text: title, goTo: id }], size, { x: this.column.x, width: this.column.width - 40 });
  }

  /** Marks a place that links lead to. @param title in the outline beside the pages; null for a place without an entry there */
  place(id: string, title: string | null): void {
    this.#pageOf.set(id, this.doc.bufferedPageRange().count - 1);
    this.doc.addNamedDestination(id, 'XYZ', this.column.x, this.doc.y, 0);
    if (title !== null) this.doc.outline.addItem(printable(title));
  }

  /**
   * Adds the page numbers and ends the document.
   *
   * @param foot text at the foot of a page
   */
  async finish(foot: (page: number, count: number) => string): Promise<Uint8Array> {
    const { doc } = this;
    const { count } = doc.bufferedPageRange();
    for (const { page, y, id } of this.#contents) {
      doc.switchToPage(page);
      this.#right(String((this.#pageOf.get(id) ?? 0) + 1), y, 10);
    }
    for (let page = 0; page < count; page += 1) {
      doc.switchToPage(page);
      // Text below the margin would begin a new page.
      doc.page.margins.bottom = 0;
      this.#right(foot(page + 1, count), doc.page.height - FOOT + 24, 8);
    }
    doc.end();
    await this.#finished;
    return Buffer.concat(this.#chunks);
  }

  #right(text: string, y: number, size: number): void {
    const { x, width } = this.column;
    const options = { width, align: 'right', lineBreak: false } as const;
    this.doc.font(FONTS.regular).fontSize(size).fillColor(SOFT).text(printable(text), x, y, options);
  }
}
