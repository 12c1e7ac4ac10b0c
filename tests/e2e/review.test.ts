/**
 * The main job on the sample decks: a review that is right about the deck, proves what it says, and says what it could not do. The decks are
 * reviewed once, by `deckhand evaluate`, which is tested with them.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { createDeckhandClient } from '../../api/client.ts';
import { RULES_LABEL, type AnalysisReport, type ReportEvidence } from '../../domain/decks/report.ts';
import { isProof } from '../../domain/decks/review/proof.ts';
import { checkQuote, type EvidenceVerdict } from '../../domain/evidence/quote-check.ts';
import { pageOfSlide } from '../../domain/pages/page-of-slide.ts';
import { pageOfText } from '../../domain/pages/page-of-text.ts';
import { PROMPTS } from '../../prisma/seed/prompts.ts';
import type { Slide } from '../../generated/prisma/client.ts';
import type { EvaluationComparison } from '../../domain/evaluation/compare.ts';
import { DeckTruth } from '../../domain/evaluation/deck-truth.ts';
import type { Evaluation } from '../../domain/evaluation/evaluation.ts';
import { EVALUATION_REPORT_FILES, evaluationFolder } from '../../platform/evaluation-files.ts';
import { joinSharedStack, questionsOf } from '../../testing/rig.ts';
import { SHORT_QUESTIONS, shortenTemplates } from '../../testing/short-template.ts';
import { factsRight } from '../../testing/truth-score.ts';
import { perFile } from '../../testing/per-file.ts';
import { commandsOf, idsOf } from './evaluating.ts';

const sampleDir = path.resolve(import.meta.dirname, '../../samples');
const truthOf = (name: string): DeckTruth =>
  DeckTruth.parse(JSON.parse(readFileSync(path.join(sampleDir, `${name}.json`), 'utf8')));
const TEXT_DECKS = ['cardiosense', 'lumbalis', 'quayline'];
const SCAN = 'dermaline-scan';

const reports = new Map<string, AnalysisReport>();
const reportOf = (name: string): AnalysisReport => {
  const report = reports.get(name);
  if (report === undefined) throw new Error(`${name} was not reviewed`);
  return report;
};

const rig = perFile(() => joinSharedStack());
const { documentOf, evaluate } = commandsOf(() => rig.config.environment);
let evaluation: Evaluation;
beforeAll(async () => {
  evaluation = await evaluate(sampleDir);
  for (const { file, analysisId } of evaluation.decks) {
    reports.set(path.parse(file).name, await rig.client.report(analysisId ?? ''));
  }
});

it('`deckhand evaluate` judges the samples by their labels, keeps the run, reviews nothing twice, and compares', async () => {
  const { figures, making, run } = evaluation;
  expect(figures).toMatchObject({ decks: 4, labelled: 4, finished: 4 });
  const company = figures.fields.find(({ field }) => field === 'company');
  expect(company?.right).toMatchObject({ right: 3, of: 3 });
  expect(figures.fields.map(({ field }) => field)).toContain('company_in_picture');
  expect(figures.questions.answered.of + figures.questions.rightlyNone.of).toBe(4 * 34);
  expect(figures.quotes.answers['verified']).toBeGreaterThan(50);
  expect(figures.usage.promptTokens).toBeGreaterThan(10_000);
  expect(making.tasks.map(({ task }) => task)).toContain('answer_question');
  const page = readFileSync(path.join(evaluationFolder(rig.config.home, run.id), EVALUATION_REPORT_FILES.html), 'utf8');
  expect(page).toContain('cardiosense.pdf');
  expect(page).not.toContain('<script');

  const second = await evaluate(sampleDir);
  expect(second.run.id).not.toBe(run.id);
  expect(idsOf(second)).toEqual(idsOf(evaluation));
  const listed = await documentOf<{ id: string; decks: number }[]>('evaluate', 'list');
  expect(listed.map(({ id }) => id)).toEqual(expect.arrayContaining([run.id, second.run.id]));
  const comparison = await documentOf<EvaluationComparison>('evaluate', 'compare', run.id, second.run.id);
  expect(comparison).toMatchObject({ making: [], fields: [], decks: [], sameDecks: 4, allQuestions: { kappa: 1 } });
});

/** Calls that a review sent to a model, without those whose results were stored already. */
const callsMade = ({ analysisId }: AnalysisReport): Promise<number> =>
  rig.db.modelCall.count({ where: { analysisId, state: 'stored', cached: false } });

