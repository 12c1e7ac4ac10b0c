/** Gaps: what an analysis could not compute, one row per item, with its reason. A gap is closed when its item is computed after all. */
import { randomUUID } from 'node:crypto';
import type { Stage } from '../../domain/decks/stage-graph.ts';
import type { Transaction } from '../../platform/db.ts';

export interface GapInput {
  readonly tenantId: string;
  readonly analysisId: string;
  /** Names the missing item, such as `slide/3/description`. */
  readonly item: string;
  readonly stage: Stage;
  readonly slideNumber?: number | null;
  readonly questionSlug?: string | null;
  readonly code: string;
  /** For people: what is missing and why. */
  readonly message: string;
}

/** Records a gap, or what is now known of one already recorded. */
export async function recordGap(tx: Transaction, gap: GapInput): Promise<void> {
  const { tenantId, analysisId, item, stage, code, message } = gap;
  const columns = {
    stage,
    code,
    message,
    slideNumber: gap.slideNumber ?? null,
    questionSlug: gap.questionSlug ?? null,
  };
  await tx.gap.upsert({
    where: { analysisId_item: { analysisId, item } },
    create: { id: randomUUID(), tenantId, analysisId, item, ...columns },
    update: columns,
  });
}

/** Removes the gap of an item that is there now. */
export async function closeGap(tx: Transaction, analysisId: string, item: string): Promise<void> {
  await tx.gap.deleteMany({ where: { analysisId, item } });
}
