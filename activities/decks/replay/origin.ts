/** Results that the replayed analysis has stored, by item, and whether the replay takes it, leaves it missing or computes it. */
import type { ModelCall, PrismaClient } from '../../../generated/prisma/client.ts';
import { decideItem, type ItemDecision } from '../../../domain/decks/replay/item-decision.ts';
import type { AnalysisContext } from '../../models/analysis-context.ts';
import { type CallSubject, callSubject, pageGapItem, gapItemOf } from '../../../domain/models/model-tasks.ts';

/** States of a call, the least advanced first. */
const BY_WORTH: readonly ModelCall['state'][] = ['cancelled', 'planned', 'failed', 'stored'];

/** The call of each item. For an item that was planned again with another input: the most advanced call, the last of several. */
export function callByItem(calls: readonly ModelCall[]): ReadonlyMap<string, ModelCall> {
  const worth = ({ state }: ModelCall): number => BY_WORTH.indexOf(state);
  const endedMs = ({ finishedAt, createdAt }: ModelCall): number => (finishedAt ?? createdAt).getTime();
  const leastFirst = calls.toSorted((a, b) => worth(a) - worth(b) || endedMs(a) - endedMs(b));
  return new Map(leastFirst.map((call) => [gapItemOf(call), call]));
}

/** An item of the origin with its decision. */
export interface OriginDecision {
  readonly decision: ItemDecision;
  /** Its call in the origin; null when none was planned. */
  readonly call: ModelCall | null;
}

/** Decisions on these subjects; null when the analysis does not fill the gaps of another, so that everything is planned. */
export async function itemDecisions(
  db: PrismaClient,
  { gapsOf }: AnalysisContext,
  subjects: readonly CallSubject[],
): Promise<((subject: CallSubject) => OriginDecision) | null> {
  if (gapsOf === null) return null;
  const { analysisId, items } = gapsOf;
  const slides = subjects.flatMap((s) => (s.slideNumber === null ? [] : [s.slideNumber]));
  const calls = await db.modelCall.findMany({
    where: {
      analysisId,
      task: { in: [...new Set(subjects.map((s) => s.task))] },
      ...(slides.length === subjects.length ? { slideNumber: { in: slides } } : {}),
    },
  });
  const gaps = await db.gap.findMany({ where: { analysisId }, select: { item: true } });
  const missing = new Set(gaps.map((g) => g.item));
  const callOf = callByItem(calls);
  const wanted = (item: string): boolean => items.length === 0 || items.includes(item);
  return (subject) => {
    const item = gapItemOf(subject);
    const call = callOf.get(item) ?? null;
    const page = subject.slideNumber === null ? null : pageGapItem(subject.slideNumber);
    const decision = decideItem({
      state: call?.state ?? null,
      isGap: missing.has(item),
      pageIsGap: page !== null && missing.has(page),
      wanted: wanted(item),
      pageWanted: page === null || wanted(page),
    });
    return { decision, call };
  };
}

/** Slides whose page or description was missing in the origin and is there now, in order. */
export async function filledSlides(
  db: PrismaClient,
  { gapsOf, analysisId }: AnalysisContext,
): Promise<{ readonly number: number; readonly hadPage: boolean }[]> {
  if (gapsOf === null) return [];
  const gaps = await db.gap.findMany({
    where: { analysisId: gapsOf.analysisId, slideNumber: { not: null } },
    select: { item: true, slideNumber: true },
    orderBy: { slideNumber: 'asc' },
  });
  const missing = new Set(gaps.map((g) => g.item));
  const numbers = [...new Set(gaps.map((g) => g.slideNumber ?? 0))].filter(
    (n) => missing.has(pageGapItem(n)) || missing.has(gapItemOf(callSubject('describe_slide', { slideNumber: n }))),
  );
  const described = await db.slideFinding.findMany({
    where: { analysisId, kind: 'description', legible: true, slideNumber: { in: numbers } },
    select: { slideNumber: true },
  });
  const filled = new Set(described.map((d) => d.slideNumber));
  return numbers
    .filter((number) => filled.has(number))
    .map((number) => ({ number, hadPage: !missing.has(pageGapItem(number)) }));
}
