/** The items a replay that fills gaps can be limited to: what belongs to one slide or one question. */
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { DeckhandError } from '../../../domain/errors.ts';
import {
  callSubject,
  gapItemOf,
  pageGapItem,
  tasksWhere,
  type CallSubject,
} from '../../../domain/models/model-tasks.ts';

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
  const questions = names.length === 0 ? [] : await questionsOf(db, tenantId, analysisId, names);
  return items.flatMap((item) => {
    if ('slide' in item) return [pageGapItem(item.slide), ...itemsAbout('slide', { slideNumber: item.slide })];
    return itemsAbout('question', { questionId: pick(questions, analysisId, item.question).id });
  });
}

const itemsAbout = (subject: 'slide' | 'question', about: Partial<CallSubject>): string[] =>
  tasksWhere((task) => task.subject === subject).map((task) => gapItemOf(callSubject(task, about)));

/**
 * Id of a question of an analysis' template, by its id or slug.
 *
 * @throws DeckhandError `not_found`
 */
export async function questionIdOf(
  db: PrismaClient,
  tenantId: string,
  analysisId: string,
  name: string,
): Promise<string> {
  return pick(await questionsOf(db, tenantId, analysisId, [name]), analysisId, name).id;
}

interface QuestionNames {
  readonly id: string;
  readonly slug: string;
}

async function questionsOf(
  db: PrismaClient,
  tenantId: string,
  analysisId: string,
  names: readonly string[],
): Promise<QuestionNames[]> {
  const analysis = await db.analysis.findFirst({
    where: { id: analysisId, tenantId },
    select: { templateVersionId: true },
  });
  return db.question.findMany({
    where: {
      chapter: { templateVersionId: analysis?.templateVersionId ?? '' },
      OR: [{ id: { in: [...names] } }, { slug: { in: [...names] } }],
    },
    select: { id: true, slug: true },
  });
}

function pick(questions: readonly QuestionNames[], analysisId: string, name: string): QuestionNames {
  const found = questions.find((q) => q.id === name || q.slug === name);
  if (found !== undefined) return found;
  throw new DeckhandError('not_found', `analysis ${analysisId} has no question ${name}`, {
    userMessage: `This analysis has no question ${name}.`,
    hint: 'The report names its questions (slug).',
  });
}

/** @throws DeckhandError `conflict` when none of the items is missing in the analysis */
export async function checkItems(db: PrismaClient, analysisId: string, items: readonly string[]): Promise<void> {
  if (items.length === 0) return;
  const gaps = await db.gap.findMany({ where: { analysisId }, select: { item: true } });
  if (gaps.some((gap) => items.includes(gap.item))) return;
  throw new DeckhandError('conflict', `analysis ${analysisId} misses none of ${items.join(', ')}`, {
    userMessage: 'Nothing to recompute in this analysis.',
    hint: 'The report lists what is missing.',
  });
}
