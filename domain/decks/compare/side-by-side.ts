/**
 * Two to five reviews side by side, question by question, with people's scores beside the machine's. Without a library at run time, because
 * pages import it.
 */
import { absenceOfQuestion, type Absence } from '../review/absence.ts';
import { isProof } from '../review/proof.ts';
import { statementOf, type Statement } from '../review/statement.ts';
import type { AnalysisReport, ReportQuestion } from '../report.ts';
import type { Language } from '../../models/model-tasks.ts';
import type { HumanVerdict } from '../verdicts/human-verdict.ts';
import type { JudgedReport, JudgedScore } from '../verdicts/overlay.ts';
import { ambiguousQuestions, questionKey } from './items.ts';
import { orderedKeys } from './ordered-keys.ts';
import { sameWords } from './wording.ts';

/** `runs`: analyses of one deck; `versions`: decks of one company; `decks`: anything else. */
export type ComparisonKind = 'runs' | 'versions' | 'decks';

/** What the reviews are compared as. @param reviews the deck of each, and its company where that is known */
export function kindOf(
  reviews: readonly { readonly deckId: string; readonly companyId: string | null }[],
): ComparisonKind {
  const [first] = reviews;
  if (first === undefined || reviews.length < 2) return 'decks';
  if (reviews.every(({ deckId }) => deckId === first.deckId)) return 'runs';
  const isOneCompany = first.companyId !== null && reviews.every(({ companyId }) => companyId === first.companyId);
  return isOneCompany ? 'versions' : 'decks';
}

/** A deck as far as its place in time goes. */
interface Dated {
  /** As the deck gives it: ISO 8601 date, month or year. */
  readonly deckDate: string | null;
  /** When it was uploaded. */
  readonly createdAt: string;
}

/** Order of decks in time, the oldest first: by the date on the deck, or by the upload of one without a date. For sorting. */
export function byDeckTime(a: Dated, b: Dated): number {
  const [timeA, timeB] = [timesOf(a), timesOf(b)];
  return timeA === timeB ? 0 : timeA < timeB ? -1 : 1;
}

const timesOf = ({ deckDate, createdAt }: Dated): string => `${deckDate ?? createdAt.slice(0, 10)} ${createdAt}`;

/** One of the reviews. */
export interface ComparedReview {
  readonly report: AnalysisReport;
  readonly judged: JudgedReport;
}

/** What one review says on a question. */
export interface QuestionCell {
  readonly question: ReportQuestion;
  readonly statement: Statement | null;
  /** The language of a statement that is not in the deck's own words; null for words of the deck. */
  readonly writtenIn: Language | null;
  /** Why it says nothing; null where it says something. */
  readonly absence: Absence | null;
  /** The person's score, else the machine's. */
  readonly score: number | null;
  /** The person's score with its reason; null where nobody gave one. */
  readonly human: HumanVerdict | null;
}

/** A question with a cell for each review; null where a review does not ask it. */
export interface ComparedQuestion {
  readonly key: string;
  readonly slug: string;
  readonly text: string;
  readonly cells: readonly (QuestionCell | null)[];
}

/** A chapter with its score in each review; null where a review does not have it. */
export interface ComparedChapter {
  readonly key: string;
  readonly name: string;
  readonly scores: readonly (JudgedScore | null)[];
  readonly questions: readonly ComparedQuestion[];
}

/**
 * The chapters of all reviews with their questions. Questions are matched by their slug, whatever the template, and stand in the chapter of
 * the last review that asks them.
 */
export function chaptersBeside(reviews: readonly ComparedReview[]): ComparedChapter[] {
  const reports = reviews.map(({ report }) => report);
  const ambiguous = ambiguousQuestions(reports);
  const places = reports.map((report) =>
    report.chapters.flatMap((chapter) =>
      chapter.questions.map((question) => ({
        key: questionKey(ambiguous, chapter.slug, question.slug),
        chapter,
        question,
      })),
    ),
  );
  const questions = orderedKeys(places).flatMap((key) => {
    const found = places.map((list) => list.find((place) => place.key === key));
    const named = found.findLast((place) => place !== undefined);
    if (named === undefined) return [];
    const cells = found.map((place, index) => (place === undefined ? null : cellOf(place.question, reviews[index])));
    return { chapter: named.chapter.slug, key, slug: named.question.slug, text: named.question.text, cells };
  });
  const chapters = reports.map((report) => report.chapters.map((chapter) => ({ ...chapter, key: chapter.slug })));
  return orderedKeys(chapters).flatMap((key): ComparedChapter[] => {
    const named = chapters.findLast((list) => list.some((chapter) => chapter.key === key));
    const name = named?.find((chapter) => chapter.key === key)?.name ?? key;
    const scores = reviews.map(({ judged }) => judged.chapters.get(key) ?? null);
    const own = questions.filter(({ chapter }) => chapter === key);
    return own.length === 0 ? [] : [{ key, name, scores, questions: own }];
  });
}

function cellOf(question: ReportQuestion, review: ComparedReview | undefined): QuestionCell {
  const judged = review?.judged.questions.get(question.slug);
  const statement = statementOf(question);
  return {
    question,
    statement,
    writtenIn: statement?.verbatim === false ? (review?.report.language ?? null) : null,
    absence: absenceOfQuestion(question),
    score: judged?.score ?? question.score,
    human: judged?.human ?? null,
  };
}

/**
 * True where the reviews differ on a question.
 *
 * @param depth `results`: in the score, or in whether the deck says something; `words`: also in what it says and whether that is proved
 */
export function differs({ cells }: ComparedQuestion, depth: 'results' | 'words'): boolean {
  const [first = null, ...others] = cells;
  return others.some((other) => {
    if (first === null || other === null) return first !== other;
    if (first.score !== other.score || first.absence !== other.absence) return true;
    if (depth === 'results') return false;
    const [a, b] = [first.statement?.text ?? '', other.statement?.text ?? ''];
    // The same said in another language is no difference.
    const isReworded = first.writtenIn === other.writtenIn && !sameWords(a, b);
    return isReworded || first.question.evidence.some(isProof) !== other.question.evidence.some(isProof);
  });
}

/** The chapter whose scores differ most, and by how much; null where no two scores of a chapter differ. */
export function widestChapter(
  chapters: readonly ComparedChapter[],
): { readonly name: string; readonly spread: number } | null {
  const spreads = chapters.flatMap(({ name, scores }) => {
    const known = scores.flatMap((each) => (each === null || each.score === null ? [] : [each.score]));
    return known.length < 2 ? [] : [{ name, spread: Math.max(...known) - Math.min(...known) }];
  });
  const widest = spreads.toSorted((a, b) => b.spread - a.spread)[0];
  return widest === undefined || widest.spread === 0 ? null : widest;
}
