/** What of a chapter is shown as answers, and what is folded. Pure. */
import type { ReportChapter, ReportQuestion } from '../../../domain/decks/report.ts';
import { absenceOfQuestion } from '../../../domain/decks/review/absence.ts';

/** The questions of a chapter by what became of them. */
export interface GroupedQuestions {
  /** With an answer, or with quotes that say that there is none. */
  readonly answered: readonly ReportQuestion[];
  readonly notFound: readonly ReportQuestion[];
  readonly pending: readonly ReportQuestion[];
  readonly failed: readonly ReportQuestion[];
  /** Not asked because of the deck as a whole, which the page says once. */
  readonly unasked: readonly ReportQuestion[];
}

type Group = keyof GroupedQuestions;

function groupOf(question: ReportQuestion): Group {
  if (question.state !== 'not_supported' && question.evidence.length > 0) return 'answered';
  switch (absenceOfQuestion(question)) {
    case null:
    case 'stated_absent':
      return question.answer === null ? 'notFound' : 'answered';
    case 'not_found':
    case 'not_supported':
      return 'notFound';
    case 'pending':
      return 'pending';
    case 'failed':
      return 'failed';
    case 'unreadable':
    case 'not_asked':
      return 'unasked';
  }
}

/** Groups the questions of a chapter; each stands in one group, in its order. */
export function groupQuestions({ questions }: Pick<ReportChapter, 'questions'>): GroupedQuestions {
  const of = (group: Group): readonly ReportQuestion[] => questions.filter((question) => groupOf(question) === group);
  return {
    answered: of('answered'),
    notFound: of('notFound'),
    pending: of('pending'),
    failed: of('failed'),
    unasked: of('unasked'),
  };
}
