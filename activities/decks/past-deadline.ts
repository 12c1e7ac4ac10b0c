/** What is stored of a run that its deadline ended: each planned call as a gap, one gap for the run, and the scores there are. */
import { DEADLINE_CODE, deadlineGapText, deadlinePassedText } from '../../domain/decks/deadline.ts';
import { STAGES } from '../../domain/decks/stage-graph.ts';
import { memberOf } from '../../domain/text/member-of.ts';
import type { Analysis, PrismaClient } from '../../generated/prisma/client.ts';
import { recordGap } from '../models/gaps.ts';
import { recordCallFailure } from '../models/store-result.ts';

/** Records it. Repeating it after a crash changes nothing. @param deadlineAtMs the deadline that passed */
export async function recordPastDeadline(
  db: PrismaClient,
  { id: analysisId, tenantId, stage, startedAt }: Pick<Analysis, 'id' | 'tenantId' | 'stage' | 'startedAt'>,
  deadlineAtMs: number,
): Promise<void> {
  const open = await db.modelCall.findMany({ where: { analysisId, state: 'planned' }, select: { id: true } });
  const message = deadlinePassedText(deadlineAtMs);
  for (const { id: callId } of open) await recordCallFailure(db, { callId, code: DEADLINE_CODE, message });
  const cancelled = await db.modelCall.count({ where: { analysisId, state: 'failed', failureCode: DEADLINE_CODE } });
  await recordGap(db, {
    tenantId,
    analysisId,
    item: DEADLINE_CODE,
    stage: memberOf(STAGES, stage) ?? 'probe',
    code: DEADLINE_CODE,
    message: deadlineGapText(deadlineAtMs, startedAt === null ? null : stage, cancelled),
  });
}
