/** What is stored of a model's answer and of a template: quotes that carry their value, the state of what was looked for, and roll-ups. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect } from 'vitest';
import { finishAnalysis, storeRollUp } from '../../../activities/decks/stages.ts';
import { AnalysisContexts } from '../../../activities/models/analysis-context.ts';
import { loadDeckPages } from '../../../activities/models/deck-pages.ts';
import { applyResult, applyStoredResults } from '../../../activities/models/store-result.ts';
import { loadReport } from '../../../api/decks/report/load.ts';
import { MODEL_TASKS, type ModelTask } from '../../../domain/models/model-tasks.ts';
import type {
  ClassifySectorOutput,
  DescribeSlideOutput,
  ExtractValueOutput,
} from '../../../domain/models/result-schemas.ts';
import { pageOfText } from '../../../domain/pages/page-of-text.ts';
import { ANSWERING_SETTINGS } from '../../../domain/evidence/answering-settings.ts';
import { Prisma, type PrismaClient } from '../../../generated/prisma/client.ts';
import { itWithDatabase as it } from '../../../testing/database.ts';
import { aDeck, aModelCall, anAnalysis, aSlide, TENANT, aModelResult } from '../../../testing/make.ts';

const QUOTE = 'Seed round 2026: €2.5M for 15 %';

/** Stores a result of a task about a deck of one slide, and gives the analysis. */
async function stored(
  db: PrismaClient,
  task: ModelTask,
  output: unknown,
  slide: Parameters<typeof aSlide>[1] = { text: QUOTE },
  made: Parameters<typeof aModelResult>[1] = {},
): Promise<string> {
  const { id: analysisId, deckId } = await anAnalysis(db);
  await aSlide(db, { ...slide, deckId });
  const questionId = readsQuestion(task) ? (await db.question.findFirstOrThrow()).id : null;
  const { gpuClass } = MODEL_TASKS[task];
  const slideNumber = gpuClass === 'gpu-visual' ? 1 : null;
  const call = await aModelCall(db, { analysisId, task, gpuClass, questionId, slideNumber });
  const result = await aModelResult(db, {
    contentKey: call.contentKey,
    task,
    output: JSON.stringify(output),
    ...made,
  });
  await applyResult(db, await new AnalysisContexts(db).get(analysisId), call, result, { cached: false });
  return analysisId;
}

const readsQuestion = (task: ModelTask): boolean => MODEL_TASKS[task].input === 'deck_and_question';

/** Stores an amount that a model gave with a quote from a slide of this text, and gives the quote as it was stored. */
async function storedQuote(
  db: PrismaClient,
  { value, quote = QUOTE, slide = QUOTE }: { readonly value: string; readonly quote?: string; readonly slide?: string },
) {
  const output: ExtractValueOutput = { stated: true, value, evidence: [{ slide: 1, quote }] };
  const analysisId = await stored(db, 'extract_funding', output, { text: slide });
  return db.evidence.findFirstOrThrow({ where: { extraction: { analysisId } } });
}

it('a quote that stands on its slide proves the value that it names and no other', async ({ db }) => {
  expect((await storedQuote(db, { value: '€2.5M' })).verdict).toBe('verified');
  expect((await storedQuote(db, { value: '€25M' })).verdict).toBe('contradicted');
});

it('a quote is stored with the reason of its verdict and the boxes that it covers', async ({ db }) => {
  const [verified, glued] = [
    await storedQuote(db, { value: '€2.5M', quote: 'round 2026: €2.5M' }),
    await storedQuote(db, {
      value: '€2.5M',
      quote: 'Seed round of €2.5M for hiring',
      slide: 'Seed round of\n\n€2.5M for hiring',
    }),
  ];
  expect(verified).toMatchObject({ verdict: 'verified', reason: 'in one block of text', boxes: [[30, 16, 132, 28]] });
  expect(glued).toMatchObject({ verdict: 'glued', boxes: null });
  expect(glued.reason).toContain('different boxes');
});

it('the built-in reader judges its own quotes, and what a model says of its own is not believed', async ({ db }) => {
  const evidence = [{ slide: 1, quote: 'We make crates for bakeries', answering: 'high' }];
  const judgedBy = async (engineKind: string) => {
    const analysisId = await stored(
      db,
      'answer_question',
      { evidence, covered: 'yes', answer: 'Crates.' },
      { text: 'We make crates for bakeries' },
      { engineKind },
    );
    const { answering, answeringBy } = await db.evidence.findFirstOrThrow({ where: { answer: { analysisId } } });
    return { answering, answeringBy };
  };
  expect(await judgedBy('rules')).toEqual({ answering: 'high', answeringBy: 'reader' });
  expect(await judgedBy('ollama')).toEqual({ answering: null, answeringBy: null });
});

