/** Units of drawn pages come out of a real PDF as they were drawn. */
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import PDFDocument from 'pdfkit';
import { expect, it } from 'vitest';
import {
  DRAWN_KINDS,
  drawnPage,
  LEADING,
  PAGE_HEIGHT,
  PAGE_WIDTH,
  type DrawnPage,
  type DrawnText,
} from '../../../testing/drawn-units.ts';
import { faultyUnits } from '../../../testing/joined-units.ts';
import { layoutsOf } from '../../../testing/read-pdf.ts';

function pdfOf(pages: readonly DrawnPage[]): Promise<Buffer> {
  const pdf = new PDFDocument({ size: [PAGE_WIDTH, PAGE_HEIGHT], margin: 0, autoFirstPage: false });
  const bytes = buffer(pdf);
  for (const { others, units } of pages) {
    pdf.addPage();
    for (const text of [...others, ...units.flatMap(({ texts }) => texts)]) write(pdf, text);
  }
  pdf.end();
  return bytes;
}

function write(pdf: PDFKit.PDFDocument, { lines, x, align, y, size, bold }: DrawnText): void {
  pdf.font(bold ? 'Helvetica-Bold' : 'Helvetica').fontSize(size);
  for (const [index, line] of lines.entries()) {
    const width = pdf.widthOfString(line);
    const left = align === 'left' ? x : align === 'right' ? x - width : x - width / 2;
    pdf.text(line, left, y + index * LEADING * size, { lineBreak: false });
  }
}

it('the units of a PDF are quoted whole and alone', async () => {
  const pages = DRAWN_KINDS.flatMap((kind) => fc.sample(drawnPage(kind), { numRuns: 4, seed: 34 }));
  const layouts = await layoutsOf(await pdfOf(pages));
  expect(layouts).toHaveLength(pages.length);
  for (const [at, layout] of layouts.entries()) {
    const page = pages[at];
    expect(page === undefined ? null : faultyUnits(page, layout)).toEqual([]);
  }
});
