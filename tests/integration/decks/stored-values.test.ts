/** What is stored of a model's answer and of a template: quotes that carry their value, and scores that count what was scored. */
import { expect } from 'vitest';
import { storeRollUp } from '../../../activities/decks/stages.ts';
import { AnalysisContexts } from '../../../activities/models/analysis-context.ts';
import { applyResult } from '../../../activities/models/store-result.ts';
import type { ExtractValueOutput } from '../../../domain/models/result-schemas.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { itWithDatabase as it } from '../../../testing/database.ts';
import { aDeck, aModelCall, anAnalysis, aSlide, TENANT, aModelResult } from '../../../testing/make.ts';

const QUOTE = 'Seed round 2026: €2.5M for 15 %';

/** Stores an amount that a model gave with {@link QUOTE}, and says what became of the quote. */
async function verdictOf(db: PrismaClient, value: string): Promise<string | undefined> {
  const deck = await aDeck(db);
  await aSlide(db, { deckId: deck.id, text: QUOTE });
  const { id: analysisId } = await anAnalysis(db, { deckId: deck.id });
  const call = await aModelCall(db, { analysisId, task: 'extract_funding', gpuClass: 'gpu-text' });
  const output: ExtractValueOutput = { stated: true, value, evidence: [{ slide: 1, quote: QUOTE }] };
  const { contentKey, task } = call;
  const result = await aModelResult(db, { contentKey, task, output: JSON.stringify(output) });
  await applyResult(db, await new AnalysisContexts(db).get(analysisId), call, result, { cached: false });
  return (await db.evidence.findFirst({ where: { extraction: { analysisId } } }))?.verdict;
}

it('a quote that stands on its slide proves the value that it names and no other', async ({ db }) => {
  expect(await verdictOf(db, '€2.5M')).toBe('verified');
  expect(await verdictOf(db, '€25M')).toBe('contradicted');
});

it('a roll-up counts what was scored apart from what was asked', async ({ db }) => {
  const template = await db.templateVersion.findFirstOrThrow({
    where: { tenantId: TENANT },
    include: { chapters: { include: { questions: true } } },
  });
  const { id: analysisId } = await anAnalysis(db, { templateVersionId: template.id });
  const questions = template.chapters.flatMap((chapter) => chapter.questions);
  const scored = questions.slice(0, 10);
  const common = { tenantId: TENANT, analysisId };
  await db.answer.createMany({
    data: questions.map(({ id: questionId }, index) => ({
      id: `${analysisId}/${questionId}`,
      ...common,
      questionId,
      status: 'answered',
      ...(index < scored.length ? { scoreStatus: 'scored', score: 4 } : { scoreStatus: 'failed', score: null }),
    })),
  });
  await storeRollUp(db, analysisId);
  expect(await db.analysis.findUnique({ where: { id: analysisId } })).toMatchObject({
    overallScore: 4,
    scoredQuestions: scored.length,
    askedQuestions: questions.length,
  });
});
