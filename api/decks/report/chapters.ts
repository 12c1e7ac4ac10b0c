/** Chapters and questions of a report: the template's, in its order, with what is stored for each. */
import type { QuestionStatus, ReportChapter, ReportQuestion } from '../../../domain/decks/report.ts';
import { COVERED, QUESTION_STATUSES } from '../../../domain/decks/report.ts';
import { VALUE_STATES } from '../../../domain/evidence/value-state.ts';
import { subjectOf } from '../../../domain/decks/verdicts/subject.ts';
import { claimEvidence, provenanceOf, slidesLacked, statusWithoutRow } from './parts.ts';
import { memberOf } from '../../../domain/text/member-of.ts';
import type { AnalysisRows } from './rows.ts';

type Version = NonNullable<AnalysisRows['templateVersion']>;
type QuestionRow = Version['chapters'][number]['questions'][number];
type AnswerRow = AnalysisRows['answers'][number];

/** Every chapter of the template in use; none before a template was chosen. */
export function buildChapters(analysis: AnalysisRows): ReportChapter[] {
  const version = analysis.templateVersion;
  if (version === null) return [];
  const answers = new Map(analysis.answers.map((a) => [a.questionId, a]));
  const scores = new Map(analysis.chapterScores.map((s) => [s.chapterId, s]));
  return version.chapters.map((chapter) => {
    const stored = scores.get(chapter.id);
    const questions = chapter.questions.map((q) => buildQuestion(analysis, q, answers.get(q.id), version.version));
    return {
      slug: chapter.slug,
      name: chapter.name,
      description: chapter.description,
      weight: chapter.weight,
      score: stored?.score ?? null,
      scored: stored?.scored ?? questions.filter((q) => q.score !== null).length,
      asked: stored?.asked ?? questions.length,
      questions,
    };
  });
}

/** The one state of a question, from the state of its answer and of its score. */
export function questionStatus(
  answer: { readonly status: string; readonly scoreStatus: string | null } | undefined,
): QuestionStatus {
  if (answer === undefined) return 'pending';
  if (answer.status !== 'answered') return memberOf(QUESTION_STATUSES, answer.status) ?? 'failed';
  if (answer.scoreStatus === null) return 'answered';
  return memberOf(QUESTION_STATUSES, answer.scoreStatus) ?? 'failed';
}

function buildQuestion(
  analysis: AnalysisRows,
  question: QuestionRow,
  answer: AnswerRow | undefined,
  templateVersion: number,
): ReportQuestion {
  return {
    slug: question.slug,
    text: question.text,
    healthFocus: question.healthFocus === '' ? null : question.healthFocus,
    weight: question.weight,
    status: answer === undefined ? statusWithoutRow(analysis, true) : questionStatus(answer),
    score: answer?.score ?? null,
    state: answer?.status === 'unreadable' ? 'unreadable' : memberOf(VALUE_STATES, answer?.state ?? null),
    covered: memberOf(COVERED, answer?.covered ?? null),
    answer: answer?.answer ?? null,
    rationale: answer?.rationale ?? null,
    reason: answer?.reason ?? answer?.scoreReason ?? null,
    computedWithout: slidesLacked(analysis, [answer?.modelResult, answer?.scoreModelResult]),
    evidence: claimEvidence(
      analysis,
      subjectOf({ of: 'question', slug: question.slug }),
      answer?.modelResult,
      answer?.evidence ?? [],
    ),
    answerProvenance: provenanceOf(analysis, answer?.modelResult, templateVersion),
    scoreProvenance: provenanceOf(analysis, answer?.scoreModelResult, templateVersion),
  };
}
