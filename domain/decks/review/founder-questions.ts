/**
 * What a deck leaves open, as questions to its founder: what could not be read, what contradicts itself, what was not found, what the deck says
 * only in part. Each with the reason why it is asked.
 *
 * Without a library at run time: the pages of the workspace import it.
 */
import type { ExtractionField, Language } from '../../models/model-tasks.ts';
import type { AnalysisReport, ReportChapter, ReportEvidence, ReportQuestion } from '../report.ts';
import { isNameIn } from '../../text/member-of.ts';
import { subjectOf } from '../verdicts/subject.ts';
import { absenceOf, absenceOfQuestion } from './absence.ts';
import { founderWords } from './founder-words.ts';
import { notShownYet, proofFirst, slidesOf } from './proof.ts';

/** Why a founder is asked. */
export const FOUNDER_REASONS = ['unreadable', 'contradiction', 'not_found', 'stated_absent', 'partly'] as const;
export type FounderReason = (typeof FOUNDER_REASONS)[number];

/** One question to the founder. */
export interface FounderQuestion {
  /** Unique in its list: `value/funding`, `question/churn_analysis`, `contradiction/1`, `deck`, `slides`. */
  readonly id: string;
  readonly reason: FounderReason;
  /** Name of the chapter; null for what no chapter asks. */
  readonly chapter: string | null;
  readonly text: string;
  /** The reason in words, with the quotes. */
  readonly because: string;
  /** What the deck says on it. */
  readonly evidence: readonly Pick<ReportEvidence, 'slide' | 'quote'>[];
}

/** Questions that ask for a value as well: where they are put to the founder, the value is not asked for again. */
const ASKS_FOR: Readonly<Partial<Record<ExtractionField, string>>> = {
  funding: 'funding_requirements',
  offering: 'solution_description',
};

/** Quotes that a reason repeats. */
const QUOTES_SHOWN = 2;

interface Choices {
  /** Of the questions; that of the report by default. */
  readonly language?: Language;
  /** All by default. */
  readonly reasons?: readonly FounderReason[];
}

/**
 * The questions that a report leaves open: on the deck as a whole, then on values, then those of the chapters by weight and order.
 *
 * What is not computed yet is not asked.
 */
export function founderQuestions(report: AnalysisReport, choices: Choices = {}): FounderQuestion[] {
  const { language = report.language, reasons = FOUNDER_REASONS } = choices;
  const ofChapters = chapterQuestions(report, language);
  const asked = new Set(ofChapters.map(({ id }) => id));
  const all = [
    ...deckQuestions(report, language),
    ...contradictionQuestions(report, language),
    ...valueQuestions(report, language, asked),
    ...ofChapters,
  ];
  return all.filter(({ reason }) => reasons.includes(reason));
}

/** What could not be read of the deck, once for all that follows from it. */
function deckQuestions({ notices, slides }: AnalysisReport, language: Language): FounderQuestion[] {
  const words = founderWords[language];
  const ask = (id: string, text: string, because: string): FounderQuestion => ({
    id,
    reason: 'unreadable',
    chapter: null,
    text,
    because,
    evidence: [],
  });
  const [notice] = notices;
  if (notice !== undefined) {
    return [ask('deck', notice.code === 'no_readable_text' ? words.readableDeck : words.otherLanguage, notice.text)];
  }
  const lost = slides.filter(
    ({ failure, legible, page }) => failure !== null || (legible === false && page?.blank !== true),
  );
  // Where no slide at all could be read, the file is not what a founder can explain.
  return lost.length === 0 || lost.length === slides.length
    ? []
    : [ask('slides', words.slideText(lost.map(({ number }) => number)), words.because.unreadable)];
}

function contradictionQuestions({ contradictions }: AnalysisReport, language: Language): FounderQuestion[] {
  const words = founderWords[language];
  return contradictions.map(({ first, second }, index) => ({
    id: `contradiction/${index + 1}`,
    reason: 'contradiction',
    chapter: null,
    text: words.contradiction(first, second),
    because: words.because.contradiction,
    evidence: [first, second].map(({ slide, quote }) => ({ slide, quote })),
  }));
}

