/**
 * A review by a trained model on a real Ollama: the smallest Gemma 3 reads the text of three slides and answers four questions. It is a base
 * model, so its answers are poor; each is checked or is a gap that says why, and the review ends.
 *
 * These weights see no pictures: slides are looked at by the tiny vision model, whose weights are random.
 */
import { beforeAll, expect, it } from 'vitest';
import type { AnalysisStatusDocument } from '../../api/client.ts';
import type { AnalysisReport } from '../../domain/decks/report.ts';
import { isProof } from '../../domain/decks/review/proof.ts';
import { DEFAULT_TENANT } from '../../domain/tenant.ts';
import { perFile } from '../../testing/per-file.ts';
import { drawPlainDeck, plainSlides } from '../../testing/plain-deck.ts';
import { questionsOf, startRig } from '../../testing/rig.ts';
import { shortenTemplates } from '../../testing/short-template.ts';
import { until } from '../../testing/until.ts';
import { allEvidence, allProvenance } from './reviews.ts';
import { BUILD_TIMEOUT_MS, startRealOllama, TINY_MODELS } from './server.ts';
import { ensureGemmaWeights } from './weights.ts';

const GEMMA = 'gemma3-270m';
const WINDOW = 8192;
const QUESTIONS = { chapters: 4, questionsOfEach: 1 };
/** The model mostly repeats the quote of its example: it stands on the first slide of one deck, and on none of the other one. */
const EXAMPLE_QUOTE = 'Nordrad rents bicycles in nine cities.';
const SLIDES = plainSlides('Pulsara')
  .filter((_, index) => index % 2 === 0)
  .map(({ title, lines }, index) => ({ title, lines: index === 0 ? [...lines, EXAMPLE_QUOTE] : lines }));
const OTHER_SLIDES = plainSlides('Auralis').slice(0, 1);

/**
 * A model that was never taught to answer continues an example: without it, no answer quotes anything. A thread more would wait for the other
 * one, and two cores run the rest of the stack as well.
 */
const modelfile = (weights: string): string => `FROM ${weights}
TEMPLATE """{{ range .Messages }}{{ .Role }}: {{ .Content }}
{{ end }}
user: Slide 1: ${EXAMPLE_QUOTE} Slide 2: 1,100 bicycles. What is rented?
assistant: {"evidence":[{"slide":1,"quote":"${EXAMPLE_QUOTE}"}],"covered":"yes","answer":"Bicycles, in nine cities."}
user: Answer the same way what was asked before about the deck.
assistant: """
PARAMETER num_thread 1
`;

const server = perFile(async () => {
  const weights = await ensureGemmaWeights();
  const started = await startRealOllama();
  await started.create(GEMMA, modelfile(weights));
  return started;
}, BUILD_TIMEOUT_MS);
const rig = perFile(() => startRig());
let report: AnalysisReport;
let otherReport: AnalysisReport;
let expected: NonNullable<AnalysisStatusDocument['expected']>;

beforeAll(async () => {
  await shortenTemplates(rig.db, DEFAULT_TENANT, QUESTIONS);
  const body = { model: GEMMA, visual: TINY_MODELS.vision, server: server.host, window: WINDOW };
  const { profile } = await rig.client.POST('/models/add', { body });
  const deckId = await rig.upload(await drawPlainDeck(SLIDES), 'pulsara.pdf');
  const { analysisId } = await rig.client.startAnalysis(deckId, { models: profile });
  // Readiness has measured the model by then, and no call has begun.
  const isMeasured = (status: AnalysisStatusDocument): boolean => (status.expected?.readTokensPerSec ?? null) !== null;
  const status = await until(() => rig.analysis(analysisId)).is((now) => isMeasured(now) || now.finishedAt !== null);
  if (status.expected === null) throw new Error('the expected time was never shown');
  expected = status.expected;
  await rig.ended(analysisId);
  report = await rig.client.report(analysisId);
  const otherDeckId = await rig.upload(await drawPlainDeck(OTHER_SLIDES), 'auralis.pdf');
  otherReport = await rig.review(otherDeckId, { models: profile, taskType: 'company_offering_extraction' });
});

it('ends', async ({ annotate }) => {
  expect(report.failure).toBeNull();
  expect(report.status).toMatch(/^completed/u);
  expect(report.slides).toHaveLength(SLIDES.length);
  expect(questionsOf(report)).toHaveLength(QUESTIONS.chapters);
  const gaps = report.gaps.map(({ code, message }) => `${code}: ${message}`);
  await annotate(
    `${report.status} in ${await secondsOfCalls(report.analysisId)} s since its first call, ${expected.ownSeconds} s were expected: ${allProvenance(report).length} values, gaps: ${gaps.join(' | ') || 'none'}`,
  );
});

/** Seconds from the first call of a review to its end. */
async function secondsOfCalls(analysisId: string): Promise<number> {
  const { startedAt } = await rig.db.callAttempt.findFirstOrThrow({
    where: { analysisId },
    orderBy: { startedAt: 'asc' },
  });
  const { finishedAt } = await rig.db.analysis.findUniqueOrThrow({ where: { id: analysisId } });
  return Math.round(((finishedAt?.getTime() ?? Number.NaN) - startedAt.getTime()) / 1000);
}

it('has an answer or a gap that says why for every call', async () => {
  const calls = await rig.db.modelCall.findMany({ where: { analysisId: report.analysisId } });
  expect(calls.length).toBeGreaterThan(2 * SLIDES.length + QUESTIONS.chapters);
  expect(calls.filter(({ state }) => state !== 'stored' && state !== 'failed')).toEqual([]);
  const failed = calls.filter(({ state }) => state === 'failed');
  expect(report.gaps.length).toBeGreaterThanOrEqual(failed.length);
  for (const { code, message } of report.gaps) {
    expect(code).not.toBe('internal');
    expect(message).toMatch(/\p{L}{3,}/u);
  }
});

it('reads text with the trained model and looks at slides with the tiny one', () => {
  const modelsOf = (provenance: ReturnType<typeof allProvenance>) => [...new Set(provenance.map((p) => p.model))];
  const onSlides = report.slides.flatMap((s) => [s.descriptionProvenance, s.feedbackProvenance]);
  expect(modelsOf(onSlides.filter((p) => p !== null))).toEqual([TINY_MODELS.vision]);
  const ofText = allProvenance(report).filter((p) => !onSlides.includes(p));
  expect(modelsOf(ofText)).toEqual([GEMMA]);
});

it('calls nothing verified that does not stand on the slide', async ({ annotate }) => {
  const signs = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  const decks = [
    [report, SLIDES],
    [otherReport, OTHER_SLIDES],
  ] as const;
  for (const [review, slides] of decks) {
    const pages = slides.map(({ title, lines }) => signs([title, ...lines].join(' ')));
    const proofs = allEvidence(review).filter(isProof);
    for (const { slide, quote } of proofs) expect(pages[slide - 1]).toContain(signs(quote));
    const quotes = allEvidence(review).map(({ quote, reason }) => `"${quote}" (${reason ?? 'verified'})`);
    await annotate(`${proofs.length} of ${quotes.length} quotes verified: ${quotes.join(', ')}`);
  }
});
