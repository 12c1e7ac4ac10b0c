/**
 * Where questions stand in the template of a run, for the line that operators read: `question 12 of 34 (market_size)`.
 */
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { templateAttribute } from '../../../domain/temporal/search-attributes.ts';

/** Place of a question in its template. */
export interface QuestionPlace {
  /** From 1, over all chapters. */
  readonly number: number;
  readonly of: number;
  readonly slug: string;
}

/** Places by question id; empty when no question is asked for, or no template is chosen. */
export async function questionPlaces(
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

/** The template a run uses, as it can be searched by; null before one is chosen. */
export async function templateInUse(db: PrismaClient, analysisId: string): Promise<string | null> {
  const analysis = await db.analysis.findUniqueOrThrow({
    where: { id: analysisId },
    select: { templateVersion: { select: { version: true, template: { select: { slug: true } } } } },
  });
  const { templateVersion } = analysis;
  return templateVersion === null ? null : templateAttribute(templateVersion.template.slug, templateVersion.version);
}
