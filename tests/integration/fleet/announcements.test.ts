/** Pages that a deck announces before they are planned, so that a pool boots early: those that no stored result answers. */
import { describe, expect } from 'vitest';
import { announceMissingPages } from '../../../activities/decks/missing-pages.ts';
import { readDemand } from '../../../activities/fleet/pool/demand.ts';
import { AnalysisContexts } from '../../../activities/models/analysis-context.ts';
import { planCalls } from '../../../activities/models/plan-calls.ts';
import { applyStoredResults } from '../../../activities/models/store-result.ts';
import type { Analysis, PrismaClient } from '../../../generated/prisma/client.ts';
import { itWithFreshDatabase as it } from '../../../testing/database.ts';
import { modelResultRow, aDeck, anAnalysis, NOW } from '../../../testing/make.ts';
import { until } from '../../../testing/until.ts';

describe('what a deck announces', () => {
  const announce = (db: PrismaClient, analysis: Analysis): Promise<number> =>
    announceMissingPages(db, new AnalysisContexts(db), {
      analysisId: analysis.id,
      tasks: ['describe_slide', 'slide_feedback'],
    });
  const announcedBy = async (db: PrismaClient, { id }: Analysis): Promise<number> =>
    (await db.analysis.findUniqueOrThrow({ where: { id } })).announcedPages;

  it('what a deck announces is every page of a deck that no one has seen', async ({ db }) => {
    const analysis = await anAnalysis(db, { deck: { pageCount: 12 } });
    expect(await announce(db, analysis)).toBe(12);
    expect(await announcedBy(db, analysis)).toBe(12);
  });

  it('what a deck announces is every page while no host has shown its models', async ({ db }) => {
    expect(await announce(db, await anAnalysis(db, { deck: { pageCount: 5, drawn: 5 } }))).toBe(5);
  });

  it('what a deck announces is what no stored result answers: nothing, for a deck whose results are all known', async ({
    db,
  }) => {
    await db.modelConfiguration.updateMany({ data: { pinnedDigest: 'd'.repeat(64), pinnedAt: NOW } });
    const { id: deckId } = await aDeck(db, { pageCount: 4, drawn: 4 });
    const first = await anAnalysis(db, { deckId });
    expect(await announce(db, first)).toBe(4);
    await answerSlides(db, first, [1, 2, 3, 4]);
    const again = await anAnalysis(db, { deckId });
    expect(await announce(db, again)).toBe(0);
    expect(await announcedBy(db, again)).toBe(0);
    expect(await readDemand(db, ['gpu-visual'], NOW)).toMatchObject({ comingSeconds: 0 });
  });

  it('what a deck announces is the pages that are missing, where some are known', async ({ db }) => {
    await db.modelConfiguration.updateMany({ data: { pinnedDigest: 'd'.repeat(64), pinnedAt: NOW } });
    const { id: deckId } = await aDeck(db, { pageCount: 6, drawn: 4 });
    const first = await anAnalysis(db, { deckId });
    await answerSlides(db, first, [1, 2]);
    expect(await announce(db, await anAnalysis(db, { deckId }))).toBe(2 + 2);
  });

  it('what a deck announces is never work when it is planned, where stored results answer it', async ({ db }) => {
    await db.modelConfiguration.updateMany({ data: { pinnedDigest: 'd'.repeat(64), pinnedAt: NOW } });
    const { id: deckId } = await aDeck(db, { pageCount: 3, drawn: 3 });
    await answerSlides(db, await anAnalysis(db, { deckId }), [1, 2, 3]);
    const replay = await anAnalysis(db, { deckId });
    const context = await new AnalysisContexts(db).get(replay.id);
    // Stopped at the answers, of which nothing can be read: what was written until then is what others could see of it.
    await expect(planCalls(db, context, subjectsOf([1, 2, 3]))).rejects.toThrowError();
    expect(await readDemand(db, ['gpu-visual'], NOW)).toMatchObject({ openCalls: 0 });
    expect(await db.modelCall.count({ where: { analysisId: replay.id } })).toBe(0);
  });

  it('what a deck announces is work again when its stored answer goes with another deck while it is planned', async ({
    db,
  }) => {
    await db.modelConfiguration.updateMany({ data: { pinnedDigest: 'd'.repeat(64), pinnedAt: NOW } });
    const { id: deckId } = await aDeck(db, { pageCount: 3, drawn: 3 });
    await answerSlides(db, await anAnalysis(db, { deckId }), [1, 2]);
    const replay = await anAnalysis(db, { deckId });
    const context = await new AnalysisContexts(db).get(replay.id);
    const planning = await db.$transaction(async (tx) => {
      // Holds up the call of slide 3, which is written after the answers were looked for.
      await tx.$executeRaw`LOCK TABLE "ModelCall" IN SHARE ROW EXCLUSIVE MODE`;
      const planned = planCalls(db, context, subjectsOf([1, 2, 3]));
      await until(() => db.$queryRaw<unknown[]>`SELECT 1 FROM pg_locks WHERE NOT granted`).is(
        (waiting) => waiting.length > 0,
      );
      await tx.modelResult.deleteMany();
      return { planned };
    });
    const { calls, cached } = await planning.planned;
    expect({ calls: calls.length, cached }).toEqual({ calls: 6, cached: 0 });
    expect(await readDemand(db, ['gpu-visual'], NOW)).toMatchObject({ openCalls: 6 });
  });

  it('what a deck announces stays work when its stored answer goes before it is used', async ({ db }) => {
    await db.modelConfiguration.updateMany({ data: { pinnedDigest: 'd'.repeat(64), pinnedAt: NOW } });
    const analysis = await anAnalysis(db, { deck: { pageCount: 1, drawn: 1 } });
    const context = await new AnalysisContexts(db).get(analysis.id);
    await planCalls(db, context, subjectsOf([1]));
    const [call] = await db.modelCall.findMany({ where: { analysisId: analysis.id, task: 'slide_feedback' } });
    const output = JSON.stringify({ legible: false, hasIssues: false, feedback: '' });
    const gone = { id: 'gone', output, engineKind: 'model' };
    const applied = applyStoredResults(db, context, call === undefined ? [] : [{ call, result: gone }]);
    await expect(applied).rejects.toThrowError('removed with a deleted deck');
    expect(await readDemand(db, ['gpu-visual'], NOW)).toMatchObject({ openCalls: 2 });
  });

  const subjectsOf = (slides: readonly number[]) =>
    slides.flatMap((slideNumber) =>
      (['describe_slide', 'slide_feedback'] as const).map((task) => ({ task, slideNumber, questionId: null })),
    );

  /** Plans both calls of these slides and stores an answer for each. */
  async function answerSlides(db: PrismaClient, analysis: Analysis, slides: readonly number[]): Promise<void> {
    const context = await new AnalysisContexts(db).get(analysis.id);
    await planCalls(db, context, subjectsOf(slides));
    const calls = await db.modelCall.findMany({ where: { analysisId: analysis.id } });
    await db.modelResult.createMany({
      data: calls.map(({ contentKey, task }) => modelResultRow({ contentKey, task })),
    });
    await db.modelCall.updateMany({ where: { analysisId: analysis.id }, data: { state: 'stored' } });
  }
});
