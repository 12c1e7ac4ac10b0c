/** Beginning and end of a run, and what is recorded when an item of it fails for good. */
import { isFinished } from '../../domain/decks/report.ts';
import { placeDeck } from '../companies/place.ts';
import { countAnalysisEnd } from '../metrics/counting.ts';
import type { Analysis, PrismaClient } from '../../generated/prisma/client.ts';
import { DeckhandError } from '../../domain/errors.ts';
import { STAGES, type Stage } from '../../domain/decks/stage-graph.ts';
import { rollUp, SCORE_METHOD } from '../../domain/decks/scoring.ts';
import { readContradictions, storeContradictions } from './contradictions.ts';
import type { AnalysisContexts } from '../models/analysis-context.ts';
import { enqueueDeliveries } from '../webhooks/outbox.ts';
import { DEADLINE_CODE, deadlineGapText, deadlinePassedText } from '../../domain/decks/deadline.ts';
import { UNSERVED_CODE, unservedGapText, unservedText } from '../../domain/decks/unserved.ts';
import { memberOf } from '../../domain/text/member-of.ts';
import { recordGap } from '../models/gaps.ts';
import { recordCallFailure } from '../models/store-result.ts';

export interface AnalysisRef {
  readonly analysisId: string;
}

/** How a run ends. `finished` decides between completed and completed_with_gaps by the gaps recorded. */
export type RunEnd =
  | { readonly kind: 'finished' }
  | { readonly kind: 'cancelled' }
  /** The run was cut at its deadline; its report is made of what is stored. */
  | { readonly kind: 'deadline'; readonly deadlineAtMs: number }
  /** No server could finish it, see domain/decks/unserved.ts; its report is made of what is stored. */
  | { readonly kind: 'unserved'; readonly sinceMs: number }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string };

/** Final state of a run, as the workflow returns it. */
export interface RunSummary {
  readonly status: 'completed' | 'completed_with_gaps' | 'failed' | 'cancelled';
  readonly gaps: number;
}

/**
 * Marks a run as running and makes sure that nothing it needs is missing before GPU time is spent: prompts, models, a requested template.
 *
 * A model that no host has shown yet is no reason to wait here: the deck is rendered meanwhile, and what is announced has a host boot.
 *
 * @throws DeckhandError `prompt_missing`, `model_not_configured`, `template_missing`
 */
export async function beginAnalysis(db: PrismaClient, contexts: AnalysisContexts, ref: AnalysisRef): Promise<void> {
  await contexts.get(ref.analysisId);
  const analysis = await db.analysis.findUniqueOrThrow({ where: { id: ref.analysisId } });
  if (analysis.requestedTemplate !== null) {
    const { tenantId } = analysis;
    const slug = analysis.requestedTemplate;
    const template = await db.template.findUnique({ where: { tenantId_slug: { tenantId, slug } } });
    if (template === null) {
      throw new DeckhandError('template_missing', `template ${slug} does not exist`, {
        userMessage: `There is no template called ${slug}.`,
      });
    }
  }
  await db.analysis.update({
    where: { id: ref.analysisId },
    data: { status: 'running', stage: 'probe', startedAt: analysis.startedAt ?? new Date() },
  });
}

/** Stores the current stage. */
export async function setStage(db: PrismaClient, input: AnalysisRef & { readonly stage: Stage }): Promise<void> {
  await db.analysis.update({ where: { id: input.analysisId }, data: { stage: input.stage } });
}

/** Rolls scores up per chapter and overall and stores both with the method and how much was scored. */
export async function storeRollUp(db: PrismaClient, analysisId: string): Promise<void> {
  const analysis = await db.analysis.findUniqueOrThrow({
    where: { id: analysisId },
    include: {
      templateVersion: { include: { chapters: { include: { questions: true } } } },
      answers: { select: { questionId: true, score: true } },
    },
  });
  if (analysis.templateVersion === null) return;
  const scoreOf = new Map(analysis.answers.map((a) => [a.questionId, a.score]));
  const chapters = analysis.templateVersion.chapters.map((chapter) => ({
    chapter,
    ...rollUp(chapter.questions.map((q) => ({ weight: q.weight, score: scoreOf.get(q.id) ?? null }))),
  }));
  const overall = rollUp(chapters.map((c) => ({ weight: c.chapter.weight, score: c.score })));
  const { tenantId } = analysis;
  await db.$transaction([
    db.chapterScore.deleteMany({ where: { analysisId } }),
    db.chapterScore.createMany({
      data: chapters.map((c) => ({
        id: `${analysisId}/${c.chapter.slug}`,
        tenantId,
        analysisId,
        chapterId: c.chapter.id,
        score: c.score,
        scored: c.scored,
        asked: c.asked,
      })),
    }),
    db.analysis.update({
      where: { id: analysisId },
      data: {
        overallScore: overall.score,
        scoreMethod: SCORE_METHOD,
        scoredQuestions: chapters.reduce((sum, c) => sum + c.scored, 0),
        askedQuestions: chapters.reduce((sum, c) => sum + c.asked, 0),
      },
    }),
  ]);
}

