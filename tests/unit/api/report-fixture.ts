/** A complete report for tests of what is made of one. Every text can be set to something hostile. */
import type { Document } from '../../../api/document/blocks.ts';
import { renderMarkdown } from '../../../api/document/markdown.ts';
import { reviewDocument } from '../../../api/decks/report/document/review-document.ts';
import type {
  AnalysisReport,
  Provenance,
  ReportChapter,
  ReportEvidence,
  ReportQuestion,
  ReportVerdict,
} from '../../../domain/decks/report.ts';
import { marksOf } from '../../../domain/decks/review/claims.ts';
import { MARK_RULE } from '../../../domain/evidence/answering-settings.ts';
import type { HumanVerdict } from '../../../domain/decks/verdicts/human-verdict.ts';
import { PROFILE_TOPICS } from '../../../domain/profile/topics.ts';
import type { Language } from '../../../domain/models/model-tasks.ts';
import { currentVerdicts, withVerdicts } from '../../../domain/decks/verdicts/overlay.ts';

/** The review of a report, with what people say. */
export const reviewOf = (report: AnalysisReport, history: readonly HumanVerdict[] = []): Document =>
  reviewDocument(report, { judged: withVerdicts(report, currentVerdicts(history)), costUsd: 0.42 });

/** The review of a report as Markdown. */
export const markdownOf = (report: AnalysisReport): string => renderMarkdown(reviewOf(report));

export const provenance: Provenance = {
  task: 'answer_question',
  model: 'deckhand-reader',
  modelDigest: 'sha256:0123456789abcdef',
  engineKind: 'rules',
  serverVersion: '0.24.0',
  promptVersion: 1,
  templateVersion: 1,
  setupVersion: '0a1b2c3d4e5f',
  host: 'static',
  outsideHost: null,
  options: { numCtx: 8192, numPredict: 512, temperature: 0, topP: 1, temperatureUsed: 0, seedUsed: 7 },
  attempts: 2,
  durationMs: 1234,
  loadMs: 0,
  promptTokens: 100,
  outputTokens: 20,
  contentKey: 'abc',
  computedAt: '2026-11-20T10:00:00.000Z',
};

/** A report with something else in each of its questions. */
export const withQuestions = (
  report: AnalysisReport,
  change: (question: ReportQuestion, chapter: ReportChapter) => Partial<ReportQuestion>,
): AnalysisReport => ({
  ...report,
  chapters: report.chapters.map((chapter) => ({
    ...chapter,
    questions: chapter.questions.map((question) => ({ ...question, ...change(question, chapter) })),
  })),
});

/** A fact of a profile whose value has no form but its words. */
export const NOT_TYPED = { amount: null, minAmount: null, currency: null, percent: null, isPlan: false } as const;

/** A quote on which nothing but its check is known. */
export const NOT_JUDGED = {
  answering: null,
  answeringBy: null,
  citedSlide: null,
  recognised: false,
  reread: null,
  rereadReason: null,
} as const;

const quoteOn = (
  slide: number,
  quote: string,
  verdict: ReportVerdict,
  values: Partial<ReportEvidence> = {},
): ReportEvidence => {
  return { slide, quote, verdict, reason: 'in one block of text', boxes: null, ...NOT_JUDGED, ...values };
};

/** Quotes of most verdicts, on which nothing but their check is known. */
const quotesOf = (text: string): ReportEvidence[] => [
  quoteOn(1, text, 'verified'),
  quoteOn(2, text, 'verified_ocr'),
  quoteOn(3, text, 'glued', { reason: text }),
  quoteOn(9, text, 'contradicted', { reason: text }),
];

/** Quotes that were judged, moved and read again. */
function checkedQuotes(text: string): ReportEvidence[] {
  // Where a value says a quote word by word, the document shows its slide alone.
  const more = `${text} and more`;
  const rereadReason = `read again, the picture of the slide says something else: “${text}”`;
  return [
    quoteOn(1, text, 'verified', { answering: 'high', answeringBy: 'reader', reread: 'agreed' }),
    quoteOn(2, text, 'verified_ocr', {
      reason: 'in one block of text, on slide 2 alone; slide 8 was named',
      citedSlide: 8,
    }),
    quoteOn(3, text, 'glued', {
      reason: 'the words stand on the slide, but in different boxes, columns or rows',
    }),
    quoteOn(4, text, 'unverified', { reason: rereadReason, reread: 'withdrawn', rereadReason }),
    quoteOn(5, more, 'verified', { answering: 'high', answeringBy: 'people', reread: 'withdrawn', rereadReason }),
    quoteOn(6, more, 'verified', {
      answering: 'some',
      reread: 'not_read',
      rereadReason: 'there is no picture of its slide',
    }),
    quoteOn(9, more, 'verified', { answering: 'doubtful', answeringBy: 'readings' }),
  ];
}

/** A report whose quotes were judged, moved and read again. */
export const checkedReport = (text: string, language: Language): AnalysisReport =>
  reportWith(text, { language, secondReading: { agreed: 2, withdrawn: 1, notRead: 1 } }, checkedQuotes(text));

