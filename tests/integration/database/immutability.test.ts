/** Versions of templates and prompts cannot be changed by anyone who has the database: results refer to them. */
import { expect } from 'vitest';
import { itWithDatabase as it } from '../../../testing/database.ts';

const version = { id: 'v2', tenantId: 'default', templateId: 'default/seven_chapter_review', version: 2 };
const chapter = { tenantId: 'default', slug: 'extra', name: 'Extra', description: '', position: 99 };
const question = {
  tenantId: 'default',
  slug: 'extra',
  text: 'Extra?',
  criteria: 'Anything.',
  healthFocus: '',
  position: 99,
};

it.for(['TemplateVersion', 'Chapter', 'Question', 'PromptVersion'])(
  'a stored version refuses a change of a %s row',
  async (table, { db }) => {
    const changes = [`update "${table}" set "tenantId" = 'other'`, `delete from "${table}"`];
    for (const sql of changes)
      await expect(db.$executeRawUnsafe(sql)).rejects.toThrow(/immutable: write a new version/u);
  },
);

it('a stored version keeps the words of its questions and prompts', async ({ db }) => {
  await expect(db.question.updateMany({ data: { text: 'Other words' } })).rejects.toThrow(/immutable/u);
  await expect(db.promptVersion.updateMany({ data: { body: 'Other words' } })).rejects.toThrow(/immutable/u);
  expect(await db.question.count({ where: { text: 'Other words' } })).toBe(0);
});

it('a stored version takes no chapter or question later', async ({ db }) => {
  const stored = await db.chapter.findFirstOrThrow();
  await expect(
    db.chapter.create({ data: { id: 'late', templateVersionId: stored.templateVersionId, ...chapter } }),
  ).rejects.toThrow(/immutable version/u);
  await expect(db.question.create({ data: { id: 'late', chapterId: stored.id, ...question } })).rejects.toThrow(
    /immutable version/u,
  );
});

it('a stored version is written whole, as the next version, in one transaction', async ({ db }) => {
  await db.templateVersion.create({
    data: {
      ...version,
      chapters: { create: [{ id: 'v2c', ...chapter, questions: { create: [{ id: 'v2q', ...question }] } }] },
    },
  });
  const written = await db.templateVersion.findUniqueOrThrow({
    where: { id: version.id },
    include: { chapters: { include: { questions: true } } },
  });
  expect(written.chapters[0]?.questions[0]?.text).toBe('Extra?');
  await expect(
    db.question.create({ data: { id: 'late', chapterId: 'v2c', ...question, slug: 'late' } }),
  ).rejects.toThrow(/immutable version/u);
});
