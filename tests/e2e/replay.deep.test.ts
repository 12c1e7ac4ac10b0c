/**
 * Replays: a dry run names the calls, the replay makes exactly those, and what is stored is never asked for again.
 */
import { expect, it } from 'vitest';
import { repairAnalyses } from '../../activities/decks/repair.ts';
import type { ReplayOptions } from '../../api/client.ts';
import type { AnalysisReport } from '../../domain/decks/report.ts';
import type { ReplayCall, ReplayPlan } from '../../domain/decks/replay/plan.ts';
import { PAGE_TEXT_VERSION } from '../../domain/pages/page.ts';
import { createLogger } from '../../platform/log.ts';
import { drawPlainDeck, plainSlides } from '../../testing/plain-deck.ts';
import { rigPerFile, questionsOf } from '../../testing/rig.ts';
import { SHORT_QUESTIONS } from '../../testing/short-template.ts';
import { until } from '../../testing/until.ts';

const PAGES = 30;

const rig = rigPerFile({ template: 'short' });

/** A deck whose last slide holds a table, so that describing it changes what questions about the deck are asked with. */
async function deckOf(company: string, pages: number): Promise<string> {
  const base = plainSlides(company);
  const more = Array.from({ length: pages - base.length - 1 }, (_, index) => ({
    title: `Pilot site ${index + 1}`,
    lines: [`Ward ${index + 1} of ${company} has used the patch since spring.`, 'Nurses call fewer patients there.'],
  }));
  const table = {
    title: `Patients of ${company}`,
    lines: ['Patients 2024: 212', 'Patients 2025: 840', 'Patients 2026: 2600'],
  };
  return rig.upload(await drawPlainDeck([...base, ...more, table]), `${company}.pdf`);
}

interface Call {
  readonly task: string;
  readonly slide: number | null;
  readonly question: string | null;
}
const nameOf = ({ task, slide, question }: Call): string => [task, slide ?? '', question ?? ''].join('/');
const names = (calls: readonly Call[]): string[] => calls.map(nameOf).toSorted((a, b) => a.localeCompare(b));

/** The calls an analysis asked a model. */
async function madeBy(analysisId: string): Promise<Call[]> {
  const rows = await rig.db.modelCall.findMany({ where: { analysisId, cached: false } });
  const questions = await rig.db.question.findMany({ select: { id: true, slug: true } });
  const slugOf = new Map(questions.map((q) => [q.id, q.slug]));
  return rows.map((r) => ({
    task: r.task,
    slide: r.slideNumber,
    question: r.questionId === null ? null : (slugOf.get(r.questionId) ?? null),
  }));
}

const countByTask = (calls: readonly Call[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { task } of calls) counts[task] = (counts[task] ?? 0) + 1;
  return counts;
};

interface Replayed {
  readonly report: AnalysisReport;
  readonly made: Call[];
  /** What the reader was asked meanwhile, by task. */
  readonly asked: Record<string, number>;
}

/** Replays and waits for the end. */
async function replayed(analysisId: string, options: ReplayOptions = {}): Promise<Replayed> {
  const before = await rig.reader.stats();
  const replay = await rig.client.replay(analysisId, options);
  expect(replay).toMatchObject({ replayOf: analysisId, replayKind: options.kind ?? 'full' });
  await rig.ended(replay.analysisId);
  const after = await rig.reader.stats();
  const asked = Object.fromEntries(
    Object.entries(after.callsByTask)
      .map(([task, count]) => [task, count - (before.callsByTask[task] ?? 0)] as const)
      .filter(([, count]) => count > 0),
  );
  return {
    report: await rig.client.report(replay.analysisId),
    made: await madeBy(replay.analysisId),
    asked,
  };
}

/** Quotes of the four values and of the answers, with their verdicts. */
const quotesOf = (report: AnalysisReport) =>
  [...report.extractions, ...questionsOf(report)].flatMap(({ evidence }) =>
    evidence.map(({ slide, quote, verdict, boxes }) => ({ slide, quote, verdict, boxes })),
  );

