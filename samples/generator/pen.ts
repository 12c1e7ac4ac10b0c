/**
 * The drawing surface of a deck: a pdfkit document at 16:9 with the theme's fonts, and text that never spills onto another page.
 *
 * All measures are PDF points on a page of 960 × 540. pdfkit adds a page when text crosses the foot of one, so every text goes through
 * `Pen.text`, which turns that off.
 */
import PDFDocument from 'pdfkit';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { piecesOf, writtenOrder, type PlacedLine } from './exporters.ts';
import { outlinesOf, pictureOfText } from './outlines.ts';
import { randomFrom } from './random.ts';
import type { Drawing, Theme } from './spec.ts';

/** Page width in points. */
export const PAGE_WIDTH = 960;
/** Page height in points. */
export const PAGE_HEIGHT = 540;

/** A rectangle in points, y growing downwards. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** How a piece of text is set. Sizes in points. */
export interface TextStyle {
  readonly size: number;
  readonly bold?: boolean;
  readonly color?: string;
  readonly align?: 'left' | 'center' | 'right';
  readonly lineGap?: number;
  /** What the text is on the page; body by default. */
  readonly role?: PlacedLine['role'];
}

const fontFolder = join(dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')), 'ttf');
const fontBytes = new Map<string, Buffer>();

function fontSource(name: string): string | Buffer {
  if (!name.startsWith('DejaVu')) return name;
  const known = fontBytes.get(name) ?? readFileSync(join(fontFolder, `${name}.ttf`));
  fontBytes.set(name, known);
  return known;
}

const FONTS: Record<Theme['font'], readonly [regular: string, bold: string]> = {
  helvetica: ['Helvetica', 'Helvetica-Bold'],
  times: ['Times-Roman', 'Times-Bold'],
  dejavu: ['DejaVuSans', 'DejaVuSans-Bold'],
  'dejavu-condensed': ['DejaVuSansCondensed', 'DejaVuSansCondensed-Bold'],
  'dejavu-serif': ['DejaVuSerifCondensed', 'DejaVuSerifCondensed-Bold'],
};

/** Distance of the letters of a spaced headline, in parts of their size. */
const HEADING_SPACING = 0.28;

/** Learns where an entry of a block is drawn: the slide from 1, the words by which the entry is known, and its box on the upright page. */
export type EntryListener = (slide: number, entry: string, box: Box) => void;

/** Facts about the PDF file itself. */
export interface DocumentFacts {
  readonly title: string;
  readonly createdAt: Date;
  readonly language: string;
  /** How the text gets into the file; as it is placed, by default. */
  readonly drawing?: Drawing;
  readonly onEntry?: EntryListener;
  /** Deflate streams. Off for committed files: the bytes then do not depend on the zlib of the machine. */
  readonly compress: boolean;
}

/** Draws one document. */
export class Pen {
  readonly doc: PDFKit.PDFDocument;
  readonly theme: Theme;
  readonly language: string;
  readonly #drawing: Drawing | undefined;
  readonly #onEntry: EntryListener | undefined;
  #slide = 0;
  readonly #chunks: Buffer[] = [];
  /** Lines of the page that are not in the file yet. */
  #placed: PlacedLine[] = [];
  #group = 0;

  constructor(theme: Theme, facts: DocumentFacts) {
    this.theme = theme;
    this.language = facts.language;
    this.#drawing = facts.drawing;
    this.#onEntry = facts.onEntry;
    this.doc = new PDFDocument({
      size: [PAGE_WIDTH, PAGE_HEIGHT],
      margin: 0,
      autoFirstPage: false,
      compress: facts.compress,
      // No default font: it would be read for nothing.
      font: '',
      lang: facts.language,
      info: {
        Title: facts.title,
        CreationDate: facts.createdAt,
        Producer: 'deckhand samples',
        Creator: 'deckhand samples',
      },
    });
    this.doc.on('data', (chunk: Buffer) => this.#chunks.push(chunk));
    const [regular, bold] = FONTS[theme.font];
    this.doc.registerFont('regular', fontSource(regular));
    this.doc.registerFont('bold', fontSource(bold));
  }

  /** Starts a page painted in one colour. */
  page(color: string = this.theme.background): void {
    this.#writePlaced();
    this.#slide += 1;
    const turn = this.#drawing?.turn ?? 0;
    if (turn === 0) this.doc.addPage();
    else {
      this.doc.addPage({ size: [PAGE_HEIGHT, PAGE_WIDTH], margin: 0 });
      (this.doc.page.dictionary.data as Record<string, unknown>)['Rotate'] = turn;
      if (turn === 90) this.doc.transform(0, -1, 1, 0, 0, PAGE_WIDTH);
      else this.doc.transform(0, 1, -1, 0, PAGE_HEIGHT, 0);
    }
    this.fill({ x: 0, y: 0, width: PAGE_WIDTH, height: PAGE_HEIGHT }, color);
  }

  /** Says that an entry of a block, known by these words, is drawn in this box. */
  entry(words: string, box: Box): void {
    this.#onEntry?.(this.#slide, words, box);
  }

  /** Paints a rectangle, with rounded corners when a radius is given. */
  fill(box: Box, color: string, radius = 0): void {
    this.doc.roundedRect(box.x, box.y, box.width, box.height, radius).fill(color);
  }

  /** Strokes a straight line. */
  line(fromX: number, fromY: number, toX: number, toY: number, color: string, width = 1): void {
    this.doc.moveTo(fromX, fromY).lineTo(toX, toY).lineWidth(width).stroke(color);
  }

  /** Paints a disc. */
  disc(x: number, y: number, radius: number, color: string): void {
    this.doc.circle(x, y, radius).fill(color);
  }

  /** Height in points of a text set in a given width; infinite when a word is wider than that and would be torn apart. */
  heightOf(text: string, width: number, style: TextStyle): number {
    this.#use(style);
    for (const word of text.split(/[ -]/)) if (this.doc.widthOfString(word) > width) return Infinity;
    return this.doc.heightOfString(text, { width, lineGap: style.lineGap ?? style.size * 0.18 });
  }

  /** Width in points of a text on one line. */
  widthOf(text: string, style: TextStyle): number {
    this.#use(style);
    return this.doc.widthOfString(text);
  }

  /** Sets a text with its top left corner at the point; returns the height used. */
  text(text: string, x: number, y: number, width: number, style: TextStyle): number {
    const height = this.heightOf(text, width, style);
    if (this.#drawing !== undefined) {
      this.#placeLines(text, x, y, width, style);
      return height;
    }
    this.doc.fillColor(style.color ?? this.theme.ink);
    this.doc.text(text, x, y, {
      width,
      height: Math.max(height, style.size * 1.3) + 1,
      align: style.align ?? 'left',
      lineGap: style.lineGap ?? style.size * 0.18,
    });
    return height;
  }

  /** Sets a text on one line, smaller if it would not fit. */
  oneLine(text: string, x: number, y: number, width: number, style: TextStyle): void {
    const needed = this.widthOf(text, style);
    const size = needed > width ? (style.size * width) / needed - 0.1 : style.size;
    this.#use({ ...style, size });
    const free = width - this.doc.widthOfString(text);
    const shift = style.align === 'center' ? free / 2 : style.align === 'right' ? free : 0;
    if (this.#drawing !== undefined) {
      this.#place(text, x + shift, y, { ...style, size });
      return;
    }
    this.doc.fillColor(style.color ?? this.theme.ink).text(text, x + shift, y, { lineBreak: false });
  }

  /** Sets a headline; on one line where the deck spaces the letters of its headlines. Returns the height used. */
  headline(text: string, x: number, y: number, width: number, style: TextStyle): number {
    const heading: TextStyle = { ...style, role: 'heading' };
    switch (this.#drawing?.headings) {
      case 'blanks':
        this.oneLine(Array.from(text.toUpperCase()).join(' '), x, y, width, heading);
        return this.heightOf('X', width, style);
      case 'spaced': {
        const wanted = this.widthOf(text, style) + text.length * style.size * HEADING_SPACING;
        const size = style.size * Math.min(1, (width - 4) / wanted);
        this.#place(text, x, y, { ...heading, size }, size * HEADING_SPACING);
        return this.heightOf('X', width, style);
      }
      case 'plain':
      case undefined:
        return this.text(text, x, y, width, heading);
    }
  }

  /** Sets a text as a picture. Returns the height used. */
  async picture(text: string, x: number, y: number, style: TextStyle): Promise<number> {
    this.#use(style);
    const { png, width, height } = await pictureOfText(this.doc, text, style.size, style.color ?? this.theme.ink);
    this.doc.image(png, x, y, { width, height });
    return height;
  }

  /** Sets a text on one line as the outlines of its letters. The font has to be an embedded one. Returns the width used. */
  outlined(text: string, x: number, y: number, style: TextStyle): number {
    this.#use(style);
    this.#outline(text, x, y, style.size, style.color ?? this.theme.ink, 0);
    return this.widthOf(text, style);
  }

  /** Ends the document and gives its bytes. */
  async finish(): Promise<Uint8Array> {
    const ended = new Promise<void>((resolve, reject) => {
      this.doc.once('end', resolve);
      this.doc.once('error', reject);
    });
    this.#writePlaced();
    this.doc.end();
    await ended;
    return new Uint8Array(Buffer.concat(this.#chunks));
  }

  #use(style: TextStyle): void {
    this.doc.font(style.bold === true ? 'bold' : 'regular').fontSize(style.size);
  }

  #placeLines(text: string, x: number, y: number, width: number, style: TextStyle): void {
    this.#use(style);
    const step = this.doc.currentLineHeight(true) + (style.lineGap ?? style.size * 0.18);
    this.#group += 1;
    this.#linesOf(text, width).forEach((line, index) => {
      const free = width - this.doc.widthOfString(line);
      const shift = style.align === 'center' ? free / 2 : style.align === 'right' ? free : 0;
      this.#place(line, x + shift, y + index * step, style, 0, this.#group);
    });
  }

  /** Fills lines with words; a word may be parted behind a hyphen. */
  #linesOf(text: string, width: number): string[] {
    const lines: string[] = [];
    for (const paragraph of text.split('\n')) {
      let line = '';
      for (const word of paragraph.split(/(?<=[ -])/u)) {
        if (line !== '' && this.doc.widthOfString((line + word).trimEnd()) > width) {
          lines.push(line.trimEnd());
          line = '';
        }
        line += word;
      }
      lines.push(line.trimEnd());
    }
    return lines;
  }

  #place(text: string, x: number, y: number, style: TextStyle, spacing = 0, group = (this.#group += 1)): void {
    const { size, bold = false, color = this.theme.ink, role = 'body' } = style;
    this.#placed.push({ text, x, y, size, bold, color, spacing, group, role });
  }

  /** Writes the text of the page that ends, in the order of the program that the deck comes from. */
  #writePlaced(): void {
    const exporter = this.#drawing?.exporter ?? null;
    const lines =
      exporter === null ? this.#placed : writtenOrder(this.#placed, exporter, randomFrom(`${exporter}/${this.#group}`));
    this.#placed = [];
    for (const line of lines) this.#write(line, exporter);
  }

  #write(line: PlacedLine, exporter: Drawing['exporter']): void {
    const { text, x, y, size, bold, color, spacing } = line;
    this.#use({ size, bold });
    this.doc.fillColor(color);
    if (this.#drawing?.outlines === true) {
      this.#outline(text, x, y, size, color, spacing);
      return;
    }
    for (const piece of piecesOf(text, exporter)) {
      const before = text.slice(0, piece.at);
      const shift = this.doc.widthOfString(before) + before.length * spacing;
      this.doc.text(piece.text, x + shift, y, { lineBreak: false, characterSpacing: spacing });
    }
  }

  #outline(text: string, x: number, y: number, size: number, color: string, spacing: number): void {
    const { outlines, ascent } = outlinesOf(this.doc, text, size, spacing);
    for (const outline of outlines) {
      if (outline.path === '') continue;
      this.doc
        .save()
        .translate(x + outline.x, y + ascent)
        .path(outline.path)
        .fill(color)
        .restore();
    }
  }
}
