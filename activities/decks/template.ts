/** Which template a deck is reviewed with: chosen by rule from what is stored, recorded with its reason. */
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { DeckhandError } from '../../domain/errors.ts';
import { templateAttribute } from '../../domain/temporal/search-attributes.ts';
import { chooseTemplate, type TemplateChoiceInput } from '../../domain/decks/template-choice.ts';
import type { AnalysisContext } from '../models/analysis-context.ts';

/** Questions of the template in use, in its order. */
export type TemplateQuestions = readonly { readonly id: string; readonly slug: string }[];

const withQuestions = {
  chapters: {
    orderBy: { position: 'asc' },
    include: { questions: { orderBy: { position: 'asc' }, select: { id: true, slug: true } } },
  },
} as const;

/**
 * Chooses the template of an analysis and records why. One that fills gaps keeps the template whose answers it takes over.
 *
 * @throws DeckhandError `template_missing` when neither the asked template nor the fallback has questions.
 */
export async function settleTemplate(db: PrismaClient, context: AnalysisContext): Promise<TemplateQuestions> {
  const { analysisId } = context;
  const kept = await keptTemplate(db, context);
  if (kept !== null) {
    await db.analysis.update({ where: { id: analysisId }, data: kept });
    return questionsOf(db, kept.templateVersionId);
  }
  const [input, classification] = await Promise.all([
    choiceInput(db, context),
    db.classification.findUnique({ where: { analysisId } }),
  ]);
  const slug = classification?.sectorSlug ?? null;
  const sector = input.sectors.find((s) => s.slug === slug) ?? null;
  const choice = chooseTemplate({ ...input, sector });
  if (choice === null) {
    throw new DeckhandError('template_missing', 'no usable template', {
      userMessage: 'There is no template with questions to review this deck with.',
      hint: 'Run `./deckhand migrate` to seed the Seven-Chapter review.',
    });
  }
  const { versionId } = choice.template;
  await db.analysis.update({
    where: { id: analysisId },
    data: { templateVersionId: versionId, templateReason: choice.reason },
  });
  return questionsOf(db, versionId);
}

/** A template that may come to be used. */
export interface PossibleTemplate {
  readonly slug: string;
  readonly questions: TemplateQuestions;
}

/** Every template that the classification, once it is there, could lead to: the likeliest first. One, where the sector decides nothing. */
export async function possibleTemplates(db: PrismaClient, context: AnalysisContext): Promise<PossibleTemplate[]> {
  const kept = await keptTemplate(db, context);
  if (kept !== null) return [{ slug: '', questions: await questionsOf(db, kept.templateVersionId) }];
  const { sectors, ...input } = await choiceInput(db, context);
  const last = await db.analysis.findFirst({
    where: { deckId: context.deckId, templateVersionId: { not: null } },
    orderBy: { createdAt: 'desc' },
    select: { templateVersionId: true },
  });
  const versions = new Map(
    [null, ...sectors].flatMap((sector) => {
      const choice = chooseTemplate({ ...input, sector });
      return choice === null ? [] : [[choice.template.versionId, choice.template.slug] as const];
    }),
  );
  const likeliestFirst = [...versions].toSorted(
    ([a], [b]) => Number(b === last?.templateVersionId) - Number(a === last?.templateVersionId),
  );
  return Promise.all(likeliestFirst.map(async ([id, slug]) => ({ slug, questions: await questionsOf(db, id) })));
}

/** Template of the analysis whose gaps this one fills; null when this one chooses by itself. */
async function keptTemplate(
  db: PrismaClient,
  { gapsOf }: AnalysisContext,
): Promise<{ readonly templateVersionId: string; readonly templateReason: string | null } | null> {
  if (gapsOf === null) return null;
  const origin = await db.analysis.findUnique({
    where: { id: gapsOf.analysisId },
    select: { templateVersionId: true, templateReason: true },
  });
  const templateVersionId = origin?.templateVersionId ?? null;
  return templateVersionId === null ? null : { templateVersionId, templateReason: origin?.templateReason ?? null };
}

type Sector = NonNullable<TemplateChoiceInput['sector']>;

/** What the choice is made from, but for the sector, and every sector there is. */
async function choiceInput(
  db: PrismaClient,
  { analysisId, tenantId }: AnalysisContext,
): Promise<Omit<TemplateChoiceInput, 'sector'> & { readonly sectors: readonly Sector[] }> {
  const analysis = await db.analysis.findUniqueOrThrow({ where: { id: analysisId } });
  const templates = await db.template.findMany({
    where: { tenantId },
    include: { versions: { orderBy: { version: 'desc' }, take: 1, include: withQuestions } },
  });
  const sectors = await db.sector.findMany({ where: { tenantId }, include: { template: true } });
  return {
    requested: analysis.requestedTemplate,
    sectors: sectors.map(({ slug, name, template, templateReason }) => ({
      slug,
      name,
      templateSlug: template?.slug ?? null,
      templateReason,
    })),
    templates: templates.flatMap((t) =>
      t.versions.map((v) => ({
        slug: t.slug,
        versionId: v.id,
        version: v.version,
        questionCount: v.chapters.reduce((sum, c) => sum + c.questions.length, 0),
      })),
    ),
  };
}

async function questionsOf(db: PrismaClient, versionId: string): Promise<TemplateQuestions> {
  const version = await db.templateVersion.findUniqueOrThrow({ where: { id: versionId }, include: withQuestions });
  return version.chapters.flatMap((c) => c.questions);
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