const allEvidence = (report: AnalysisReport): ReportEvidence[] => [
  ...report.extractions.flatMap((e) => e.evidence),
  ...questionsOf(report).flatMap((q) => q.evidence),
  ...report.specialised.flatMap((s) => s.evidence),
];

it.each(TEXT_DECKS)('a deck with text, %s, is reviewed completely, by rules and labelled so', (name) => {
  const report = reportOf(name);
  expect(report.status).toBe('completed');
  expect(report.engine?.label).toBe(RULES_LABEL);
  expect(report.overall.coverage).toBe(1);
  expect(questionsOf(report)).toHaveLength(34);
});

it('of decks with text at least 80 % of the facts are right', () => {
  const scores = TEXT_DECKS.map((name) => factsRight(reportOf(name), truthOf(name)));
  const right = scores.reduce((sum, s) => sum + s.right, 0);
  const asked = scores.reduce((sum, s) => sum + s.asked, 0);
  expect(right / asked, JSON.stringify(scores.map((s) => s.wrong))).toBeGreaterThanOrEqual(0.8);
});

/** The verdict on a quote of a stored slide. */
function verdictOn(quote: string, slides: readonly Slide[], number: number): EvidenceVerdict | undefined {
  const slide = slides.find((each) => each.number === number);
  return slide === undefined ? undefined : checkQuote(quote, pageOfSlide(slide)).verdict;
}

it('of decks with text at least 90 % of the quotes are verified, and every verified one stands on its slide', async () => {
  for (const name of TEXT_DECKS) {
    const report = reportOf(name);
    const evidence = allEvidence(report);
    const verified = evidence.filter(isProof);
    expect(evidence.length).toBeGreaterThan(10);
    expect(verified.length / evidence.length).toBeGreaterThanOrEqual(0.9);
    const slides = await rig.db.slide.findMany({ where: { deckId: report.deck.id } });
    for (const { slide, quote } of verified) {
      expect(verdictOn(quote, slides, slide)).toBe('verified');
    }
  }
});

it('of 200 spoiled quotes none is verified', async () => {
  const { spoiledQuotes } = await import('../../testing/spoiled-quotes.ts');
  const report = reportOf('cardiosense');
  const slides = await rig.db.slide.findMany({ where: { deckId: report.deck.id }, orderBy: { number: 'asc' } });
  const verified = TEXT_DECKS.flatMap((name) => allEvidence(reportOf(name)).map((e) => ({ ...e, name }))).filter(
    (e) => isProof(e) && e.name === 'cardiosense',
  );
  const spoiled = spoiledQuotes(verified, slides, 200);
  expect(spoiled).toHaveLength(200);
  // On the words alone: laid out, two words may be all that a label says.
  const textOf = new Map(slides.map(({ number, text }) => [number, text]));
  const passed = spoiled.filter(
    ({ quote, slide }) => checkQuote(quote, pageOfText(textOf.get(slide) ?? '')).verdict === 'verified',
  );
  expect(passed).toEqual([]);
});

it('every value says where it comes from', () => {
  const report = reportOf('cardiosense');
  for (const extraction of report.extractions) {
    const promptVersion = PROMPTS.find(({ slug }) => slug === `extract_${extraction.field}`)?.version;
    expect(extraction.provenance).toMatchObject({ model: 'reader-text:1', engineKind: 'rules', promptVersion });
    expect(extraction.provenance?.modelDigest).toMatch(/^[0-9a-f]{64}$/u);
  }
});

it('questions that a deck does not answer get an honest low score and no quote', () => {
  const silent = TEXT_DECKS.flatMap((name) => {
    const { answered } = truthOf(name);
    return questionsOf(reportOf(name)).filter(({ slug }) => !(slug in answered));
  });
  const notFound = silent.filter(({ state }) => state === 'not_found');
  expect(notFound.length / silent.length).toBeGreaterThanOrEqual(0.75);
  for (const { score, evidence } of notFound) {
    expect(score ?? 9).toBeLessThanOrEqual(1);
    expect(evidence).toEqual([]);
  }
});

