/**
 * Writes the seed: the default tenant; sectors, templates, prompts and model configuration of every tenant; and the alert rules.
 *
 * Versions of templates and prompts are immutable: new content needs a new version number; an edited version is refused here and by triggers in
 * the database. Pinned digests and active prompt versions are chosen by operators and stay.
 */
import type { Prisma, PrismaClient } from '../generated/prisma/client.ts';
import { DeckhandError } from '../domain/errors.ts';
import { sha256Hex } from '../platform/hash.ts';
import { ALERT_RULES } from './seed/alert-rules.ts';
import { DEFAULT_TENANT } from '../domain/tenant.ts';
import { MODEL_CONFIGURATIONS } from './seed/model-configurations.ts';
import { PROMPTS } from './seed/prompts.ts';
import { SECTORS, TEMPLATES_BY_SECTOR } from './seed/sectors.ts';
import { type SeedTemplate, SEVEN_CHAPTER_REVIEW } from './seed/seven-chapter-review.ts';

const TEMPLATES = [SEVEN_CHAPTER_REVIEW];

type Transaction = Prisma.TransactionClient;

/** Hash of the seed of this version, stored with the tenant so that an unchanged seed costs one query. */
export const SEED_SHA256 = sha256Hex(
  JSON.stringify([SECTORS, TEMPLATES, PROMPTS, MODEL_CONFIGURATIONS, TEMPLATES_BY_SECTOR]),
);

/**
 * Brings every tenant to this seed, first the default one, which is created if it is missing. Returns false if nothing was changed.
 *
 * @throws DeckhandError `conflict` when a version was edited
 */
export async function applySeed(db: PrismaClient): Promise<boolean> {
  const tenants = await db.tenant.findMany({ select: { id: true, seedSha256: true }, orderBy: { createdAt: 'asc' } });
  const others = tenants.filter((tenant) => tenant.seedSha256 !== SEED_SHA256 && tenant.id !== DEFAULT_TENANT);
  const hasDefault = tenants.some(({ id, seedSha256 }) => id === DEFAULT_TENANT && seedSha256 === SEED_SHA256);
  const stale = [...(hasDefault ? [] : [DEFAULT_TENANT]), ...others.map((tenant) => tenant.id)];
  for (const tenantId of stale) {
    await db.$transaction(
      async (tx) => {
        const name = 'Default';
        await tx.tenant.upsert({ where: { id: tenantId }, create: { id: tenantId, name }, update: {} });
        await seedTenant(tx, tenantId);
      },
      { timeout: 60_000 },
    );
  }
  const rulesChanged = await seedAlertRules(db);
  return stale.length > 0 || rulesChanged;
}

/**
 * Writes missing alert rules, and updates unedited ones to this version. A rule was edited if its time of change differs from its time of
 * creation.
 */
async function seedAlertRules(db: PrismaClient): Promise<boolean> {
  const stored = new Map((await db.alertRule.findMany()).map((rule) => [rule.id, rule]));
  let changed = false;
  for (const { id, ...columns } of ALERT_RULES) {
    const row = stored.get(id);
    if (row === undefined) {
      const createdAt = new Date();
      // An operator may have added a rule of this name meanwhile.
      await db.alertRule.createMany({
        data: { id, ...columns, createdAt, updatedAt: createdAt },
        skipDuplicates: true,
      });
      changed = true;
    } else if (row.updatedAt.getTime() === row.createdAt.getTime() && differs(row, columns)) {
      await db.alertRule.updateMany({ where: { id, updatedAt: row.createdAt }, data: columns });
      changed = true;
    }
  }
  return changed;
}

const differs = (row: object, columns: object): boolean =>
  Object.entries(columns).some(([name, value]) => (row as Record<string, unknown>)[name] !== value);

/** Writes one tenant's seed. @throws DeckhandError `conflict` when a version was edited */
export async function seedTenant(tx: Transaction, tenantId: string): Promise<void> {
  for (const template of TEMPLATES) await seedTemplate(tx, tenantId, template);
  await seedSectors(tx, tenantId);
  await seedPrompts(tx, tenantId);
  await seedModelConfigurations(tx, tenantId);
  await tx.tenant.update({ where: { id: tenantId }, data: { seedSha256: SEED_SHA256 } });
}

function edited(what: string): DeckhandError {
  return new DeckhandError('conflict', `${what} is stored with other content`, {
    userMessage: `The seed changes ${what}, which is immutable.`,
    hint: 'Give the new content the next version number.',
  });
}

