/** The items a replay that fills gaps can be limited to: what belongs to one slide or one question. */
import { gapItem } from '../../activities/models/store/gaps.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { DeckhandError } from '../../domain/errors.ts';

/** One slide by its number, or one question by its id or slug. */
export type ReplayItem = { readonly slide: number } | { readonly question: string };

/**
 * Gap items of slides and questions of an analysis.
 *
 * @throws DeckhandError `not_found` for a question that its template does not have
 */
export async function gapItemsOf(
  db: PrismaClient,
  tenantId: string,
  analysisId: string,
  items: readonly ReplayItem[],
): Promise<readonly string[]> {
  const names = items.flatMap((item) => ('question' in item ? [item.question] : []));
  const analysis = await db.analysis.findFirst({
    where: { id: analysisId, tenantId },
    select: { templateVersionId: true },
  });
  const questions =
    names.length === 0
      ? []
      : await db.question.findMany({
          where: {
            chapter: { templateVersionId: analysis?.templateVersionId ?? '' },
            OR: [{ id: { in: names } }, { slug: { in: names } }],
          },
          select: { id: true, slug: true },
        });
  return items.flatMap((item) => {
    if ('slide' in item) {
      const { slide } = item;
      return [gapItem.page(slide), gapItem.description(slide), gapItem.feedback(slide), gapItem.condensation(slide)];
    }
    const found = questions.find((q) => q.id === item.question || q.slug === item.question);
    if (found !== undefined) return [gapItem.answer(found.id), gapItem.score(found.id)];
    throw new DeckhandError('not_found', `analysis ${analysisId} has no question ${item.question}`, {
      userMessage: `This analysis has no question ${item.question}.`,
      hint: 'The report names its questions (slug).',
    });
  });
}

/** @throws DeckhandError `conflict` when none of the items is missing in the analysis */
export async function checkItems(db: PrismaClient, analysisId: string, items: readonly string[]): Promise<void> {
  if (items.length === 0) return;
  const gaps = await db.gap.findMany({ where: { analysisId }, select: { item: true } });
  if (gaps.some((gap) => items.includes(gap.item))) return;
  throw new DeckhandError('conflict', `analysis ${analysisId} misses none of ${items.join(', ')}`, {
    userMessage: 'Nothing of that is missing in this analysis.',
    hint: 'The report lists what is missing.',
  });
}