it('a scan is read from its pictures: what is found stands there, and nothing is invented', async () => {
  const report = reportOf(SCAN);
  const slides = await rig.db.slide.findMany({ where: { deckId: report.deck.id } });
  const textOf = (slide: number): string => slides.find(({ number }) => number === slide)?.text ?? '';
  expect(textOf(1)).toContain('a dermatologist answers within one working day');
  expect(textOf(5)).toContain('Two integrated care boards pay for 112 surgeries since April.');
  expect(textOf(11)).toContain('We are looking for £1.8m');
  const { visionOnly, ...rest } = truthOf(SCAN);
  if (visionOnly === undefined) return expect.fail('the truth of the scan says nothing of its pictures');
  const { wrong } = factsRight(report, { ...rest, ...visionOnly });
  expect(wrong.filter((fact) => /^(?:company|amount|date): (?!null )/u.test(fact))).toEqual([]);
  expect(report.funding).toMatchObject({ amount: visionOnly.amount, currency: visionOnly.currency });
  expect(report.slides.filter((slide) => slide.legible === true).length).toBeGreaterThanOrEqual(11);
});

it('quotes from a scan are verified by OCR, and the report says so', () => {
  const proof = allEvidence(reportOf(SCAN)).filter(isProof);
  expect(proof.length).toBeGreaterThan(10);
  expect(proof.every((e) => e.verdict === 'verified_ocr')).toBe(true);
});

it('the same PDF again is the same deck and makes no model call', async () => {
  const cardiosense = readFileSync(path.join(sampleDir, 'cardiosense.pdf'));
  const deckId = await rig.upload(cardiosense, 'another-name.pdf');
  expect(deckId).toBe(reportOf('cardiosense').deck.id);
  const again = await rig.review(deckId);
  expect(await callsMade(again)).toBe(0);
  expect(again.company).toBe(reportOf('cardiosense').company);
  expect(again.overall).toEqual(reportOf('cardiosense').overall);
});

it('the same PDF for another tenant is a deck of its own, reviewed from nothing, and seen by that tenant alone', async () => {
  await rig.client.POST('/tenants', { body: { slug: 'second-fund' } });
  await shortenTemplates(rig.db, 'second-fund');
  const { key } = await rig.client.POST('/keys', { body: { name: 'Second', role: 'analyst', tenant: 'second-fund' } });
  const second = createDeckhandClient(rig.runtime.apiUrl, { apiKey: key });
  const deck = await second.uploadDeck(path.join(sampleDir, 'quayline.pdf'));
  const { analysisId } = await second.startAnalysis(deck.id, { models: 'reader' });
  for await (const event of second.events(analysisId)) if (event.type === 'finished') break;
  const report = await second.report(analysisId);
  expect(report.status).toBe('completed');
  expect(report.company).toBe(reportOf('quayline').company);
  const asked = questionsOf(report).map(({ slug, score }) => ({ slug, score }));
  expect(asked).toHaveLength(SHORT_QUESTIONS);
  expect(questionsOf(reportOf('quayline')).map(({ slug, score }) => ({ slug, score }))).toEqual(
    expect.arrayContaining(asked),
  );
  expect(deck.id).not.toBe(reportOf('quayline').deck.id);
  // An answer and a score of each question, and two calls of each slide.
  expect(await callsMade(report)).toBeGreaterThanOrEqual(2 * SHORT_QUESTIONS + 2 * truthOf('quayline').slides);
  await expect(rig.client.report(analysisId)).rejects.toMatchObject({ code: 'not_found' });
  await expect(second.report(reportOf('quayline').analysisId)).rejects.toMatchObject({ code: 'not_found' });
});

it('one task type alone computes what it needs and nothing else', async () => {
  const deckId = reportOf('lumbalis').deck.id;
  const report = await rig.review(deckId, { taskType: 'funding_amount_extraction' });
  expect(report.status).toBe('completed');
  expect(report.taskType).toBe('funding_amount_extraction');
  expect(report.funding).toEqual(reportOf('lumbalis').funding);
  expect(report.chapters).toEqual([]);
  expect(report.sector.slug).toBeNull();
});