async function seedTemplate(tx: Transaction, tenantId: string, seed: SeedTemplate): Promise<void> {
  const id = `${tenantId}/${seed.slug}`;
  const versionId = `${id}@${seed.version}`;
  await tx.template.upsert({
    where: { tenantId_slug: { tenantId, slug: seed.slug } },
    create: { id, tenantId, slug: seed.slug, name: seed.name },
    update: { name: seed.name },
  });
  const chapters = seed.chapters.map((chapter, position) => ({
    id: `${versionId}/${chapter.slug}`,
    tenantId,
    templateVersionId: versionId,
    slug: chapter.slug,
    name: chapter.name,
    description: chapter.description,
    weight: chapter.weight,
    position,
  }));
  const questions = seed.chapters.flatMap((chapter) =>
    chapter.questions.map((q, position) => ({
      id: `${versionId}/${chapter.slug}/${q.slug}`,
      tenantId,
      chapterId: `${versionId}/${chapter.slug}`,
      slug: q.slug,
      text: q.text,
      criteria: q.criteria,
      healthFocus: q.healthFocus,
      weight: q.weight,
      position,
    })),
  );
  const stored = await tx.templateVersion.findUnique({
    where: { id: versionId },
    include: { chapters: { orderBy: { position: 'asc' }, include: { questions: { orderBy: { position: 'asc' } } } } },
  });
  if (stored !== null) {
    const same =
      sha256Hex(JSON.stringify([chapters, questions])) ===
      sha256Hex(
        JSON.stringify([
          stored.chapters.map((chapter) => ({ ...chapter, questions: undefined })),
          stored.chapters.flatMap((c) => c.questions),
        ]),
      );
    if (!same) throw edited(`template ${seed.slug} version ${seed.version}`);
    return;
  }
  await tx.templateVersion.create({ data: { id: versionId, tenantId, templateId: id, version: seed.version } });
  await tx.chapter.createMany({ data: chapters });
  await tx.question.createMany({ data: questions });
}

async function seedSectors(tx: Transaction, tenantId: string): Promise<void> {
  for (const sector of SECTORS) {
    const choice = TEMPLATES_BY_SECTOR.find((t) => t.sector === sector.slug);
    const columns = {
      name: sector.name,
      description: sector.description,
      minConfidencePercent: sector.minConfidencePercent,
      keywords: sector.keywords,
      subcategories: sector.subcategories,
      isHealth: sector.isHealth,
      templateId: choice === undefined ? null : `${tenantId}/${choice.template}`,
      templateReason: choice?.reason ?? '',
    };
    await tx.sector.upsert({
      where: { tenantId_slug: { tenantId, slug: sector.slug } },
      create: { id: `${tenantId}/${sector.slug}`, tenantId, slug: sector.slug, ...columns },
      update: columns,
    });
  }
}

async function seedPrompts(tx: Transaction, tenantId: string): Promise<void> {
  for (const { slug: task, version, body } of PROMPTS) {
    const promptId = `${tenantId}/${task}`;
    await tx.prompt.upsert({
      where: { tenantId_task: { tenantId, task } },
      create: { id: promptId, tenantId, task, activeVersion: version },
      update: {},
    });
    const stored = await tx.promptVersion.findUnique({ where: { promptId_version: { promptId, version } } });
    if (stored === null) {
      await tx.promptVersion.create({ data: { id: `${promptId}@${version}`, tenantId, promptId, version, body } });
      await tx.prompt.update({ where: { id: promptId }, data: { activeVersion: version } });
    } else if (stored.body !== body) throw edited(`prompt ${task} version ${version}`);
  }
}

/** An operator may have changed an existing row, so it is left as it is. */
async function seedModelConfigurations(tx: Transaction, tenantId: string): Promise<void> {
  const [stored, pinned] = await Promise.all([
    tx.modelConfiguration.findMany({ where: { tenantId }, select: { profile: true, task: true } }),
    // Machines serve all tenants, so they have the same pinned digests.
    tx.modelConfiguration.findMany({
      where: { pinnedDigest: { not: null } },
      select: { profile: true, modelName: true, pinnedDigest: true, pinnedAt: true },
      distinct: ['profile', 'modelName'],
    }),
  ]);
  const missing = MODEL_CONFIGURATIONS.filter(
    ({ profile, task }) => !stored.some((row) => row.profile === profile && row.task === task),
  );
  await tx.modelConfiguration.createMany({
    data: missing.map(({ profile, task, ...columns }) => {
      const pin = pinned.find((row) => row.profile === profile && row.modelName === columns.modelName);
      const { pinnedDigest, pinnedAt } = pin ?? { pinnedDigest: columns.pinnedDigest, pinnedAt: null };
      return { id: `${tenantId}/${profile}/${task}`, tenantId, profile, task, ...columns, pinnedDigest, pinnedAt };
    }),
  });
}