/** A report in which every text that a deck, a file or a model can influence is `text`. */
export function reportWith(
  text: string,
  overrides: Partial<AnalysisReport> = {},
  evidence: ReportEvidence[] = quotesOf(text),
): AnalysisReport {
  const chapter = (n: number, score: number | null) => ({
    slug: `chapter_${n}`,
    name: `Chapter ${n}`,
    description: 'What it is about',
    weight: 1,
    score,
    scored: score === null ? 0 : 1,
    asked: 1,
    questions: [
      {
        slug: `question_${n}`,
        text: 'Which problem is solved?',
        healthFocus: 'For whom?',
        weight: 1,
        status: score === null ? ('unparseable' as const) : ('scored' as const),
        score: score === null ? null : Math.round(score),
        state: 'found' as const,
        covered: 'yes' as const,
        answer: `${text} It goes on.`,
        rationale: text,
        reason: score === null ? text : null,
        computedWithout: [],
        evidence,
        answerProvenance: provenance,
        scoreProvenance: null,
      },
    ],
  });
  const report = {
    analysisId: '11111111-1111-4111-8111-111111111111',
    status: 'completed_with_gaps',
    taskType: null,
    replay: null,
    rollout: { name: 'other-models', side: 'candidate' },
    language: 'en',
    stage: 'review',
    createdAt: '2026-11-20T10:00:00.000Z',
    startedAt: '2026-11-20T10:00:01.000Z',
    finishedAt: '2026-11-20T10:00:09.000Z',
    durationMs: 9000,
    failure: { code: 'internal', message: text },
    engine: { name: 'deckhand-reader', kind: 'rules', label: 'rules, not a language model', version: '0.24.0' },
    deck: {
      id: '22222222-2222-4222-8222-222222222222',
      fileName: text,
      sha256: 'a'.repeat(64),
      slides: 2,
      sizeBytes: 1000,
      title: text,
      hasTextLayer: true,
      language: 'en',
      hazards: [text],
    },
    company: text,
    offering: text,
    funding: { raw: text, amount: 2_500_000, minAmount: null, currency: 'EUR' },
    deckDate: { raw: text, iso: '2026-03' },
    extractions: [
      {
        field: 'company_name',
        status: 'found',
        raw: text,
        amount: null,
        minAmount: null,
        currency: null,
        iso: null,
        reason: text,
        computedWithout: [],
        evidence,
        provenance,
      },
    ],
    sector: {
      slug: 'telemedicine',
      name: text,
      secondary: null,
      confidence: 0.83,
      confident: true,
      reasoning: text,
      keywords: [text],
      status: 'classified',
      reason: null,
      computedWithout: [],
      provenance,
    },
    template: { slug: 'seven_chapter_review', name: 'Seven-Chapter review', version: 1, reason: text, requested: null },
    overall: { score: 4.25, method: 'weighted mean', coverage: 0.75, scored: 3, asked: 4, computedWithout: [] },
    notices: [],
    keyPoints: [{ text, chapter: 'chapter_1', question: 'question_1', score: 6, evidence }],
    chapters: [chapter(1, 6), chapter(2, 4.5), chapter(3, 2.25), chapter(4, null)],
    specialised: [
      {
        kind: 'clinical',
        status: 'analysed',
        state: 'found',
        covered: 'yes',
        summary: text,
        reason: null,
        points: [{ heading: text, text }],
        computedWithout: [],
        evidence,
        provenance,
      },
    ],
    recommendations: [{ chapter: 'chapter_3', score: 2.25, text: 'Strengthen “Chapter 3”', questions: ['question_3'] }],
    steering: [{ slide: 1, text }],
    secondReading: { agreed: 0, withdrawn: 0, notRead: 0 },
    contradictions: [
      {
        kind: 'figure',
        subject: text,
        first: { slide: 1, quote: text, value: text },
        second: { slide: 2, quote: text, value: text },
      },
    ],
    condensed: 'The deck did not fit.',
    slides: [1, 2].map((number) => ({
      number,
      title: text,
      summary: text,
      legible: true,
      invisibleText: number === 1 ? text : null,
      hasTextLayer: true,
      page: { widthPt: 960, heightPt: 540, source: 'layer', ocr: 'none', readableShare: 1, blank: false },
      hasIssues: true,
      feedback: text,
      figures: [{ kind: 'chart', description: text }],
      imageUrl: `/api/v1/decks/22222222-2222-4222-8222-222222222222/slides/${number}/image`,
      failure: null,
      descriptionProvenance: provenance,
      feedbackProvenance: null,
    })),
    profile: {
      status: 'analysed',
      reason: null,
      document: { kind: 'pitch_deck', evidence: [] },
      topics: PROFILE_TOPICS.map((topic) => ({
        topic,
        status: 'found' as const,
        facts: [{ name: text, value: text, ...NOT_TYPED, evidence }],
        evidence: [],
      })),
      computedWithout: [],
      provenance,
    },
    hosts: [],
    gaps: [
      {
        item: 'slide/2/description',
        stage: 'slides',
        slide: 2,
        question: null,
        code: 'slide_illegible',
        message: text,
      },
    ],
    ...overrides,
  } satisfies Omit<AnalysisReport, 'marks'>;
  return { ...report, marks: overrides.marks ?? marksOf(report, MARK_RULE) };
}
