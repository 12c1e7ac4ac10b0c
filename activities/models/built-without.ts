/**
 * Which slides a value was built without: a slide that failed and is read later, while the run goes on, does not change what was built before,
 * but is named there (`ModelCall.computedWithout`).
 */
import type { ModelCall, PrismaClient } from '../../generated/prisma/client.ts';
import { modelTaskOf, readsAnswer, tasksOfStep, tasksWhere } from '../../domain/models/model-tasks.ts';
import type { Transaction } from '../../platform/db.ts';

/** Tasks that read the text of the whole deck, and the scores of answers from it. */
const BUILT_ON_SLIDES = tasksWhere(({ readsDeck, input }) => readsDeck || input === 'answer');

/** True for a call that was planned without slides that are there now. A score is built on its answer, which stays as it is. */
export const lacksSlides = ({ task, computedWithout }: Pick<ModelCall, 'task' | 'computedWithout'>): boolean =>
  !readsAnswer(modelTaskOf(task)) && computedWithout.length > 0;

/** Names a slide on everything that the analysis has built or planned without it. What is planned anew with it loses the name again. */
export async function markBuiltWithout(
  tx: Transaction,
  { analysisId, slideNumber }: Pick<ModelCall, 'analysisId' | 'slideNumber'>,
): Promise<void> {
  if (slideNumber === null) return;
  await tx.modelCall.updateMany({
    where: {
      analysisId,
      task: { in: [...BUILT_ON_SLIDES] },
      state: { in: ['stored', 'planned'] },
      NOT: { computedWithout: { has: slideNumber } },
    },
    data: { computedWithout: { push: slideNumber } },
  });
}

/** Slides that answers were built without, by question, for the scores that are to be planned. */
export async function slidesLackedByAnswers(
  db: PrismaClient,
  analysisId: string,
): Promise<ReadonlyMap<string | null, number[]>> {
  const answers = await db.modelCall.findMany({
    where: {
      analysisId,
      task: { in: [...tasksOfStep('answers')] },
      state: 'stored',
      NOT: { computedWithout: { isEmpty: true } },
    },
    select: { questionId: true, computedWithout: true },
  });
  return new Map(answers.map((a) => [a.questionId, a.computedWithout]));
}