function valueQuestions(
  { extractions }: AnalysisReport,
  language: Language,
  asked: ReadonlySet<string>,
): FounderQuestion[] {
  const words = founderWords[language];
  return extractions.flatMap((value) => {
    const absence = value.raw === null ? absenceOf(value.status) : null;
    const { field } = value;
    if ((absence !== 'not_found' && absence !== 'stated_absent') || !isNameIn(words.values, field)) return [];
    const question = ASKS_FOR[field];
    if (question !== undefined && asked.has(subjectOf({ of: 'question', slug: question }))) return [];
    const id = subjectOf({ of: 'value', field });
    return missing({ id, chapter: null, text: words.values[field] }, absence, value.evidence, {
      language,
      shown: new Set(),
    });
  });
}

function chapterQuestions({ chapters }: AnalysisReport, language: Language): FounderQuestion[] {
  const all = chapters.flatMap((chapter) => chapter.questions.map((question) => ({ chapter, question })));
  const weight = ({ chapter, question }: { chapter: ReportChapter; question: ReportQuestion }): number =>
    chapter.weight * question.weight;
  const shown = new Set<string>();
  return all
    .toSorted((a, b) => weight(b) - weight(a))
    .flatMap(({ chapter, question }) => {
      const absence = absenceOfQuestion(question);
      const state = absence === null && question.covered === 'partly' ? 'partly' : absence;
      const { slug } = question;
      // An answer that is not supported is none: its quotes are about something else.
      const [reason, quotes] = state === 'not_supported' ? ['not_found' as const, []] : [state, question.evidence];
      if (reason !== 'not_found' && reason !== 'stated_absent' && reason !== 'partly') return [];
      const id = subjectOf({ of: 'question', slug });
      const text = founderWords[language].questions[slug] ?? question.text;
      return missing({ id, chapter: chapter.name, text }, reason, quotes, { language, shown });
    });
}

/** Adds the reason; quotes that an earlier reason gave are named by their slide. */
function missing(
  question: Pick<FounderQuestion, 'id' | 'chapter' | 'text'>,
  reason: 'not_found' | 'stated_absent' | 'partly',
  quotes: readonly ReportEvidence[],
  { language, shown }: { readonly language: Language; readonly shown: Set<string> },
): FounderQuestion {
  const { because } = founderWords[language];
  const evidence = proofFirst(quotes).map(({ slide, quote }) => ({ slide, quote }));
  const asked = { ...question, reason, evidence };
  if (reason === 'not_found' || evidence.length === 0) return { ...asked, because: because.notFound };
  const fresh = notShownYet(evidence.slice(0, QUOTES_SHOWN), shown);
  if (fresh.length === 0) return { ...asked, because: because.onSlides(slidesOf(evidence)) };
  return { ...asked, because: reason === 'partly' ? because.partly(fresh) : because.statedAbsent(fresh) };
}

/** Questions as a numbered list, each with what the deck says on it. */
export function founderText(questions: readonly FounderQuestion[]): string {
  return questions
    .map(({ text, because, reason }, index) => {
      const says = reason === 'stated_absent' || reason === 'partly';
      return `${index + 1}. ${text}${says ? `\n   ${because}` : ''}`;
    })
    .join('\n');
}

/** A mail to a founder. */
export interface FounderMail {
  readonly subject: string;
  readonly body: string;
}

/** A mail with questions, ready to be read once more and sent. `company` is its name; null where it is not known. */
export function founderMail(
  questions: readonly FounderQuestion[],
  { company, language }: { readonly company: string | null; readonly language: Language },
): FounderMail {
  const words = founderWords[language];
  const body = [words.greeting(company), words.lead, founderText(questions), words.end].join('\n\n');
  return { subject: words.subject(company), body };
}
