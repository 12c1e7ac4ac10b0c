/**
 * Decides on the control side which calls an analysis needs and which of them are already answered, so that known work wakes no GPU.
 * Planned rows are the demand the fleet is sized by.
 */
import { randomUUID } from 'node:crypto';
import type { ModelCall, ModelResult, PrismaClient } from '../../generated/prisma/client.ts';
import { MODEL_TASKS, readsAnswer, type CallSubject } from '../../domain/models/model-tasks.ts';
import { applyStoredResults } from './store-result.ts';
import { slidesLackedByAnswers } from './built-without.ts';
import type { AnalysisContext } from './analysis-context.ts';
import { CallInputSource, contentKeyOf } from './call-input.ts';

/** Place of a question in its template. */
export interface QuestionPlace {
  /** From 1, over all chapters. */
  readonly number: number;
  readonly of: number;
  readonly slug: string;
}

/** A call as the workflow schedules it: an id and what the operator reads, never content. */
export interface PlannedCall extends CallSubject {
  readonly callId: string;
  readonly modelName: string;
  /** Calls about a question only. */
  readonly place?: QuestionPlace;
}

export interface CallPlan {
  /** Calls a model has to answer. */
  readonly calls: PlannedCall[];
  /** How many were answered by stored results. */
  readonly cached: number;
  /** Calls of an earlier attempt of this analysis that failed for good; they are not tried again. */
  readonly failed: number;
}

/**
 * Plans calls: finds their content keys, applies what is stored already and returns the rest. Repeating it after a crash changes nothing.
 */
export async function planCalls(
  db: PrismaClient,
  context: AnalysisContext,
  subjects: readonly CallSubject[],
  source = new CallInputSource(db, context),
): Promise<CallPlan> {
  if (subjects.length === 0) return { calls: [], cached: 0, failed: 0 };
  const keyed: { subject: CallSubject; contentKey: string }[] = [];
  for (const subject of subjects) {
    // In turn: the inputs share their sources, and building one is a few string joins.
    keyed.push({ subject, contentKey: contentKeyOf(context, subject.task, await source.build(subject)) });
  }
  const contentKeys = keyed.map((k) => k.contentKey);
  const priority = await presentPriority(db, context);
  const lacked = subjects.some(({ task }) => readsAnswer(task))
    ? await slidesLackedByAnswers(db, context.analysisId)
    : new Map<string | null, number[]>();
  const resultsOf = (): Promise<ModelResult[]> =>
    db.modelResult.findMany({ where: { tenantId: context.tenantId, contentKey: { in: contentKeys } } });
  const planned = keyed.map(({ subject, contentKey }) => ({
    id: randomUUID(),
    tenantId: context.tenantId,
    analysisId: context.analysisId,
    contentKey,
    task: subject.task,
    gpuClass: MODEL_TASKS[subject.task].gpuClass,
    priority,
    expectedSeconds: MODEL_TASKS[subject.task].expectedSeconds,
    slideNumber: subject.slideNumber,
    questionId: subject.questionId,
    computedWithout: readsAnswer(subject.task) ? (lacked.get(subject.questionId) ?? []) : [],
  }));
  // A planned row is demand from the moment it is written, so a call with a stored result is written together with that result.
  const answeredBefore = new Set((await resultsOf()).map((result) => result.contentKey));
  await db.modelCall.createMany({
    data: planned.filter((row) => !answeredBefore.has(row.contentKey)),
    skipDuplicates: true,
  });
  // A priority changed meanwhile was written to the rows that existed then; the new rows get it here.
  const changed = await presentPriority(db, context);
  if (changed !== priority) {
    await db.modelCall.updateMany({
      where: { analysisId: context.analysisId, state: 'planned' },
      data: { priority: changed },
    });
  }
  const [rows, results] = await Promise.all([
    db.modelCall.findMany({ where: { analysisId: context.analysisId, contentKey: { in: contentKeys } } }),
    resultsOf(),
  ]);
  const resultByKey = new Map<string, ModelResult>(results.map((r) => [r.contentKey, r]));
  const written = new Set(rows.map((row) => row.contentKey));
  // A result that was stored at the first read was removed with a deleted deck meanwhile, so its call has no row yet.
  if (contentKeys.some((key) => !written.has(key) && !resultByKey.has(key))) {
    return planCalls(db, context, subjects, source);
  }

  const places = await questionPlaces(
    db,
    context.analysisId,
    subjects.map((subject) => subject.questionId),
  );
  const plan: { calls: PlannedCall[]; cached: number; failed: number } = { calls: [], cached: 0, failed: 0 };
  const answered: { readonly call: ModelCall; readonly result: ModelResult }[] = [];
  for (const row of rows) {
    const subject = keyed.find((k) => k.contentKey === row.contentKey)?.subject;
    if (subject === undefined) continue;
    if (row.state === 'failed') {
      plan.failed++;
      continue;
    }
    const result = resultByKey.get(row.contentKey);
    if (result === undefined) {
      const { modelName } = context.tasks[subject.task];
      const place = places.get(subject.questionId ?? '');
      plan.calls.push({ callId: row.id, ...subject, modelName, ...(place === undefined ? {} : { place }) });
      continue;
    }
    plan.cached++;
    if (row.state !== 'stored') answered.push({ call: row, result });
  }
  for (const row of new Map(planned.map((each) => [each.contentKey, each])).values()) {
    const result = resultByKey.get(row.contentKey);
    if (result === undefined || written.has(row.contentKey)) continue;
    plan.cached++;
    answered.push({ call: { ...row, ...NOT_WRITTEN_YET, createdAt: new Date() }, result });
  }
  await applyStoredResults(db, context, answered);
  return plan;
}

/** Columns of a call that has not been sent to a model. */
export const NOT_SENT = { sends: 0, lostSends: 0, crashes: 0, openSend: null, sendFailure: null } as const;

/** The columns that a new row has by default. */
const NOT_WRITTEN_YET = {
  ...NOT_SENT,
  state: 'planned',
  cached: false,
  failureCode: null,
  failureMessage: null,
  finishedAt: null,
} as const;

/** Priority of the analysis now: it may be changed while the analysis runs. */
async function presentPriority(db: PrismaClient, { analysisId }: AnalysisContext): Promise<number> {
  const { priority } = await db.analysis.findUniqueOrThrow({ where: { id: analysisId }, select: { priority: true } });
  return priority;
}

/** Places by question id; empty when no question is asked for, or no template is chosen. */
async function questionPlaces(
  db: PrismaClient,
  analysisId: string,
  questionIds: readonly (string | null)[],
): Promise<ReadonlyMap<string, QuestionPlace>> {
  if (questionIds.every((id) => id === null)) return new Map();
  const analysis = await db.analysis.findUniqueOrThrow({
    where: { id: analysisId },
    select: {
      templateVersion: {
        select: {
          chapters: {
            orderBy: { position: 'asc' },
            select: { questions: { orderBy: { position: 'asc' }, select: { id: true, slug: true } } },
          },
        },
      },
    },
  });
  const questions = analysis.templateVersion?.chapters.flatMap((chapter) => chapter.questions) ?? [];
  return new Map(
    questions.map(({ id, slug }, index) => [id, { number: index + 1, of: questions.length, slug }] as const),
  );
}
