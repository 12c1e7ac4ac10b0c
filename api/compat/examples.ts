/** Examples of the compatibility layer in the OpenAPI document. */
import type { Provenance, ReportEvidence } from '../../domain/decks/report.ts';
import type { TaskType } from '../../domain/models/model-tasks.ts';
import type { TaskAnswer, TaskResult } from './schemas.ts';

const ANALYSIS_ID = '5f0f2d3c-6f0c-4e7f-9f57-0f6f3a1f8b11';
const DECK_ID = '0d9c8a36-9b1e-4d3f-8a59-2f0b1f7f3c20';
const DIGEST = 'f4031aab637d1ffa37b42570452ae0e4fad0314754d17ded67322e4b95836f8a';

const provenance = (task: string, durationMs: number): Provenance => ({
  task,
  model: 'gemma3:12b',
  modelDigest: DIGEST,
  engineKind: 'model',
  serverVersion: '0.12.6',
  promptVersion: 1,
  templateVersion: null,
  host: 'gpu-1-f559',
  setupVersion: null,
  outsideHost: null,
  options: { numCtx: 32_768, numPredict: 512, temperature: 0.1, topP: 0.9, temperatureUsed: 0.1, seedUsed: 1 },
  attempts: 1,
  durationMs,
  loadMs: 0,
  promptTokens: 2140,
  outputTokens: 96,
  contentKey: '8c1e0b7c4c6d5b0f3c0a9d1b2e4f6a8890b1c2d3e4f5061728394a5b6c7d8e9f',
  computedAt: '2026-11-26T15:29:24.000Z',
});

const answer = (task: TaskType, result: TaskResult, answered: readonly Provenance[]): TaskAnswer => ({
  id: ANALYSIS_ID,
  task,
  status: 'completed',
  deckId: DECK_ID,
  url: `/api/tasks/${ANALYSIS_ID}`,
  seconds: 9.4,
  result,
  gaps: [],
  provenance: answered.map(({ task: name, model, modelDigest, host, durationMs }) => ({
    task: name,
    model,
    digest: modelDigest,
    host,
    calls: 1,
    seconds: durationMs / 1000,
  })),
});

/** A verified quote on which nothing else is known. */
const verified = (slide: number, quote: string): ReportEvidence => ({
  slide,
  quote,
  verdict: 'verified',
  reason: null,
  boxes: null,
  answering: null,
  answeringBy: null,
  citedSlide: null,
  recognised: false,
  reread: null,
  rereadReason: null,
});

const IMAGE = { image: 'iVBORw0KGgo…', fileName: 'slide-3.png', language: 'en' };
const DECK = { deckId: DECK_ID };
const imageUrl = `/api/v1/decks/${DECK_ID}/slides/1/image`;
const described = provenance('describe_slide', 6200);
const judged = provenance('slide_feedback', 2900);
const funded = provenance('extract_funding', 1800);
const read = provenance('specialised_clinical', 7100);
const answered = provenance('answer_question', 3400);
const scored = provenance('score_answer', 1500);

/** A request and an answer of each endpoint. */
export const EXAMPLES = {
  visual: {
    request: IMAGE,
    answer: answer(
      'visual_analysis',
      {
        slides: [
          {
            number: 1,
            title: 'The ask',
            summary: 'The company raises 4.5 million euros, half of it for sales.',
            legible: true,
            figures: [{ kind: 'chart', description: 'Pie chart of the use of funds.' }],
            imageUrl,
            failure: null,
            provenance: described,
          },
        ],
      },
      [described],
    ),
  },
  feedback: {
    request: IMAGE,
    answer: answer(
      'slide_feedback',
      {
        slides: [
          {
            number: 1,
            hasIssues: true,
            feedback: 'The slide names the sum, but not how long it lasts.',
            imageUrl,
            failure: null,
            provenance: judged,
          },
        ],
      },
      [judged],
    ),
  },
  extraction: {
    request: DECK,
    answer: answer(
      'funding_amount_extraction',
      {
        field: 'funding',
        status: 'found',
        raw: '4.5 million euros',
        amount: 4_500_000,
        minAmount: null,
        currency: 'EUR',
        iso: null,
        reason: null,
        computedWithout: [],
        evidence: [verified(5, 'We are raising 4.5 million euros.')],
        provenance: funded,
      },
      [funded],
    ),
  },
  template: {
    request: { ...DECK, template: 'seven_chapter_review' },
    answer: answer(
      'template_analysis',
      {
        template: {
          slug: 'seven_chapter_review',
          name: 'Seven-chapter review',
          version: 1,
          reason: 'requested',
          requested: 'seven_chapter_review',
        },
        overall: { score: 5, method: 'mean of chapters', coverage: 1, scored: 1, asked: 1, computedWithout: [] },
        chapters: [
          {
            slug: 'financing',
            name: 'Financing',
            description: 'How much is raised, and what for.',
            weight: 1,
            score: 5,
            scored: 1,
            asked: 1,
            questions: [
              {
                slug: 'use_of_funds',
                text: 'What is the money for?',
                healthFocus: null,
                weight: 1,
                status: 'scored',
                score: 5,
                state: 'found',
                covered: 'partly',
                answer: 'Half goes to sales, a third to clinical studies.',
                rationale: 'Two shares are named, the rest is not.',
                reason: null,
                computedWithout: [],
                evidence: [verified(5, 'Half goes to sales, a third to clinical studies.')],
                answerProvenance: answered,
                scoreProvenance: scored,
              },
            ],
          },
        ],
      },
      [answered, scored],
    ),
  },
  specialised: {
    request: { ...DECK, type: 'clinical' },
    answer: answer(
      'specialized_clinical',
      {
        kind: 'clinical',
        status: 'analysed',
        state: 'found',
        covered: 'partly',
        summary: 'One pilot with 212 patients; no control group is named.',
        reason: null,
        points: [{ heading: 'Evidence', text: 'Readmissions fell by 38 % in the pilot.' }],
        computedWithout: [],
        evidence: [verified(3, 'In a pilot with 212 patients readmissions fell by 38 %.')],
        provenance: read,
      },
      [read],
    ),
  },
} as const;