const NO_RIVAL = 'We have no competitors in this market';

it('a value is found, stated as absent by the deck itself, or only not found', async ({ db }) => {
  const statusOf = async (output: ExtractValueOutput) => {
    const analysisId = await stored(db, 'extract_funding', output, { text: `${QUOTE}\n\nWe do not raise money now` });
    const { status, raw } = await db.extraction.findFirstOrThrow({ where: { analysisId } });
    return [status, raw, await db.evidence.count({ where: { extraction: { analysisId } } })];
  };
  const quotes = (quote: string) => [{ slide: 1, quote }];
  expect(await statusOf({ stated: true, value: '€2.5M', evidence: quotes(QUOTE) })).toEqual(['found', '€2.5M', 1]);
  expect(await statusOf({ stated: false, value: '', evidence: quotes('We do not raise money') })).toEqual([
    'stated_absent',
    null,
    1,
  ]);
  expect(await statusOf({ stated: false, value: '', evidence: quotes(QUOTE) })).toEqual(['not_found', null, 0]);
  expect(await statusOf({ stated: false, value: '', evidence: [] })).toEqual(['not_found', null, 0]);
});

it('an answer and a reading have the same states, and no words where nothing was found', async ({ db }) => {
  const none = { covered: 'no', answer: 'The deck does not mention it.', points: [], summary: 'Nothing.' };
  for (const task of ['answer_question', 'specialised_clinical'] as const) {
    const rowOf = async (output: object) => {
      const analysisId = await stored(db, task, output, { text: NO_RIVAL });
      const where = { analysisId };
      return (await db.answer.findFirst({ where })) ?? (await db.specialisedAnalysis.findFirst({ where }));
    };
    expect(await rowOf({ ...none, covered: 'partly', evidence: [] })).toMatchObject({
      state: 'found',
      covered: 'partly',
    });
    expect(await rowOf({ ...none, evidence: [{ slide: 1, quote: NO_RIVAL }] })).toMatchObject({
      state: 'stated_absent',
      covered: null,
    });
    const words = task === 'answer_question' ? { answer: null } : { summary: null };
    expect(await rowOf({ ...none, evidence: [] })).toMatchObject({ state: 'not_found', covered: null, ...words });
  }
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

it('a review that ends stores where its slides contradict each other, once', async ({ db }) => {
  const deck = await aDeck(db);
  const texts = ['We are raising €2M', 'Founded in 2019', 'The ask: €3M'];
  for (const [index, text] of texts.entries()) await aSlide(db, { deckId: deck.id, number: index + 1, text });
  const { id: analysisId } = await anAnalysis(db, { deckId: deck.id });
  const alone = await anAnalysis(db, { deckId: deck.id, taskType: 'funding_extraction' });
  for (const id of [analysisId, analysisId, alone.id])
    await finishAnalysis(db, { analysisId: id, end: { kind: 'finished' } });
  expect(await db.contradiction.findMany({ where: { analysisId: { in: [analysisId, alone.id] } } })).toMatchObject([
    { analysisId, kind: 'ask', firstSlide: 1, firstValue: '€2M', secondSlide: 3, secondQuote: 'The ask: €3M' },
  ]);
  expect((await loadReport(db, TENANT, analysisId, ANSWERING_SETTINGS)).contradictions).toHaveLength(1);
});

it('a range is stored with both ends', async ({ db }) => {
  const output: ExtractValueOutput = {
    stated: true,
    value: '€500k – €1M',
    evidence: [{ slide: 1, quote: 'We raise €500k – €1M' }],
  };
  const analysisId = await stored(db, 'extract_funding', output, { text: 'We raise €500k – €1M' });
  expect((await loadReport(db, TENANT, analysisId, ANSWERING_SETTINGS)).funding).toMatchObject({
    minAmount: 500_000,
    amount: 1_000_000,
    currency: 'EUR',
  });
});

/** Stores that a model read nothing on a page, and gives the messages of the gaps. */
async function gapsOfIllegible(db: PrismaClient, layout: Prisma.InputJsonValue | typeof Prisma.DbNull) {
  const output: DescribeSlideOutput = { legible: false, title: '', visibleText: '', figures: [], summary: '' };
  const analysisId = await stored(db, 'describe_slide', output, { text: '', layout });
  return db.gap.findMany({ where: { analysisId }, select: { item: true, code: true, message: true } });
}

it('a page in which nothing could be read is a gap that says why, a blank page is none', async ({ db }) => {
  const page = pageOfText('');
  const reasonOf = async (layout: Parameters<typeof gapsOfIllegible>[1]): Promise<string | undefined> => {
    const [gap] = await gapsOfIllegible(db, layout);
    if (gap !== undefined) expect(gap).toMatchObject({ item: 'slide/1/description', code: 'slide_illegible' });
    return gap?.message;
  };
  expect(await reasonOf(page)).toContain('no text was recognised in its picture');
  expect(await reasonOf(Prisma.DbNull)).toContain('no text was recognised in its picture');
  expect(await reasonOf({ ...page, ocr: 'failed' })).toContain('could not be recognised');
  expect(await reasonOf({ ...page, blank: true })).toBeUndefined();
});

it('a quote from a page that could not be drawn says that the page was not read', async ({ db }) => {
  const output: ExtractValueOutput = { stated: true, value: '€2.5M', evidence: [{ slide: 1, quote: QUOTE }] };
  const page = { text: '', layout: Prisma.DbNull, modelBlobKey: null };
  const analysisId = await stored(db, 'extract_funding', output, page);
  const evidence = await db.evidence.findFirstOrThrow({ where: { extraction: { analysisId } } });
  expect(evidence).toMatchObject({ verdict: 'unverified', reason: 'the page was not read' });
});

it("a model's quote that stands on one other slide alone is moved there and keeps the slide that was named", async ({
  db,
}) => {
  const stored = async (engineKind: string, others: readonly string[]) => {
    const { id: analysisId, deckId } = await anAnalysis(db);
    for (const [at, text] of ['Six people work in Kassel', ...others].entries())
      await aSlide(db, { deckId, number: at + 1, text });
    const output: ExtractValueOutput = { stated: true, value: '€2.5M', evidence: [{ slide: 1, quote: QUOTE }] };
    const task = 'extract_funding';
    const call = await aModelCall(db, { analysisId, task, gpuClass: 'gpu-text' });
    const result = await aModelResult(db, {
      contentKey: call.contentKey,
      task,
      engineKind,
      output: JSON.stringify(output),
    });
    await applyResult(db, await new AnalysisContexts(db).get(analysisId), call, result, { cached: false });
    return db.evidence.findFirstOrThrow({ where: { extraction: { analysisId } } });
  };
  const moved = await stored('model', ['A slide of other words', QUOTE]);
  expect(moved).toMatchObject({ verdict: 'verified', slideNumber: 3, citedSlide: 1 });
  expect(moved.reason).toContain('slide 1 was named');
  const stays = { verdict: 'contradicted', slideNumber: 1, citedSlide: null };
  expect(await stored('model', [QUOTE, QUOTE])).toMatchObject(stays);
  expect(await stored('rules', [QUOTE])).toMatchObject(stays);
});

it('the pages of a deck are read once for all quotes of a replay that their slides do not have, before any is stored', async ({
  db,
}) => {
  const { id: analysisId, deckId } = await anAnalysis(db);
  for (const [at, text] of ['Six people work in Kassel', 'Other words', QUOTE].entries())
    await aSlide(db, { deckId, number: at + 1, text });
  const answered = await Promise.all(
    (['extract_funding', 'extract_company_name', 'extract_deck_date'] as const).map(async (task) => {
      const call = await aModelCall(db, { analysisId, task, gpuClass: 'gpu-text' });
      const output: ExtractValueOutput = { stated: true, value: '2026', evidence: [{ slide: 1, quote: QUOTE }] };
      const { contentKey } = call;
      const made = { contentKey, task, engineKind: 'ollama', output: JSON.stringify(output) };
      return { call, result: await aModelResult(db, made) };
    }),
  );
  const context = await new AnalysisContexts(db).get(analysisId);
  await loadDeckPages(db, deckId);
  const read: unknown[] = [];
  const watched = db.$extends({
    query: {
      slide: {
        findMany: ({ args, query }) => {
          if (args.select?.layout === true) read.push(args.where?.number);
          return query(args);
        },
      },
    },
  });
  await applyStoredResults(watched as unknown as PrismaClient, context, answered);
  expect(read).toEqual([{ in: [1] }, { in: [1, 2, 3] }]);
  expect(await db.evidence.findMany({ where: { extraction: { analysisId } } })).toMatchObject(
    answered.map(() => ({ slideNumber: 3, citedSlide: 1 })),
  );
});

it("a model's value answers where the rules of the reader find the same on the pages, and is doubtful where they find another", async ({
  db,
}) => {
  const judged = async (value: string, quote: string, text: string) => {
    const output: ExtractValueOutput = { stated: true, value, evidence: [{ slide: 1, quote }] };
    const { answering, answeringBy } = await db.evidence.findFirstOrThrow({
      where: {
        extraction: { analysisId: await stored(db, 'extract_funding', output, { text }, { engineKind: 'ollama' }) },
      },
    });
    return [answering, answeringBy];
  };
  const ask = 'We are raising €2.5M in a seed round.';
  expect(await judged('€2.5M', ask, ask)).toEqual(['high', 'readings']);
  const people = '€375 million are spent on retraining.';
  expect(await judged('€375 million', people, `${ask}\n\n${people}`)).toEqual(['doubtful', 'readings']);
  expect(await judged('€375 million', people, people)).toEqual([null, null]);
});

it('a number of people that a model took for the amount sought stays stored, and is not shown as one', async ({
  db,
}) => {
  const storedAs = async (value: string, quote: string) => {
    const output: ExtractValueOutput = { stated: true, value, evidence: [{ slide: 1, quote }] };
    const analysisId = await stored(
      db,
      'extract_funding',
      output,
      { text: `Work\n\n${quote}` },
      { engineKind: 'ollama' },
    );
    const { evidence, ...columns } = await db.extraction.findFirstOrThrow({
      where: { analysisId },
      include: { evidence: true },
    });
    const { funding, extractions } = await loadReport(db, TENANT, analysisId, ANSWERING_SETTINGS);
    const kept = extractions.find(({ field }) => field === 'funding')?.raw;
    return { ...columns, kept, shown: funding.raw, verdicts: evidence.map(({ verdict }) => verdict) };
  };
  const people = '375 million people may need new skills';
  const none = { status: 'not_supported', amount: null, currency: null, shown: null, verdicts: ['contradicted'] };
  for (const value of ['375 million', '€375 million'])
    expect(await storedAs(value, people)).toMatchObject({ ...none, raw: value, kept: value });
  const asked = { status: 'found', amount: new Prisma.Decimal(2e6), verdicts: ['verified'] };
  expect(await storedAs('2 million', 'We raise 2 million')).toMatchObject(asked);
});

it('an amount that a quote does not show to be money is not shown to be it by a slide that does not have the quote', async ({
  db,
}) => {
  const { id: analysisId, deckId } = await anAnalysis(db);
  const quote = 'We target 2 million by 2027';
  const others = ['Use of funds\n\n2026\n\n2027', `Reach\n\n${quote}`];
  for (const [at, text] of ['Six people work in Kassel', ...others].entries())
    await aSlide(db, { deckId, number: at + 1, text });
  const task = 'extract_funding';
  const call = await aModelCall(db, { analysisId, task, gpuClass: 'gpu-text' });
  const output: ExtractValueOutput = { stated: true, value: '2 million', evidence: [{ slide: 1, quote }] };
  const { contentKey } = call;
  const result = await aModelResult(db, { contentKey, task, engineKind: 'ollama', output: JSON.stringify(output) });
  await applyResult(db, await new AnalysisContexts(db).get(analysisId), call, result, { cached: false });
  const { status } = await db.extraction.findFirstOrThrow({ where: { analysisId } });
  expect(status).toBe('not_supported');
});

it("a model's result is stored where the rules that it is compared with fail, which is logged", async ({ db }) => {
  const { id: analysisId, deckId } = await anAnalysis(db);
  await aSlide(db, { deckId, text: QUOTE });
  await aSlide(db, { deckId, number: 2, text: 'Damaged', layout: { version: 'none' } });
  const task = 'extract_funding';
  const call = await aModelCall(db, { analysisId, task, gpuClass: 'gpu-text' });
  const output: ExtractValueOutput = { stated: true, value: '€2.5M', evidence: [{ slide: 1, quote: QUOTE }] };
  const { contentKey } = call;
  const result = await aModelResult(db, { contentKey, task, engineKind: 'ollama', output: JSON.stringify(output) });
  const logged: string[] = [];
  const context = await new AnalysisContexts(db).get(analysisId);
  const quiet = (): void => undefined;
  const warn = (message: string): number => logged.push(message);
  const logger = { log: quiet, trace: quiet, debug: quiet, info: quiet, warn, error: quiet };
  await new MockActivityEnvironment({}, { logger }).run(() =>
    applyResult(db, context, call, result, { cached: false }),
  );
  const evidence = await db.evidence.findFirstOrThrow({ where: { extraction: { analysisId } } });
  expect(evidence).toMatchObject({ verdict: 'verified', answering: null });
  expect(logged).toEqual(['a value is not compared with the rules']);
});

it.for([
  ['the built-in reader', 'rules', null, 'too little text to tell the sector'],
  ['a model, which is not asked for it', 'ollama', 'other', null],
] as const)(
  'a sector that the deck does not tell is none, said by %s',
  async ([, engineKind, slug, reason], { db }) => {
    const output: ClassifySectorOutput = {
      reasoning: 'The deck says too little.',
      keywords: [],
      sector: 'other',
      secondarySector: 'none',
      confidencePercent: 0,
      sectorKnown: false,
    };
    const analysisId = await stored(db, 'classify_sector', output, { text: QUOTE }, { engineKind });
    const report = await loadReport(db, TENANT, analysisId, ANSWERING_SETTINGS);
    expect(report.sector).toMatchObject({ status: 'classified', slug, reason });
  },
);
