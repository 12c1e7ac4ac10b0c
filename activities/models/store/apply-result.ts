/**
 * Turns a stored model result into the rows of an analysis: findings, extractions, answers, scores. Idempotent: applying a result twice
 * leaves what applying it once leaves.
 */
import { countCallEnds } from '../../metrics/counting.ts';
import type { ModelCall, ModelResult, Prisma, PrismaClient } from '../../../generated/prisma/client.ts';
import {
  answerQuestionSchema,
  classifySectorSchema,
  describeSlideSchema,
  extractValueSchema,
  EXTRACTION_FIELDS,
  scoreAnswerSchema,
  slideFeedbackSchema,
  SPECIALISED_KINDS,
  specialisedAnalysisSchema,
  taskOfField,
  taskOfSpecialised,
  type ModelTask,
} from '../../../domain/models/model-tasks.ts';
import { DeckhandError } from '../../../domain/errors.ts';
import type { AnalysisContext } from '../plan/analysis-context.ts';
import { storeAnswer, storeScore } from './answers.ts';
import { markBuiltWithout } from './built-without.ts';
import { storeClassification } from './classifications.ts';
import { storeExtraction } from './extractions.ts';
import { closeGap, gapItemOf, modelTaskOf } from './gaps.ts';
import { storeDescription, storeFeedback } from './slide-findings.ts';
import { storeSpecialised } from './specialised.ts';

/** A database client inside a transaction. */
export type Transaction = Prisma.TransactionClient;

/** What the writers of one result share. */
export interface StoreScope {
  readonly tx: Transaction;
  readonly context: AnalysisContext;
  readonly call: ModelCall;
  readonly resultId: string;
}

/** Writes the rows of one result and marks its call stored, in one transaction. */
export async function applyResult(
  db: PrismaClient,
  context: AnalysisContext,
  call: ModelCall,
  result: Pick<ModelResult, 'id' | 'output'>,
  options: { readonly cached: boolean },
): Promise<void> {
  await db.$transaction((tx) => applyInTransaction(tx, context, call, result, options));
  countCallEnds([call], 'stored', options.cached);
}

/** Results written in one transaction: few enough that it stays far below its time limit. */
const APPLIED_TOGETHER = 32;

/**
 * Writes the rows of stored results, several in one transaction: a replay of a whole review is a hundred of them. A call that has no row yet
 * gets one together with what was answered, so that nobody ever sees work in it.
 */
export async function applyStoredResults(
  db: PrismaClient,
  context: AnalysisContext,
  answered: readonly { readonly call: ModelCall; readonly result: Pick<ModelResult, 'id' | 'output'> }[],
): Promise<void> {
  for (let from = 0; from < answered.length; from += APPLIED_TOGETHER) {
    const together = answered.slice(from, from + APPLIED_TOGETHER);
    await db.$transaction(async (tx) => {
      // In the order of a deletion, the analysis and then the results: otherwise each could wait for the other.
      await tx.modelCall.createMany({ data: together.map(({ call }) => call), skipDuplicates: true });
      await holdResults(
        tx,
        together.map(({ result }) => result.id),
      );
      for (const { call, result } of together) await writeResult(tx, context, call, result);
      await tx.modelCall.updateMany({
        where: { analysisId: context.analysisId, contentKey: { in: together.map(({ call }) => call.contentKey) } },
        data: storedNow({ cached: true }),
      });
    });
    countCallEnds(
      together.map(({ call }) => call),
      'stored',
      true,
    );
  }
}

/**
 * Keeps results from going with a deck that is deleted, until the transaction is over and calls name them.
 *
 * @throws DeckhandError `internal` when one has gone already; planned again, its call is one for a model
 */
async function holdResults(tx: Transaction, ids: readonly string[]): Promise<void> {
  const held = await tx.$queryRaw<unknown[]>`
    SELECT "id" FROM "ModelResult" WHERE "id" = ANY(${ids}) ORDER BY "id" FOR KEY SHARE`;
  if (held.length < new Set(ids).size) throw new DeckhandError('internal', 'a stored result went with a deleted deck');
}

/** {@link applyResult} within a transaction that already runs. */
export async function applyInTransaction(
  tx: Transaction,
  context: AnalysisContext,
  call: ModelCall,
  result: Pick<ModelResult, 'id' | 'output'>,
  options: { readonly cached: boolean },
): Promise<void> {
  await writeResult(tx, context, call, result);
  await tx.modelCall.update({ where: { id: call.id }, data: storedNow(options) });
}

/** Columns of a call whose result is there. */
const storedNow = ({ cached }: { readonly cached: boolean }) =>
  ({ state: 'stored', cached, finishedAt: new Date(), failureCode: null, failureMessage: null }) as const;

async function writeResult(
  tx: Transaction,
  context: AnalysisContext,
  call: ModelCall,
  result: Pick<ModelResult, 'id' | 'output'>,
): Promise<void> {
  const scope: StoreScope = { tx, context, call, resultId: result.id };
  // Only a call that failed before can have left a gap.
  if (call.failureCode !== null) await closeGap(tx, context.analysisId, gapItemOf(call));
  const output: unknown = JSON.parse(result.output);
  if (call.failureCode !== null && call.task === 'describe_slide' && describeSlideSchema.parse(output).legible) {
    await markBuiltWithout(tx, call);
  }
  await writeRows(scope, modelTaskOf(call.task), output);
}

async function writeRows(scope: StoreScope, task: ModelTask, output: unknown): Promise<void> {
  switch (task) {
    case 'describe_slide':
      return storeDescription(scope, describeSlideSchema.parse(output));
    case 'slide_feedback':
      return storeFeedback(scope, slideFeedbackSchema.parse(output));
    case 'extract_offering':
    case 'extract_company_name':
    case 'extract_funding':
    case 'extract_deck_date': {
      const field = EXTRACTION_FIELDS.find((f) => taskOfField(f) === task);
      if (field === undefined) throw new DeckhandError('internal', `task ${task} has no field`);
      return storeExtraction(scope, field, extractValueSchema.parse(output));
    }
    case 'classify_sector':
      return storeClassification(scope, classifySectorSchema.parse(output));
    case 'answer_question':
      return storeAnswer(scope, answerQuestionSchema.parse(output));
    case 'score_answer':
      return storeScore(scope, scoreAnswerSchema.parse(output));
    case 'specialised_clinical':
    case 'specialised_regulatory':
    case 'specialised_science': {
      const kind = SPECIALISED_KINDS.find((k) => taskOfSpecialised(k) === task);
      if (kind === undefined) throw new DeckhandError('internal', `task ${task} has no kind`);
      return storeSpecialised(scope, kind, specialisedAnalysisSchema.parse(output));
    }
    case 'condense_slide':
      // Condensed sentences are read from the result itself when the deck's text is assembled.
      return undefined;
  }
}