/** Why no page of a deck could be rendered: the reason of its first page, by its own code, so that the run fails by that name. */
export async function explainUnreadable(
  db: PrismaClient,
  { analysisId }: AnalysisRef,
): Promise<{ readonly code: string; readonly message: string }> {
  const gap = await db.gap.findFirst({
    where: { analysisId, item: { startsWith: 'slide/', endsWith: '/page' } },
    orderBy: { slideNumber: 'asc' },
  });
  const lead = 'No page of this deck could be rendered.';
  return gap === null
    ? { code: 'page_render_failed', message: lead }
    : { code: gap.code, message: `${lead} ${gap.message}` };
}

/** Which engine answered, from the results the run used. */
async function engineOf(
  db: PrismaClient,
  analysisId: string,
): Promise<{ engineName: string; engineKind: string; engineVersion: string } | null> {
  const calls = await db.modelCall.findMany({
    where: { analysisId, state: 'stored' },
    select: { contentKey: true, tenantId: true },
  });
  const tenantId = calls[0]?.tenantId;
  if (tenantId === undefined) return null;
  const results = await db.modelResult.findMany({
    where: { tenantId, contentKey: { in: calls.map((c) => c.contentKey) } },
    distinct: ['modelName', 'engineKind'],
    select: { modelName: true, engineKind: true, serverVersion: true },
    orderBy: { modelName: 'asc' },
  });
  const first = results[0];
  if (first === undefined) return null;
  return {
    engineName: [...new Set(results.map((r) => r.modelName))].join(', '),
    engineKind: results.some((r) => r.engineKind === 'rules') ? 'rules' : 'language model',
    engineVersion: first.serverVersion,
  };
}

const hasOpenCalls = async (db: PrismaClient, analysisId: string): Promise<boolean> =>
  (await db.modelCall.count({ where: { analysisId, state: 'planned' } })) > 0;

/**
 * Ends a run: closes its open calls, compares what the slides say with each other, writes its final state and the webhook deliveries, and puts
 * the deck to its company. Repeating it changes nothing.
 */
export async function finishAnalysis(
  db: PrismaClient,
  input: AnalysisRef & { readonly end: RunEnd },
): Promise<RunSummary> {
  const { analysisId, end } = input;
  const analysis = await db.analysis.findUnique({ where: { id: analysisId } });
  if (analysis === null) throw new DeckhandError('not_found', `analysis ${analysisId} does not exist any more`);
  const cut = end.kind === 'deadline' || end.kind === 'unserved' ? end : null;
  // A run that had stored its end when it was cut lacks only what was asked for afterwards.
  if (cut !== null && (!isFinished(analysis.status) || (await hasOpenCalls(db, analysisId)))) {
    await recordCut(db, analysis, cut);
    await storeRollUp(db, analysisId);
  }
  const gaps = await db.gap.count({ where: { analysisId } });
  const hasReport = end.kind === 'finished' || cut !== null;
  const status =
    end.kind === 'failed' || end.kind === 'cancelled' ? end.kind : gaps === 0 ? 'completed' : 'completed_with_gaps';
  const engine = await engineOf(db, analysisId);
  const finishedAt = analysis.finishedAt ?? new Date();
  // One task alone says too little of the deck to compare it with, and of its company.
  const isReviewed = hasReport && analysis.taskType === null;
  const contradictions = isReviewed ? await readContradictions(db, analysis) : null;
  // Before the end is visible: who waits for it finds the company.
  if (isReviewed) await placeDeck(db, analysis);
  await db.$transaction(async (tx) => {
    await tx.modelCall.updateMany({
      where: { analysisId, state: 'planned' },
      data: { state: 'cancelled', finishedAt: new Date() },
    });
    await tx.analysis.update({
      where: { id: analysisId },
      data: {
        status,
        stage: hasReport ? 'review' : analysis.stage,
        finishedAt,
        pausedAt: null,
        failureCode: end.kind === 'failed' ? end.code : null,
        failureMessage: end.kind === 'failed' ? end.message : null,
        ...engine,
      },
    });
    if (contradictions !== null) await storeContradictions(tx, analysis, contradictions);
    await enqueueDeliveries(tx, analysisId, status);
  });
  if (!isFinished(analysis.status)) await countAnalysisEnd(db, analysis, status, finishedAt);
  return { status, gaps };
}

/** Stores what is left of a run that was cut: each planned call as a gap, and one gap for the run. Repeating it after a crash changes nothing. */
async function recordCut(
  db: PrismaClient,
  { id: analysisId, tenantId, stage, startedAt }: Pick<Analysis, 'id' | 'tenantId' | 'stage' | 'startedAt'>,
  end: Extract<RunEnd, { kind: 'deadline' | 'unserved' }>,
): Promise<void> {
  const open = await db.modelCall.findMany({ where: { analysisId, state: 'planned' }, select: { id: true } });
  const [code, message] =
    end.kind === 'deadline'
      ? ([DEADLINE_CODE, deadlinePassedText(end.deadlineAtMs)] as const)
      : ([UNSERVED_CODE, unservedText(end.sinceMs)] as const);
  for (const { id: callId } of open) await recordCallFailure(db, { callId, code, message });
  const cancelled = await db.modelCall.count({ where: { analysisId, state: 'failed', failureCode: code } });
  await recordGap(db, {
    tenantId,
    analysisId,
    item: code,
    stage: memberOf(STAGES, stage) ?? 'probe',
    code,
    message:
      end.kind === 'deadline'
        ? deadlineGapText(end.deadlineAtMs, startedAt === null ? null : stage, cancelled)
        : unservedGapText(end.sinceMs, stage ?? 'probe', cancelled),
  });
}
