/** The page of Pulsara's deck of 2026 for tests of the review, with a report that a test may change, and with an API that stores what people say. */
import { type BoundFunctions, type queries, screen, within } from '@testing-library/react';
import { vi } from 'vitest';
import type { DeckProgress } from '../../../domain/decks/progress.ts';
import type { AnalysisReport, ReportQuestion } from '../../../domain/decks/report.ts';
import { marksOf } from '../../../domain/decks/review/claims.ts';
import {
  type HumanVerdict,
  humanVerdictSchema,
  newVerdictSchema,
} from '../../../domain/decks/verdicts/human-verdict.ts';
import type { Language } from '../../../domain/models/model-tasks.ts';
import { factFrom, profileOf } from '../../../testing/profile.ts';
import { said as verdictOf } from '../../../testing/said.ts';
import { reviewModel } from '../../../web/review/selection/stops.ts';
import { type ApiCall, callsOf } from '../support/api.ts';
import { deckNamed, documents } from '../support/documents.ts';
import { type OpenedPage, openPage, type OpenOptions } from '../support/open-page.tsx';

/** Queries of a part of the page. */
export type Inside = BoundFunctions<typeof queries>;

/** The deck of the page. */
export const DECK = deckNamed('Pulsara 2026.pdf');

/** A profile of that deck. It is not the recorded one, which follows the rules of the reader. */
const PROFILE = profileOf({
  use_of_funds: [
    factFrom(5, 'Half goes to sales, a third to clinical studies.', { name: 'Sales', value: '50 %', percent: 50 }),
    factFrom(5, 'Half goes to sales, a third to clinical studies.', { name: 'Clinical studies', value: 'a third' }),
  ],
  traction: [
    factFrom(2, 'Nurses call patients by phone today, once a week at best.', { name: 'a trial', isPlan: true }),
    factFrom(4, '14 hospitals are paying customers of Pulsara, none has churned.', { name: '14 paying hospitals' }),
    factFrom(3, 'In a pilot with 212 patients readmissions fell by 38 %.', { name: 'a pilot with 212 patients' }),
  ],
  competition: [factFrom(3, 'Competitors sell scales and need the patient to remember them.')],
  customers: { status: 'unparseable' },
});

/** The recorded report with that profile. */
export const recordedReport = (): AnalysisReport => ({ ...documents.report(), profile: PROFILE });

/** The run of the page. */
export const ANALYSIS_ID = documents.report().analysisId;

const NOTHING_SAID: HumanVerdict = {
  ...verdictOf({ kind: 'note', author: 'Ben Baker', createdAt: '2026-11-28T09:00:00.000Z' }),
  withdrawn: false,
};

/** What people said before the page is opened, oldest first. */
export const said = (...verdicts: readonly Partial<HumanVerdict>[]): HumanVerdict[] =>
  verdicts.map((verdict, index) => {
    const id = `said-${index + 1}`;
    return { ...NOTHING_SAID, id, sequence: index + 1, ...(verdict.kind === 'note' ? { item: id } : {}), ...verdict };
  });

/** What the API stores of a verdict that is sent; a body that it would refuse fails the request. */
export function storedVerdict({ body }: ApiCall): HumanVerdict {
  const verdict = newVerdictSchema.parse(body);
  const number = callsOf('POST /decks/:deck/verdicts').length;
  const id = `stored-${number}`;
  const kept: HumanVerdict = { ...NOTHING_SAID, id, sequence: 1000 + number, kind: verdict.kind, author: 'Ann Archer' };
  switch (verdict.kind) {
    case 'value':
    case 'score':
      Object.assign(kept, verdict);
      break;
    case 'judgement': {
      const text = reviewModel(recordedReport()).said.get(verdict.subject) ?? null;
      Object.assign(kept, verdict, { machine: { text, score: null } });
      break;
    }
    case 'note':
      Object.assign(kept, verdict, { item: verdict.item ?? id });
      break;
    case 'tag':
      Object.assign(kept, { subject: verdict.text, text: verdict.on ? verdict.text : null });
      break;
    case 'assignee':
      kept.text = verdict.text;
      break;
    case 'decision':
      Object.assign(kept, { text: verdict.decision, reason: verdict.reason });
      break;
  }
  return humanVerdictSchema.parse({ ...kept, withdrawn: kept.text === null && kept.score === null });
}

const NONE = { done: 0, failed: 0, total: 0 };

/** Progress of a run that waits for nothing. */
export const PROGRESS: DeckProgress = {
  stage: 'slides',
  rendered: NONE,
  slides: NONE,
  extractions: NONE,
  answers: NONE,
  scores: NONE,
  specialised: NONE,
  cachedCalls: 0,
  modelCalls: 0,
  gaps: 0,
  paused: false,
  waitingFor: null,
};

