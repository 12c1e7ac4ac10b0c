/**
 * Which pages of a deck still need a model, before a single page is drawn: pages that were never rendered, and rendered pages whose calls
 * have no stored result. A deck whose results are all known wakes no GPU.
 */
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { classesAhead } from '../../domain/fleet/pool/foreseen.ts';
import type { GpuClass } from '../../domain/models/model-tasks.ts';
import { RENDER_KEY } from '../../domain/decks/render-key.ts';
import { PAGE_IS_READ } from '../convert/page-is-read.ts';
import { isPinned, type AnalysisContexts } from '../models/analysis-context.ts';
import { CallInputSource, contentKeyOf } from '../models/call-input.ts';
import { itemDecisions } from './replay/origin.ts';
import { visualCalls, type VisualScope } from '../../domain/decks/run-scope.ts';
import type { AnalysisRef } from './stages.ts';

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
    where: { deckId: deck.id, OR: [PAGE_IS_READ, { renderKey: RENDER_KEY, modelBlobKey: null }] },
    select: { number: true, modelBlobKey: true },
  });
  const rendered = slides.filter((s) => s.modelBlobKey !== null).map(({ number }) => number);
  // A page that failed to render is tried again, and asks for its calls should it come out after all. One that an older version has read is
  // read again, and which calls it needs is not known before.
  const neverRendered = Math.max(0, (deck.pageCount ?? 0) - slides.length);
  const pages = neverRendered + (await pagesWithoutResult(db, contexts, input, { deckId: deck.id, numbers: rendered }));
  await db.analysis.update({ where: { id: input.analysisId }, data: { announcedPages: pages } });
  return pages;
}

/** Classes that the calls of announced pages, and those that follow them, run on. */
export async function announcedClasses(db: PrismaClient, { analysisId }: AnalysisRef): Promise<ReadonlySet<GpuClass>> {
  const select = { taskType: true } as const;
  return classesAhead((await db.analysis.findUniqueOrThrow({ where: { id: analysisId }, select })).taskType);
}

/** Slides loaded at once: their words take much memory. */
const BATCH = 32;

/** How many of these slides have a call without a stored result. */
async function pagesWithoutResult(
  db: PrismaClient,
  contexts: AnalysisContexts,
  input: AnalysisRef & VisualScope,
  { deckId, numbers }: { readonly deckId: string; readonly numbers: readonly number[] },
): Promise<number> {
  if (numbers.length === 0) return 0;
  const context = await contexts.get(input.analysisId);
  const subjects = visualCalls(input, numbers);
  // A model that was never seen has never answered anything.
  if (!subjects.every(({ task }) => isPinned(context.tasks[task]))) return numbers.length;
  const decisionOf = await itemDecisions(db, context, subjects);
  const open =
    decisionOf === null ? subjects : subjects.filter((subject) => decisionOf(subject).decision === 'compute');
  const keyed: { slideNumber: number | null; contentKey: string }[] = [];
  for (let from = 0; from < numbers.length; from += BATCH) {
    const batch = numbers.slice(from, from + BATCH);
    const slides = await db.slide.findMany({
      where: { deckId, renderKey: RENDER_KEY, number: { in: batch } },
      select: { number: true, text: true, layout: true, modelBlobKey: true, modelSha256: true },
    });
    const source = new CallInputSource(db, context, { slides });
    for (const subject of open.filter(({ slideNumber }) => batch.includes(slideNumber ?? 0))) {
      const contentKey = contentKeyOf(context, subject.task, await source.build(subject));
      keyed.push({ slideNumber: subject.slideNumber, contentKey });
    }
  }
  const stored = await db.modelResult.findMany({
    where: { tenantId: context.tenantId, contentKey: { in: keyed.map((k) => k.contentKey) } },
    select: { contentKey: true },
  });
  const known = new Set(stored.map((r) => r.contentKey));
  return new Set(keyed.filter((k) => !known.has(k.contentKey)).map((k) => k.slideNumber)).size;
}
