/** The seed: written once, left alone when it is there, refused when it edits a version in place. */
import { expect } from 'vitest';
import { PRESETS } from '../../../domain/models/catalog/presets.ts';
import { MODEL_TASK_NAMES } from '../../../domain/models/model-tasks.ts';
import { SECTOR_SLUGS } from '../../../domain/models/result-schemas.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { DEFAULT_TENANT } from '../../../domain/tenant.ts';
import { applySeed } from '../../../prisma/apply-seed.ts';
import { itWithFreshDatabase as it } from '../../../testing/database.ts';

/** Everything the seed writes. */
const everything = async (db: PrismaClient): Promise<unknown> => ({
  tenants: await db.tenant.findMany({ orderBy: { id: 'asc' } }),
  templates: await db.template.findMany({ orderBy: { id: 'asc' } }),
  versions: await db.templateVersion.findMany({ orderBy: { id: 'asc' } }),
  chapters: await db.chapter.findMany({ orderBy: { id: 'asc' } }),
  questions: await db.question.findMany({ orderBy: { id: 'asc' } }),
  sectors: await db.sector.findMany({ orderBy: { id: 'asc' } }),
  prompts: await db.prompt.findMany({ orderBy: { id: 'asc' } }),
  promptVersions: await db.promptVersion.findMany({ orderBy: { id: 'asc' } }),
  models: await db.modelConfiguration.findMany({ orderBy: { id: 'asc' } }),
});

/** Makes the database forget which seed it holds, as one of another version would. */
const forgetFingerprint = (db: PrismaClient): Promise<unknown> => db.tenant.updateMany({ data: { seedSha256: null } });

/** Changes rows that refuse it, as an edited seed file would have written them. */
async function forceChange(db: PrismaClient, table: string, sql: string): Promise<void> {
  await db.$executeRawUnsafe(`alter table "${table}" disable trigger user`);
  await db.$executeRawUnsafe(sql);
  await db.$executeRawUnsafe(`alter table "${table}" enable trigger user`);
}

it('the seed holds 34 questions in seven chapters, the sectors, and a prompt and models per task', async ({ db }) => {
  expect(await db.chapter.count()).toBe(7);
  expect(await db.question.count()).toBe(34);
  const sectors = await db.sector.findMany({ include: { template: true } });
  expect(sectors.map((s) => s.slug).sort()).toEqual([...SECTOR_SLUGS].sort());
  expect(sectors.filter((s) => s.template === null)).toEqual([]);
  const prompts = await db.prompt.findMany({ include: { versions: true } });
  expect(prompts.map((p) => p.task).sort()).toEqual([...MODEL_TASK_NAMES].sort());
  expect(prompts.filter((p) => !p.versions.some((v) => v.version === p.activeVersion))).toEqual([]);
  expect(await db.modelConfiguration.count()).toBe(PRESETS.profiles.length * MODEL_TASK_NAMES.length);
});

it('the seed is left alone when the database holds it', async ({ db }) => {
  const before = await everything(db);
  expect(await applySeed(db)).toBe(false);
  expect(await everything(db)).toEqual(before);
});

it('the seed changes nothing when it is written again', async ({ db }) => {
  const before = await everything(db);
  await forgetFingerprint(db);
  expect(await applySeed(db)).toBe(true);
  expect(await everything(db)).toEqual(before);
});

it('the seed brings every tenant up to date, each with rows of its own', async ({ db }) => {
  await db.modelConfiguration.updateMany({ data: { pinnedDigest: 'sha256:1234' } });
  await db.tenant.create({ data: { id: 'second', name: 'Second' } });
  expect(await applySeed(db)).toBe(true);
  expect(await applySeed(db)).toBe(false);
  const questions = await db.question.groupBy({ by: ['tenantId'], _count: true, orderBy: { tenantId: 'asc' } });
  expect(questions.map((group) => [group.tenantId, group._count])).toEqual([
    [DEFAULT_TENANT, 34],
    ['second', 34],
  ]);
  expect(await db.tenant.findUnique({ where: { id: 'second' } })).toMatchObject({ name: 'Second' });
  // Machines serve all tenants: a new one gets the pins that count.
  expect(await db.modelConfiguration.count({ where: { tenantId: 'second', pinnedDigest: 'sha256:1234' } })).toBe(
    PRESETS.profiles.length * MODEL_TASK_NAMES.length,
  );
});

it('the seed leaves to operators what is theirs: digests, options, the active version of a prompt', async ({ db }) => {
  await db.modelConfiguration.updateMany({ data: { pinnedDigest: 'sha256:1234', numCtx: 4096 } });
  const prompt = await db.prompt.findFirstOrThrow();
  await db.promptVersion.create({
    data: { id: 'own', tenantId: DEFAULT_TENANT, promptId: prompt.id, version: 1000, body: 'Own words.' },
  });
  await db.prompt.update({ where: { id: prompt.id }, data: { activeVersion: 1000 } });
  await forgetFingerprint(db);
  const before = await db.modelConfiguration.findMany({ orderBy: { id: 'asc' } });
  await applySeed(db);
  expect(await db.modelConfiguration.findMany({ orderBy: { id: 'asc' } })).toEqual(before);
  expect((await db.prompt.findUniqueOrThrow({ where: { id: prompt.id } })).activeVersion).toBe(1000);
});

it.for([
  ['Question', `update "Question" set "criteria" = 'Older criteria.'`],
  ['PromptVersion', `update "PromptVersion" set "body" = "body" || ' More.'`],
] as const)('the seed is refused whole when it edits a %s under the same version', async ([table, sql], { db }) => {
  await forgetFingerprint(db);
  await db.sector.updateMany({ data: { name: 'Old name' } });
  await forceChange(db, table, sql);
  await expect(applySeed(db)).rejects.toMatchObject({
    code: 'conflict',
    hint: expect.stringMatching(/next version/u) as string,
  });
  // Nothing of it is left behind.
  expect(await db.sector.count({ where: { name: 'Old name' } })).toBe(SECTOR_SLUGS.length);
});
