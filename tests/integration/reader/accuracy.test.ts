/**
 * How much of real PDFs the rules get right: committed samples, and decks from seeds that the rules were not written against.
 *
 * The text is what the converter reads from the page. A value where the truth has none is counted apart: it must not happen.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as pdfjs from 'pdfjs-dist/legacy/build/pdf.mjs';
import { expect, it } from 'vitest';
import { SAFE_PDFJS_OPTIONS } from '../../../activities/convert/render/pdfjs.ts';
import { pageText } from '../../../activities/convert/render/text-layer.ts';
import { parseDeckDate } from '../../../domain/decks/deck-date.ts';
import { parseMoney } from '../../../domain/evidence/money.ts';
import { checkQuote } from '../../../domain/evidence/quote-check.ts';
import { SEVEN_CHAPTER_REVIEW } from '../../../prisma/seed/seven-chapter-review.ts';
import { generateDeck } from '../../../samples/generator/generate.ts';
import { dateAgrees, DeckTruth } from '../../../samples/generator/truth.ts';
import { answer, ask, classify, deckOf } from '../../unit/reader/ask.ts';

async function textsOf(pdf: Uint8Array): Promise<string[]> {
  const document = await pdfjs.getDocument({ data: new Uint8Array(pdf), ...SAFE_PDFJS_OPTIONS }).promise;
  const texts: string[] = [];
  for (let page = 1; page <= document.numPages; page += 1) texts.push(await pageText(await document.getPage(page)));
  await document.loadingTask.destroy();
  return texts;
}

const words = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu));

interface Outcome {
  readonly right: number;
  readonly asked: number;
  /** Fields with a value where the truth has none. */
  readonly invented: readonly string[];
  readonly quotes: number;
  readonly verified: number;
}

function review(texts: readonly string[], truth: DeckTruth): Outcome {
  const deck = deckOf(...texts);
  const company = ask('extract_company_name', deck);
  const offering = ask('extract_offering', deck);
  const funding = ask('extract_funding', deck);
  const date = ask('extract_deck_date', deck);
  const money = parseMoney(funding.value);
  const offered = words(truth.offering ?? '');
  const shared = [...words(offering.value)].filter((word) => offered.has(word)).length;
  const checks: readonly boolean[] = [
    company.value === truth.company,
    shared / Math.max(1, offered.size) >= 0.6,
    classify(offering.value, ...texts).sector === truth.sector,
    (money?.amount ?? null) === truth.amount,
    (money?.currency ?? null) === truth.currency,
    dateAgrees(truth, parseDeckDate(date.value)),
  ];
  const invented = [
    ...(truth.amount === null && funding.stated ? [`ask ${funding.value}`] : []),
    ...(truth.date === null && date.stated ? [`date ${date.value}`] : []),
  ];
  const evidence = SEVEN_CHAPTER_REVIEW.chapters
    .flatMap((chapter) => chapter.questions)
    .flatMap((question) => answer(question.slug, texts, truth.language).evidence);
  return {
    right: checks.filter(Boolean).length,
    asked: checks.length,
    invented,
    quotes: evidence.length,
    verified: evidence.filter((item) => checkQuote(item.quote, texts[item.slide - 1] ?? '').verdict === 'verified')
      .length,
  };
}

const sum = (outcomes: readonly Outcome[], of: (outcome: Outcome) => number): number =>
  outcomes.reduce((total, outcome) => total + of(outcome), 0);

function expectGood(outcomes: readonly Outcome[], leastRight: number): void {
  expect(outcomes.flatMap((outcome) => outcome.invented)).toEqual([]);
  expect(sum(outcomes, (o) => o.right) / sum(outcomes, (o) => o.asked)).toBeGreaterThanOrEqual(leastRight);
  expect(sum(outcomes, (o) => o.verified) / sum(outcomes, (o) => o.quotes)).toBeGreaterThanOrEqual(0.9);
}

it('the facts of the committed samples', async () => {
  const outcomes: Outcome[] = [];
  for (const name of ['cardiosense', 'lumbalis', 'quayline']) {
    const file = join(import.meta.dirname, '../../../samples', name);
    const truth = DeckTruth.parse(JSON.parse(await readFile(`${file}.json`, 'utf8')));
    outcomes.push(review(await textsOf(await readFile(`${file}.pdf`)), truth));
  }
  expectGood(outcomes, 0.8);
});

it('the facts of decks made from seeds', async () => {
  const outcomes: Outcome[] = [];
  for (let seed = 7001; seed <= 7012; seed += 1) {
    const { pdf, truth } = await generateDeck({ seed });
    outcomes.push(review(await textsOf(pdf), truth));
  }
  expectGood(outcomes, 0.7);
});
