/** Dry runs of replays, planned from rows alone: a plan also names what the run may not need. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { previewReplay } from '../../../activities/decks/replay/preview.ts';
import { conditionInWords, type ReplayCall, type ReplayPlan } from '../../../domain/decks/replay/plan.ts';
import type { Analysis, PrismaClient } from '../../../generated/prisma/client.ts';
import { itWithDatabase as it } from '../../../testing/database.ts';
import { aDeck, aModelCall, anAnalysis, aSlide } from '../../../testing/make.ts';

const tenantId = 'default';

it.beforeAll(async ({ db }) => {
  await db.modelConfiguration.updateMany({ data: { pinnedDigest: 'd'.repeat(64), pinnedAt: new Date() } });
});

/** A failed analysis of a deck with these page texts, none of whose slides was described. */
async function failedAnalysis(db: PrismaClient, texts: readonly string[]): Promise<Analysis> {
  const { id: deckId } = await aDeck(db, { pageCount: texts.length });
  for (const [index, text] of texts.entries()) {
    await aSlide(db, { deckId, number: index + 1, text, modelSha256: `${deckId}-${index}` });
  }
  return anAnalysis(db, { deckId, status: 'failed', stage: null });
}

function preview(db: PrismaClient, origin: Analysis): Promise<ReplayPlan> {
  const id = randomUUID();
  const { deckId, language, modelProfile } = origin;
  const replay = { replayOfId: origin.id, replayKind: 'full' };
  const analysis = { id, tenantId, deckId, language, modelProfile, workflowId: id, ...replay };
  return previewReplay(db, { analysis, overrides: [] });
}

const of = (plan: ReplayPlan, task: ReplayCall['task']): ReplayCall[] => plan.calls.filter((c) => c.task === task);

it('a preview names the questions of every template that the sector may lead to', async ({ db }) => {
  const origin = await failedAnalysis(db, ['Cardiva measures heartbeats.']);
  const [template, version, chapter] = [randomUUID(), randomUUID(), randomUUID()];
  const question = { slug: 'own_question', text: 'What?', criteria: 'How well.', healthFocus: '', position: 1 };
  const texts = { slug: 'own', name: 'Own', description: 'Own', position: 1 };
  // Together: a version that is written takes no more chapters.
  await db.$transaction([
    db.template.create({ data: { id: template, tenantId, slug: 'own', name: 'Own' } }),
    db.templateVersion.create({ data: { id: version, tenantId, templateId: template, version: 1 } }),
    db.chapter.create({ data: { id: chapter, tenantId, templateVersionId: version, ...texts } }),
    db.question.create({ data: { id: randomUUID(), tenantId, chapterId: chapter, ...question } }),
  ]);
  const sector = await db.sector.findFirstOrThrow({ where: { tenantId } });
  await db.sector.update({ where: { id: sector.id }, data: { templateId: template } });

  const plan = await preview(db, origin);
  for (const task of ['answer_question', 'score_answer'] as const) {
    const own = of(plan, task).filter((c) => c.question === 'own_question');
    expect(own).toHaveLength(1);
    expect(own[0]).toMatchObject({
      certainty: 'conditional',
      condition: expect.stringContaining('template own') as string,
    });
    const others = of(plan, task).filter((c) => c.question !== 'own_question');
    expect(others).toHaveLength(34);
    expect(others.every((c) => c.condition?.includes('template seven_chapter_review') === true)).toBe(true);
  }
  expect(await db.modelCall.count({ where: { analysis: { deckId: origin.deckId } } })).toBe(0);
});

it('a preview plans with the configured model although that of the analysis has left its profile', async ({ db }) => {
  const origin = await failedAnalysis(db, ['Pulmara measures breaths.']);
  const overrides = { tenantId, analysisId: origin.id, task: 'slide_feedback', modelName: 'gone:1' };
  await db.modelOverride.create({ data: overrides });
  const about = { task: 'slide_feedback', slideNumber: 1, contentKey: 'of another model' };
  await aModelCall(db, { analysisId: origin.id, state: 'stored', ...about });
  const plan = await preview(db, origin);
  expect(of(plan, 'slide_feedback')).toMatchObject([{ slide: 1, model: 'reader-vision:1', reason: 'recomputed' }]);
  expect(of(plan, 'describe_slide')).toMatchObject([{ slide: 1, reason: 'missing' }]);
});

it('a preview of a deck that is too long is sure only of condensing slides whose text is there', async ({ db }) => {
  const long = 'Coordinators telephone considerably fewer outpatients. '.repeat(3800);
  // A picture before the opening slide: if it can be read, it is the opening one.
  const plan = await preview(db, await failedAnalysis(db, ['', 'Cardiva', long, '']));
  const conditionOf = (slide: number): string | null => conditionInWords([{ kind: 'condensable', slide }]);
  expect(of(plan, 'condense_slide').map((c) => [c.slide, c.condition])).toEqual([
    [3, null],
    [1, conditionOf(1)],
    [2, conditionOf(2)],
    [4, conditionOf(4)],
  ]);
});
