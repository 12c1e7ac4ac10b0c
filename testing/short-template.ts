/** A shorter version of a tenant's templates, for tests that need reviews but not all their questions. */
import { randomUUID } from 'node:crypto';
import type { PrismaClient } from '../generated/prisma/client.ts';
import { SEVEN_CHAPTER_REVIEW } from '../prisma/seed/seven-chapter-review.ts';

/** How much of its template a review asks. `short`: the first questions of each chapter, in a third of the time. */
export type TemplateLength = 'short' | 'whole';

/** Questions that are left of each chapter. */
const KEPT = 2;
/** Questions that a review by the short template asks. */
export const SHORT_QUESTIONS = SEVEN_CHAPTER_REVIEW.chapters.length * KEPT;

/** Writes a version of each template that has the first questions of the first chapters alone. New reviews take it. */
export async function shortenTemplates(
  db: PrismaClient,
  tenantId: string,
  kept = { chapters: SEVEN_CHAPTER_REVIEW.chapters.length, questionsOfEach: KEPT },
): Promise<void> {
  const orderBy = { position: 'asc' as const };
  const questions = { orderBy, take: kept.questionsOfEach };
  const chapters = { orderBy, take: kept.chapters, include: { questions } };
  const versions = await db.templateVersion.findMany({ where: { tenantId }, include: { chapters } });
  for (const { chapters: found, templateId, version } of versions) {
    await db.$transaction(async (tx) => {
      const { id: templateVersionId } = await tx.templateVersion.create({
        data: { id: randomUUID(), tenantId, templateId, version: version + 1 },
      });
      for (const { questions: asked, ...chapter } of found) {
        const chapterId = randomUUID();
        await tx.chapter.create({ data: { ...chapter, id: chapterId, templateVersionId } });
        await tx.question.createMany({ data: asked.map((each) => ({ ...each, id: randomUUID(), chapterId })) });
      }
    });
  }
}