const certain = (plan: ReplayPlan): ReplayCall[] => plan.calls.filter((c) => c.certainty === 'certain');
const itemOf = (row: { task: string; slideNumber: number | null; questionId: string | null }): string =>
  `${row.task}/${row.slideNumber}/${row.questionId}`;
const keysOf = async (analysisId: string): Promise<Map<string, string>> => {
  const rows = await rig.db.modelCall.findMany({ where: { analysisId } });
  return new Map(rows.map((r) => [itemOf(r), r.contentKey]));
};

/** Ends the run from outside when all but the last slide is described, as a lost server would, and closes it as failed. */
async function failedWithLastSlideOutstanding(company: string): Promise<string> {
  const deckId = await deckOf(company, PAGES);
  await rig.reader.script({ rules: [{ match: { task: 'describe_slide', slide: PAGES }, fault: { wedge: true } }] });
  const { analysisId, workflowId } = await rig.client.startAnalysis(deckId);
  await until(() => rig.db.modelCall.count({ where: { analysisId, state: 'stored' } })).is(2 * PAGES - 1);
  await rig.temporal.workflow.getHandle(workflowId).terminate('by an operator');
  const log = createLogger('test', { logLevel: 'silent' });
  await repairAnalyses({ db: rig.db, temporal: rig.temporal, log }, new Date(Date.now() + 60_000));
  await until(() => rig.reader.stats()).is((stats) => stats.open === 0);
  await rig.reader.script({});
  return analysisId;
}

let origin: string;
let complete: string;

it('a failed analysis with 29 of 30 slides done is replayed with exactly the calls that the dry run listed', async () => {
  origin = await failedWithLastSlideOutstanding('Cardiona');
  expect((await rig.analysis(origin)).status).toBe('failed');

  const plan = await rig.client.planReplay(origin);
  expect(await rig.db.analysis.count({ where: { replayOfId: origin } })).toBe(0);
  const { report, made, asked } = await replayed(origin);
  complete = report.analysisId;
  expect(report.status).toBe('completed');
  expect(names(made)).toEqual(names(plan.calls));
  expect(asked).toEqual(countByTask(plan.calls));
  expect(plan.calls.filter((c) => c.stage === 'slides')).toEqual([
    expect.objectContaining({ task: 'describe_slide', slide: PAGES, reason: 'missing', certainty: 'certain' }),
  ]);
  expect(plan.kept).toContainEqual({ task: 'describe_slide', stage: 'slides', results: PAGES - 1 });
  expect(plan.calls.filter((c) => c.task.startsWith('specialised')).map((c) => c.condition)).toEqual(
    Array.from({ length: 3 }, () => 'only if the sector turns out to be a health sector'),
  );
});

it('a replay of a complete analysis makes no call', async ({ annotate }) => {
  const plan = await rig.client.planReplay(complete);
  expect(plan.calls).toEqual([]);
  const { report, made, asked } = await replayed(complete);
  expect(made).toEqual([]);
  expect(asked).toEqual({});
  expect(report.status).toBe('completed');
  const { createdAt, finishedAt } = await rig.analysis(report.analysisId);
  await annotate(`from its start to its end: ${Date.parse(finishedAt ?? '') - Date.parse(createdAt)} ms`);
  expect(plan.kept.reduce((sum, k) => sum + k.results, 0)).toBe(
    await rig.db.modelCall.count({ where: { analysisId: report.analysisId } }),
  );
});

it('a replay from scoring on makes only scores and the roll-up anew; a replay of that goes on with them', async () => {
  const plan = await rig.client.planReplay(complete, { from: 'scoring' });
  expect(new Set(plan.calls.map((c) => `${c.task} ${c.reason} ${c.certainty}`))).toEqual(
    new Set(['score_answer recomputed certain']),
  );
  const { report, made, asked } = await replayed(complete, { from: 'scoring' });
  expect(names(made)).toEqual(names(plan.calls));
  expect(asked).toEqual({ score_answer: SHORT_QUESTIONS });
  expect(report.overall).toMatchObject({ scored: SHORT_QUESTIONS, asked: SHORT_QUESTIONS });

  const next = await replayed(report.analysisId);
  expect(next.asked).toEqual({});
  const resultsOf = (r: AnalysisReport) => questionsOf(r).map((q) => q.scoreProvenance?.contentKey);
  expect(resultsOf(next.report)).toEqual(resultsOf(report));
  expect(resultsOf(report)).not.toEqual(resultsOf(await rig.client.report(complete)));
});

