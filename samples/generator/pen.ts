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
import type { FontFamily, Theme } from './spec.ts';

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
}

const fontFolder = join(dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')), 'ttf');
const fontBytes = new Map<string, Buffer>();

function fontSource(name: string): string | Buffer {
  if (!name.startsWith('DejaVu')) return name;
  const known = fontBytes.get(name) ?? readFileSync(join(fontFolder, `${name}.ttf`));
  fontBytes.set(name, known);
  return known;
}

const FONTS: Record<FontFamily, readonly [regular: string, bold: string]> = {
  helvetica: ['Helvetica', 'Helvetica-Bold'],
  times: ['Times-Roman', 'Times-Bold'],
  dejavu: ['DejaVuSans', 'DejaVuSans-Bold'],
  'dejavu-condensed': ['DejaVuSansCondensed', 'DejaVuSansCondensed-Bold'],
  'dejavu-serif': ['DejaVuSerifCondensed', 'DejaVuSerifCondensed-Bold'],
};

/** Facts about the PDF file itself. */
export interface DocumentFacts {
  readonly title: string;
  readonly createdAt: Date;
  readonly language: 'en' | 'de';
  /** Deflate streams. Off for committed files: the bytes then do not depend on the zlib of the machine. */
  readonly compress: boolean;
}

/** Draws one document. */
export class Pen {
  readonly doc: PDFKit.PDFDocument;
  readonly theme: Theme;
  readonly language: 'en' | 'de';
  readonly #chunks: Buffer[] = [];

  constructor(theme: Theme, facts: DocumentFacts) {
    this.theme = theme;
    this.language = facts.language;
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
    this.doc.addPage();
    this.fill({ x: 0, y: 0, width: PAGE_WIDTH, height: PAGE_HEIGHT }, color);
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
    this.doc.fillColor(style.color ?? this.theme.ink).text(text, x + shift, y, { lineBreak: false });
  }

  /** Ends the document and gives its bytes. */
  async finish(): Promise<Uint8Array> {
    const ended = new Promise<void>((resolve, reject) => {
      this.doc.once('end', resolve);
      this.doc.once('error', reject);
    });
    this.doc.end();
    await ended;
    return new Uint8Array(Buffer.concat(this.#chunks));
  }

  #use(style: TextStyle): void {
    this.doc.font(style.bold === true ? 'bold' : 'regular').fontSize(style.size);
  }
}
