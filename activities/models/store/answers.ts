/**
 * Rows of template questions: the answer with its quotes, then the score of that answer.
 */
import { randomUUID } from 'node:crypto';
import { DeckhandError } from '../../../domain/errors.ts';
import type { AnswerQuestionOutput, ScoreAnswerOutput } from '../../../domain/models/model-tasks.ts';
import type { StoreScope } from './apply-result.ts';
import { replaceEvidence } from './evidence.ts';

function questionOf(scope: StoreScope): string {
  const { questionId } = scope.call;
  if (questionId === null) throw new DeckhandError('internal', `call ${scope.call.id} names no question`);
  return questionId;
}

/** Stores an answer and its checked quotes. */
export async function storeAnswer(scope: StoreScope, output: AnswerQuestionOutput): Promise<void> {
  const { tx, context, resultId } = scope;
  const { tenantId, analysisId } = context;
  const questionId = questionOf(scope);
  const columns = {
    status: 'answered',
    covered: output.covered,
    answer: output.answer,
    reason: null,
    modelResultId: resultId,
  };
  const { id } = await tx.answer.upsert({
    where: { analysisId_questionId: { analysisId, questionId } },
    create: { id: randomUUID(), tenantId, analysisId, questionId, ...columns },
    update: columns,
    select: { id: true },
  });
  await replaceEvidence(scope, { answerId: id }, output.evidence);
}

/** Stores the score of an answer that is there. */
export async function storeScore(scope: StoreScope, output: ScoreAnswerOutput): Promise<void> {
  const { tx, context, resultId } = scope;
  const questionId = questionOf(scope);
  await tx.answer.update({
    where: { analysisId_questionId: { analysisId: context.analysisId, questionId } },
    data: {
      scoreStatus: 'scored',
      score: output.score,
      rationale: output.rationale,
      scoreReason: null,
      scoreModelResultId: resultId,
    },
  });
}
