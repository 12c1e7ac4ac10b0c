/** Rows that entries of the deck list are made of. */
import { randomUUID } from 'node:crypto';
import type { HumanVerdict, Prisma, PrismaClient } from '../../../../generated/prisma/client.ts';
import { anAnalysis, TENANT } from '../../../../testing/make.ts';

/** Something that a person says: that a deck is interesting, unless a test says otherwise. */
export const aVerdict = (
  db: PrismaClient,
  values: Partial<Prisma.HumanVerdictUncheckedCreateInput> & { readonly deckId: string },
): Promise<HumanVerdict> =>
  db.humanVerdict.create({
    data: {
      id: randomUUID(),
      tenantId: TENANT,
      kind: 'tag',
      subject: values.text ?? 'hot',
      text: 'hot',
      authorName: 'Ann',
      ...values,
    },
  });

/** A value that a review found. */
export const aValue = (
  db: PrismaClient,
  values: Partial<Prisma.ExtractionUncheckedCreateInput> & { readonly analysisId: string; readonly field: string },
) => db.extraction.create({ data: { id: randomUUID(), tenantId: TENANT, status: 'found', ...values } });

/** A fact of a profile, with its quote where it has one. */
type MadeFact = Partial<Prisma.ProfileFactUncheckedCreateInput> &
  Pick<Prisma.ProfileFactUncheckedCreateInput, 'topic' | 'name' | 'value'> & {
    readonly quote?: Pick<Prisma.EvidenceUncheckedCreateInput, 'slideNumber' | 'quote' | 'verdict' | 'answering'>;
  };

/** A profile that a review found, with its facts in their order. The row that the list follows is written last. */
export async function aProfile(
  db: PrismaClient,
  analysisId: string,
  facts: readonly MadeFact[],
  documentKind = 'pitch_deck',
): Promise<void> {
  const [profileId, tenantId] = [randomUUID(), TENANT];
  const profile = { id: profileId, tenantId, analysisId, status: 'pending', documentKind, unanswered: [] };
  await db.deckProfile.create({ data: profile });
  for (const [position, { quote, ...fact }] of facts.entries()) {
    const row = { id: randomUUID(), tenantId, profileId, position, ...fact };
    await db.profileFact.create({ data: row });
    if (quote !== undefined) {
      await db.evidence.create({ data: { id: randomUUID(), tenantId, profileFactId: row.id, position: 0, ...quote } });
    }
  }
  await db.deckProfile.update({ where: { id: profileId }, data: { status: 'analysed' } });
}

/** A template with one chapter of weight 1 for each list of weights of questions; slugs are `q1`, `q2` … over all chapters. */
export async function aTemplate(db: PrismaClient, chapters: readonly (readonly number[])[]) {
  const template = await db.template.create({
    data: { id: randomUUID(), tenantId: TENANT, slug: randomUUID(), name: 'Test' },
  });
  let question = 0;
  return db.templateVersion.create({
    data: {
      id: randomUUID(),
      tenantId: TENANT,
      templateId: template.id,
      version: 1,
      chapters: {
        create: chapters.map((weights, position) => ({
          id: randomUUID(),
          tenantId: TENANT,
          slug: `chapter${position}`,
          name: `Chapter ${position}`,
          description: '',
          position,
          questions: {
            create: weights.map((weight, at) => ({
              id: randomUUID(),
              tenantId: TENANT,
              slug: `q${(question += 1)}`,
              text: '?',
              criteria: '',
              healthFocus: '',
              weight,
              position: at,
            })),
          },
        })),
      },
    },
    include: { chapters: { orderBy: { position: 'asc' }, include: { questions: { orderBy: { position: 'asc' } } } } },
  });
}

/** A full review that came to this score. */
export const aReview = (
  db: PrismaClient,
  values: Parameters<typeof anAnalysis>[1] & { readonly overallScore: number },
) =>
  anAnalysis(db, {
    status: 'completed',
    stage: 'review',
    finishedAt: new Date(),
    scoredQuestions: 3,
    askedQuestions: 4,
    ...values,
  });
