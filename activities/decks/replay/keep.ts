/**
 * For a replay that fills gaps: takes over the stored results of the earlier analysis and its other failures, unchanged. The remaining
 * calls are planned like any other call.
 */
import { randomUUID } from 'node:crypto';
import type { ModelCall, PrismaClient } from '../../../generated/prisma/client.ts';
import type { AnalysisContext } from '../../models/analysis-context.ts';
import { type CallSubject, pageGapItem } from '../../../domain/models/model-tasks.ts';
import { applyStoredResults, recordCallFailure } from '../../models/store-result.ts';
import { recordGap } from '../../models/gaps.ts';
import { slidesLacked } from './computed-without.ts';
import { itemDecisions } from './origin.ts';

/** Results that were taken over, and calls that are still to be planned. */
export interface Kept {
  readonly open: readonly CallSubject[];
  readonly cached: number;
  readonly failed: number;
}

/** Repeating it after a crash changes nothing. An analysis that fills no gaps keeps nothing: all subjects are open. */
export async function keepFromOrigin(
  db: PrismaClient,
  context: AnalysisContext,
  subjects: readonly CallSubject[],
): Promise<Kept> {
  const decisionOf = subjects.length === 0 ? null : await itemDecisions(db, context, subjects);
  if (decisionOf === null) return { open: subjects, cached: 0, failed: 0 };
  const lacked = slidesLacked(db, context);
  const open: CallSubject[] = [];
  const taken: { readonly subject: CallSubject; readonly call: ModelCall }[] = [];
  const failed: ModelCall[] = [];
  let pagesMissing = 0;
  for (const subject of subjects) {
    const { decision, call } = decisionOf(subject);
    if (decision === 'take' && call !== null) taken.push({ subject, call });
    else if (decision === 'stays' && call !== null) failed.push(call);
    else if (decision === 'stays') {
      await repeatPageGap(db, context, subject.slideNumber ?? 0);
      pagesMissing++;
    } else open.push(subject);
  }
  const results = await db.modelResult.findMany({
    where: { tenantId: context.tenantId, contentKey: { in: taken.map((t) => t.call.contentKey) } },
    select: { id: true, contentKey: true, output: true, engineKind: true },
  });
  const resultOf = new Map(results.map((r) => [r.contentKey, r]));
  const copies: CallCopy[] = failed.map((call) => ({ call, computedWithout: [] }));
  for (const { subject, call } of taken) {
    // A result that is gone is computed again.
    if (!resultOf.has(call.contentKey)) open.push(subject);
    else copies.push({ call, computedWithout: union(call.computedWithout, await lacked(subject)) });
  }
  const rows = await copyCalls(db, context, copies);
  const fresh = rows.filter((row) => row.state !== 'stored' && row.state !== 'failed');
  await applyStoredResults(
    db,
    context,
    fresh.flatMap((call) => {
      const result = resultOf.get(call.contentKey);
      return result === undefined ? [] : [{ call, result }];
    }),
  );
  for (const row of fresh.filter((r) => !resultOf.has(r.contentKey))) {
    const call = failed.find((c) => c.contentKey === row.contentKey);
    const code = call?.failureCode ?? 'internal';
    await recordCallFailure(db, { callId: row.id, code, message: call?.failureMessage ?? code });
  }
  return { open, cached: copies.length - failed.length, failed: failed.length + pagesMissing };
}

interface CallCopy {
  readonly call: ModelCall;
  readonly computedWithout: readonly number[];
}

const union = (a: readonly number[], b: readonly number[]): number[] =>
  [...new Set([...a, ...b])].toSorted((x, y) => x - y);

/** Rows of this analysis under the origin's keys. */
async function copyCalls(
  db: PrismaClient,
  { tenantId, analysisId }: AnalysisContext,
  copies: readonly CallCopy[],
): Promise<ModelCall[]> {
  await db.modelCall.createMany({
    data: copies.map(({ call, computedWithout }) => {
      const { contentKey, task, gpuClass, priority, expectedSeconds, slideNumber, questionId } = call;
      const about = { task, gpuClass, priority, expectedSeconds, slideNumber, questionId };
      return {
        id: randomUUID(),
        tenantId,
        analysisId,
        contentKey,
        ...about,
        // No call is made for it, also if a failure is copied.
        cached: true,
        computedWithout: [...computedWithout],
      };
    }),
    skipDuplicates: true,
  });
  const contentKeys = copies.map((c) => c.call.contentKey);
  return db.modelCall.findMany({ where: { analysisId, contentKey: { in: contentKeys } } });
}

/** A page that could not be drawn and is not requested stays missing, even if it could be drawn now. */
async function repeatPageGap(db: PrismaClient, context: AnalysisContext, slideNumber: number): Promise<void> {
  const { tenantId, analysisId, gapsOf } = context;
  const gap = await db.gap.findFirst({
    where: { analysisId: gapsOf?.analysisId ?? '', item: pageGapItem(slideNumber) },
  });
  if (gap === null) return;
  const { item, code, message } = gap;
  await recordGap(db, { tenantId, analysisId, item, stage: 'slides', slideNumber, code, message });
}