it('a replay with another model for a task makes that task and what is built on it anew', async () => {
  const models = { template: 'reader-vision:1' };
  const plan = await rig.client.planReplay(complete, { models });
  expect(names(certain(plan))).toEqual(names(plan.calls.filter((c) => c.task === 'answer_question')));
  expect(new Set(plan.calls.map((c) => c.task))).toEqual(new Set(['answer_question', 'score_answer']));
  expect(plan.models).toEqual([{ task: 'answer_question', model: 'reader-vision:1' }]);

  const { report, made, asked } = await replayed(complete, { models });
  expect(asked['answer_question']).toBe(SHORT_QUESTIONS);
  expect(Object.keys(asked).filter((task) => task !== 'answer_question' && task !== 'score_answer')).toEqual([]);
  expect(names(plan.calls)).toEqual(expect.arrayContaining(names(made)));
  const questions = questionsOf(report);
  expect(new Set(questions.map((q) => q.answerProvenance?.model))).toEqual(new Set(['reader-vision:1']));
  expect(new Set(questions.map((q) => q.scoreProvenance?.model))).toEqual(new Set(['reader-text:1']));
  expect(report.status).toBe('completed');
});

const LAST = 6;
const lastSlideFails = { rules: [{ match: { task: 'describe_slide', slide: LAST }, fault: { badJson: true } }] };

it('an analysis whose last slide failed for good is replayed with the calls that are certain, and of the others those whose input changed', async () => {
  const deckId = await deckOf('Nephrola', LAST);
  await rig.reader.script(lastSlideFails);
  const { analysisId: origin, status } = await rig.review(deckId);
  expect(status).toBe('completed_with_gaps');
  await rig.reader.script({});

  const plan = await rig.client.planReplay(origin);
  expect(certain(plan)).toEqual([
    expect.objectContaining({ task: 'describe_slide', slide: LAST, reason: 'failed_before' }),
  ]);
  const { report, made, asked } = await replayed(origin);
  expect(report.status).toBe('completed');
  expect(asked).toEqual(countByTask(made));
  expect(names(plan.calls)).toEqual(expect.arrayContaining(names(made)));
  expect(names(made)).toEqual(expect.arrayContaining(names(certain(plan))));
  // The table on the slide is in the text of the deck now.
  expect(asked).toMatchObject({ extract_offering: 1, classify_sector: 1, answer_question: SHORT_QUESTIONS });
  const before = await keysOf(origin);
  for (const row of await rig.db.modelCall.findMany({ where: { analysisId: report.analysisId, cached: true } }))
    expect(row.contentKey).toBe(before.get(itemOf(row)));
});

it('an analysis whose last slide failed for good has only that slide filled by a replay of kind gaps; what was built without it stays and says so', async () => {
  const deckId = await deckOf('Pulmara', LAST);
  await rig.reader.script(lastSlideFails);
  const { analysisId: origin } = await rig.review(deckId);

  const again = await replayed(origin, { kind: 'gaps' });
  expect(again.report.status).toBe('completed_with_gaps');
  expect(names(again.made)).toEqual([`describe_slide/${LAST}/`]);
  expect(again.report.gaps).toMatchObject([{ slide: LAST }]);
  expect(await rig.client.reportText(again.report.analysisId, 'md')).not.toContain('computed without');

  await rig.reader.script({});
  const plan = await rig.client.planReplay(origin, { kind: 'gaps' });
  expect(names(plan.calls)).toEqual([`describe_slide/${LAST}/`]);
  const { report, made, asked } = await replayed(origin, { kind: 'gaps' });
  expect(report.status).toBe('completed');
  expect(names(made)).toEqual(names(plan.calls));
  expect(asked).toEqual({ describe_slide: 1 });
  const before = await keysOf(origin);
  const after = await keysOf(report.analysisId);
  expect([...after].filter(([item]) => item !== `describe_slide/${LAST}/null`)).toEqual(
    expect.arrayContaining([...before].filter(([item]) => item !== `describe_slide/${LAST}/null`)),
  );

  expect(report.slides.at(-1)).toMatchObject({ number: LAST, legible: true });
  expect(new Set(report.extractions.map((e) => e.computedWithout.join()))).toEqual(new Set([String(LAST)]));
  const questions = questionsOf(report);
  expect(new Set(questions.map((q) => q.computedWithout.join()))).toEqual(new Set([String(LAST)]));
  expect(report.sector.computedWithout).toEqual([LAST]);
  expect(report.overall.computedWithout).toEqual([LAST]);
  const markdown = await rig.client.reportText(report.analysisId, 'md');
  expect(markdown).toContain(`computed without slide ${LAST}`);

  const full = await replayed(report.analysisId);
  expect(full.asked).toMatchObject({ answer_question: SHORT_QUESTIONS });
  expect(full.report.overall.computedWithout).toEqual([]);
});

