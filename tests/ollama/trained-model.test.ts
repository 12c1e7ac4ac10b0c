/**
 * A review by a trained model on a real Ollama: the smallest Gemma 3 reads the text of three slides and answers four questions. It is a base
 * model, so its answers are poor; each is checked or is a gap that says why, and the review ends.
 *
 * These weights see no pictures: slides are looked at by the tiny vision model, whose weights are random.
 */
import { beforeAll, expect, it } from 'vitest';
import type { AnalysisReport } from '../../domain/decks/report.ts';
import { isProof } from '../../domain/decks/review/proof.ts';
import { DEFAULT_TENANT } from '../../domain/tenant.ts';
import { perFile } from '../../testing/per-file.ts';
import { drawPlainDeck, plainSlides } from '../../testing/plain-deck.ts';
import { questionsOf, startRig } from '../../testing/rig.ts';
import { shortenTemplates } from '../../testing/short-template.ts';
import { allEvidence, allProvenance } from './reviews.ts';
import { BUILD_TIMEOUT_MS, startRealOllama, TINY_MODELS } from './server.ts';
import { ensureGemmaWeights } from './weights.ts';

const GEMMA = 'gemma3-270m';
const WINDOW = 8192;
const QUESTIONS = { chapters: 4, questionsOfEach: 1 };
const SLIDES = plainSlides('Pulsara').filter((_, index) => index % 2 === 0);

/**
 * A model that was never taught to answer continues an example: without it, no answer quotes anything. A thread more would wait for the other
 * one, and two cores run the rest of the stack as well.
 */
const modelfile = (weights: string): string => `FROM ${weights}
TEMPLATE """{{ range .Messages }}{{ .Role }}: {{ .Content }}
{{ end }}
user: Slide 1: Nordrad rents bicycles in nine cities. Slide 2: 1,100 bicycles. What is rented?
assistant: {"evidence":[{"slide":1,"quote":"Nordrad rents bicycles in nine cities."}],"covered":"yes","answer":"Bicycles, in nine cities."}
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

beforeAll(async () => {
  await shortenTemplates(rig.db, DEFAULT_TENANT, QUESTIONS);
  const body = { model: GEMMA, visual: TINY_MODELS.vision, server: server.host, window: WINDOW };
  const { profile } = await rig.client.POST('/models/add', { body });
  report = await rig.review(await rig.upload(await drawPlainDeck(SLIDES), 'pulsara.pdf'), { models: profile });
});

it('ends', async ({ annotate }) => {
  expect(report.failure).toBeNull();
  expect(report.status).toMatch(/^completed/u);
  expect(report.slides).toHaveLength(SLIDES.length);
  expect(questionsOf(report)).toHaveLength(QUESTIONS.chapters);
  const gaps = report.gaps.map(({ code, message }) => `${code}: ${message}`);
  await annotate(
    `${report.status} in ${Math.round((report.durationMs ?? 0) / 1000)} s: ${allProvenance(report).length} values, gaps: ${gaps.join(' | ') || 'none'}`,
  );
});

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
  const pages = SLIDES.map(({ title, lines }) => signs([title, ...lines].join(' ')));
  const proofs = allEvidence(report).filter(isProof);
  for (const { slide, quote } of proofs) expect(pages[slide - 1]).toContain(signs(quote));
  await annotate(`${allEvidence(report).length} quotes, ${proofs.length} of them verified`);
});
