/** A review as a PDF, as programs that read PDFs see it. */
import { expect, it } from 'vitest';
import sharp from 'sharp';
import { DOCUMENT_WORDS } from '../../../api/document/blocks.ts';
import { labelsOf } from '../../../api/decks/report/labels.ts';
import { renderPdf } from '../../../api/document/pdf/render.ts';
import type { AnalysisReport } from '../../../domain/decks/report.ts';
import { layoutsOf } from '../../../testing/read-pdf.ts';
import { reportWith, reviewOf, withQuestions } from './report-fixture.ts';

const A4 = { widthPt: 595, heightPt: 842 };

/** The text of each page, its words in reading order. */
async function pagesOf(report: AnalysisReport, images: ReadonlyMap<number, Uint8Array> = new Map()) {
  const layouts = await layoutsOf(await renderPdf(reviewOf(report), images));
  return layouts.map(({ words, widthPt, heightPt }) => ({
    text: words.map(({ text }) => text).join(' '),
    widthPt: Math.round(widthPt),
    heightPt: Math.round(heightPt),
  }));
}

const plain = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim();

it('has every section on A4 pages with their numbers, and the contents lead to the pages', async () => {
  const report = reportWith('Plain words');
  const pages = await pagesOf(report);
  const { sections } = reviewOf(report);
  expect(pages.length).toBeGreaterThan(1);
  for (const [index, page] of pages.entries()) {
    expect(page).toMatchObject(A4);
    expect(page.text).toContain(DOCUMENT_WORDS.en.page(index + 1, pages.length));
  }
  const [first] = pages;
  for (const { title } of sections) {
    const named = new RegExp(`${title} (?<page>\\d+)`, 'u').exec(first?.text ?? '')?.groups?.['page'];
    expect(pages[Number(named) - 1]?.text, title).toContain(title);
  }
});

it('keeps its text: umlauts, currencies, Greek, Cyrillic, quotes of the deck', async () => {
  const words = 'Größe 12 € · Ωμέγα · Привет';
  for (const language of ['en', 'de'] as const) {
    const text = plain((await pagesOf(reportWith(words, { language }))).map((page) => page.text).join(' '));
    expect(text).toContain(words);
    expect(text).toContain(labelsOf(language).provenance);
  }
});

it('shows the pictures of slides that are quoted, each once', async () => {
  const jpeg = await sharp({ create: { width: 64, height: 36, channels: 3, background: '#123456' } })
    .jpeg()
    .toBuffer();
  const images = new Map([1, 2, 40].map((slide) => [slide, jpeg]));
  const pdf = Buffer.from(await renderPdf(reviewOf(reportWith('x')), images)).toString('latin1');
  expect(pdf.match(/\/Subtype \/Image/gu)).toHaveLength(2);
});

it('breaks long texts over pages and loses none of them', async () => {
  const feedback = Array.from({ length: 900 }, (_, index) => `w${index}`).join(' ');
  const report = withQuestions(reportWith('x'), () => ({ rationale: feedback }));
  const all = (await pagesOf(report)).map(({ text }) => text).join(' ');
  for (let index = 0; index < 900; index += 1) expect(all.split(` w${index} `).length).toBeGreaterThanOrEqual(4);
});