/** How the page is opened. */
export interface ReviewOptions extends OpenOptions {
  readonly report?: AnalysisReport;
  /** Nothing by default. */
  readonly history?: readonly HumanVerdict[];
  /** Query of its address, with its question mark. */
  readonly search?: string;
}

/** Opens the page and waits until the review is shown. */
export async function openReview({
  report = recordedReport(),
  history = [],
  search = '',
  answers = {},
  ...options
}: ReviewOptions = {}): Promise<OpenedPage> {
  const page = await openPage(`/decks/${DECK.id}${search}`, {
    ...options,
    answers: {
      'GET /analyses/:analysis': { progress: PROGRESS, sends: { counted: 0, lost: 0 } },
      'GET /analyses/:analysis/report': report,
      'GET /decks/:deck/verdicts': { items: history },
      'POST /decks/:deck/verdicts': storedVerdict,
      ...answers,
    },
  });
  await screen.findByRole('region', { name: options.language === 'de' ? 'Befunde' : 'Findings' });
  return page;
}

/** Opens the page and a panel of its menu. @param title of the panel; the item of the menu begins with it */
export async function openPanel(title: Readonly<Record<Language, string>>, options: ReviewOptions = {}) {
  const page = await openReview(options);
  const { language = 'en' } = options;
  await page.user.click(screen.getByRole('button', { name: language === 'de' ? 'Mehr' : 'More' }));
  await page.user.click(await screen.findByRole('menuitem', { name: new RegExp(`^${title[language]}`, 'u') }));
  return { ...page, panel: within(await screen.findByRole('dialog', { name: title[language] })) };
}

/** The recorded report with its questions changed by their slugs. */
export function reportWith(questions: Readonly<Record<string, Partial<ReportQuestion>>>): AnalysisReport {
  const report = recordedReport();
  const chapters = report.chapters.map((chapter) => ({
    ...chapter,
    questions: chapter.questions.map((question) => ({ ...question, ...questions[question.slug] })),
  }));
  return { ...report, chapters };
}

/** A report whose answers were judged: their quotes answer their questions. */
export function judgedReport(report = recordedReport()): AnalysisReport {
  const chapters = report.chapters.map((chapter) => ({
    ...chapter,
    questions: chapter.questions.map((question) => ({
      ...question,
      evidence: question.evidence.map((quote) => ({ ...quote, answering: 'high' as const })),
    })),
  }));
  return { ...report, chapters, marks: marksOf({ ...report, chapters }, report.marks.rule) };
}

/** A report that a language model made. */
export const modelReport = (report = recordedReport()): AnalysisReport => ({
  ...report,
  engine: { name: 'ollama', label: 'llama', version: null, kind: 'ollama' },
});

/** The recorded report with other counts of quotes. */
export const withMarks = (report: AnalysisReport, marks: Partial<AnalysisReport['marks']>): AnalysisReport => ({
  ...report,
  marks: { ...report.marks, ...marks },
});

/** An answer in words of its own, as a language model gives it; the recorded ones are of rules, which answer by quotes alone. */
export function answeredByModel(slug: string, answer: string): Partial<ReportQuestion> {
  const questions = documents.report().chapters.flatMap((chapter) => chapter.questions);
  const provenance = questions.find((question) => question.slug === slug)?.answerProvenance ?? null;
  return { answer, answerProvenance: provenance === null ? null : { ...provenance, engineKind: 'model' } };
}

/** The head of the review, below that of the workspace. */
export function head(): Inside {
  const header = screen.getByRole('heading', { level: 1 }).closest('header');
  if (header === null) throw new Error('the review has no head');
  return within(header);
}

/** A section of the findings, or a chapter, by its heading. */
export const part = (name: string | RegExp): HTMLElement => screen.getByRole('region', { name });

/** The row of a statement in a section or chapter. */
export const rowIn = (section: string | RegExp, name: string | RegExp): Inside =>
  within(within(part(section)).getByRole('article', { name }));

/** What a screen reader is told of the slide. */
export const spoken = (): string | null => within(part('Slides')).getByRole('status').textContent;

/** Words of a quote for a screen reader, where nothing judged whether it answers. */
export const NOT_JUDGED = ' (on the slide, not judged whether it answers)';

/** What was brought into view so far, oldest first. */
export const broughtIntoView = (): unknown[] => vi.spyOn(Element.prototype, 'scrollIntoView').mock.contexts;

/** Bodies of the verdicts that were sent, oldest first. */
export const sentVerdicts = (): unknown[] => callsOf('POST /decks/:deck/verdicts').map(({ body }) => body);