it('a replay of one slide fills that slide; what else failed stays missing', async () => {
  await rig.reader.script({ rules: [2, 3].map((slide) => ({ match: { slide }, fault: { badJson: true } })) });
  const deckId = await rig.upload(await drawPlainDeck(plainSlides('Hepatica')), 'hepatica.pdf');
  const { analysisId: origin } = await rig.review(deckId, { taskType: 'slide_feedback' });
  await rig.reader.script({});
  const choices = { kind: 'gaps' as const, items: [{ slide: 2 }] };
  const plan = await rig.client.planReplay(origin, choices);
  expect(plan.staysMissing).toEqual([expect.objectContaining({ item: 'slide/3/feedback' })]);
  const { report, made } = await replayed(origin, choices);
  expect(names(made)).toEqual(names(plan.calls));
  expect(names(plan.calls)).toEqual(['slide_feedback/2/']);
  expect(report.status).toBe('completed_with_gaps');
  expect(report.gaps.map((g) => g.item)).toEqual(['slide/3/feedback']);
});

it('a deck that an older version has read is read again by a replay; the verdicts of the earlier analysis stay', async () => {
  const deckId = await deckOf('Cardisena', 8);
  const before = await rig.review(deckId);
  expect(quotesOf(before).length).toBeGreaterThan(5);
  const pages = await rig.db.slide.findMany({ where: { deckId }, orderBy: { number: 'asc' } });
  // As an older version left it, which found other words: no quote would be found in them today.
  const older = JSON.stringify({ version: PAGE_TEXT_VERSION - 1, words: [], blocks: [] });
  await rig.db.$executeRaw`
    update "Slide" set "layout" = "layout" || ${older}::jsonb, "text" = 'read by an older version' where "deckId" = ${deckId}`;

  const { report } = await replayed(before.analysisId);
  expect(report.status).toBe('completed');
  expect(quotesOf(report)).toEqual(quotesOf(before));
  const again = await rig.db.slide.findMany({ where: { deckId }, orderBy: { number: 'asc' } });
  expect(again.map(({ text, layout }) => ({ text, layout }))).toEqual(
    pages.map(({ text, layout }) => ({ text, layout })),
  );
  expect(quotesOf(await rig.client.report(before.analysisId))).toEqual(quotesOf(before));
});

it('a replay checks the quotes of stored results anew', async () => {
  const deckId = await deckOf('Cardolena', 8);
  const before = await rig.review(deckId);
  const stored = { where: { extraction: { analysisId: before.analysisId } } };
  const verified = await rig.db.evidence.findMany({ ...stored, orderBy: { id: 'asc' } });
  expect(verified.map(({ verdict }) => verdict)).toContain('verified');
  await rig.db.evidence.updateMany({
    ...stored,
    data: { verdict: 'unverified', reason: 'of an older version', boxes: [] },
  });

  const { report } = await replayed(before.analysisId);
  const anew = await rig.db.evidence.findMany({ where: { extraction: { analysisId: report.analysisId } } });
  expect(anew.map(({ verdict }) => verdict).toSorted()).toEqual(verified.map(({ verdict }) => verdict).toSorted());
  const kept = await rig.db.evidence.findMany(stored);
  expect(new Set(kept.map(({ reason }) => reason))).toEqual(new Set(['of an older version']));
});
