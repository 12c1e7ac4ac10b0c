/**
 * Which pages of a deck still need a model, before a single page is drawn: pages that were never rendered, and rendered pages whose calls
 * have no stored result. A deck whose results are all known wakes no GPU.
 */
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { DeckhandError } from '../../domain/errors.ts';
import type { ModelTask } from '../../domain/model-tasks.ts';
import { RENDER_KEY } from '../../domain/render-key.ts';
import type { AnalysisContext, AnalysisContexts } from '../models/plan/analysis-context.ts';
import { CallInputSource, contentKeyOf, type CallSubject, type SlideRow } from '../models/plan/call-input.ts';
import { fatesOf } from './replay/origin.ts';
import type { AnalysisRef } from './stages.ts';

/** Which visual calls a run makes of each page. */
export interface VisualScope {
  readonly describe: boolean;
  readonly feedback: boolean;
}

/** Number of pages whose calls are missing; written to the analysis as announced. */
export async function announceMissingPages(
  db: PrismaClient,
  contexts: AnalysisContexts,
  input: AnalysisRef & VisualScope,
): Promise<number> {
  const { deck } = await db.analysis.findUniqueOrThrow({
    where: { id: input.analysisId },
    select: { deck: { select: { id: true, pageCount: true } } },
  });
  const slides = await db.slide.findMany({
    where: { deckId: deck.id, renderKey: RENDER_KEY },
    select: { number: true, text: true, modelBlobKey: true, modelSha256: true },
  });
  const rendered = slides.filter((s) => s.modelBlobKey !== null);
  // A page that failed to render is tried again, and asks for its calls should it come out after all.
  const neverRendered = Math.max(0, (deck.pageCount ?? 0) - slides.length);
  const pages = neverRendered + (await pagesWithoutResult(db, contexts, input, rendered));
  await db.analysis.update({ where: { id: input.analysisId }, data: { announcedPages: pages } });
  return pages;
}

/** How many of these slides have a call without a stored result. */
async function pagesWithoutResult(
  db: PrismaClient,
  contexts: AnalysisContexts,
  input: AnalysisRef & VisualScope,
  slides: readonly SlideRow[],
): Promise<number> {
  if (slides.length === 0) return 0;
  const context = await contextOrNull(contexts, input.analysisId);
  // No model was ever seen, so nothing was ever answered by it.
  if (context === null) return slides.length;
  const tasks: readonly ModelTask[] = [
    ...(input.describe ? (['describe_slide'] as const) : []),
    ...(input.feedback ? (['slide_feedback'] as const) : []),
  ];
  const subjects = slides.flatMap(({ number }) =>
    tasks.map((task) => ({ task, slideNumber: number, questionId: null })),
  );
  const fates = await fatesOf(db, context, subjects);
  const open = fates === null ? subjects : subjects.filter((subject) => fates(subject).fate === 'compute');
  const keyed = await contentKeys(db, context, slides, open);
  const stored = await db.modelResult.findMany({
    where: { tenantId: context.tenantId, contentKey: { in: keyed.map((k) => k.contentKey) } },
    select: { contentKey: true },
  });
  const known = new Set(stored.map((r) => r.contentKey));
  return new Set(keyed.filter((k) => !known.has(k.contentKey)).map((k) => k.slideNumber)).size;
}

/** Content key of each call. */
async function contentKeys(
  db: PrismaClient,
  context: AnalysisContext,
  slides: readonly SlideRow[],
  subjects: readonly CallSubject[],
): Promise<{ readonly slideNumber: number | null; readonly contentKey: string }[]> {
  const source = new CallInputSource(db, context, { slides });
  return Promise.all(
    subjects.map(async (subject) => {
      const input = await source.build(subject);
      return { slideNumber: subject.slideNumber, contentKey: contentKeyOf(context, subject.task, input) };
    }),
  );
}

/** What the calls of an analysis share; null until a host has shown the models it needs. */
export async function contextOrNull(contexts: AnalysisContexts, analysisId: string): Promise<AnalysisContext | null> {
  try {
    return await contexts.get(analysisId);
  } catch (error) {
    if (error instanceof DeckhandError && error.code === 'model_not_ready') return null;
    throw error;
  }
}
