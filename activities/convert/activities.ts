/** Activities on queue `convert`: they look at the PDF itself, always through processes that can be killed. */
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { DeckhandError } from '../../domain/errors.ts';
import { DEFAULT_RENDER_LIMITS, MAX_PAGE_TEXT_LENGTH } from '../../domain/decks/pdf.ts';
import { RENDER_KEY } from '../../domain/decks/render-key.ts';
import { plainText } from '../../domain/pages/page-text.ts';
import { plainText as oneLine } from '../../domain/text/plain-text.ts';
import { deckImagesPrefix, deckPdfKey, slideImageKey, type BlobStore } from '../../platform/blobs.ts';
import { withScratchFolder } from '../../platform/scratch.ts';
import { withHeartbeat } from '../support/heartbeat.ts';
import { probeDeck } from './render/probe.ts';
import type { RendererName } from './render/renderer.ts';
import { renderWindow, type FailedPage, type RenderedPage } from './render/window.ts';
import { PAGE_IS_OLDER, PAGE_IS_READ } from './page-is-read.ts';
import { giveUpInTheEnd } from './give-up.ts';
import { PageBatches } from './page-batches.ts';
import { Context } from '@temporalio/activity';
import { PAGES_STORED_SIGNAL, type PagesStored } from '../../domain/decks/progress.ts';

/** Characters kept of why a page could not be drawn. */
const MAX_FAILURE_LENGTH = 1000;

export interface ConvertDeps {
  readonly db: PrismaClient;
  readonly blobs: BlobStore;
  readonly renderer: RendererName;
  readonly maxUploadBytes: number;
  /** Data directory: pages lie there while they are drawn. */
  readonly home: string;
}

export interface DeckRef {
  readonly deckId: string;
  readonly analysisId: string;
}

export interface ConvertActivities {
  /** Counts the pages and looks for hazards; refuses by name what cannot be read. */
  probeDeck(input: DeckRef): Promise<{ readonly pageCount: number }>;
  /**
   * Renders a window of pages in a process of its own and keeps images and text. Pages kept from earlier runs are not drawn again. The run
   * is signalled about pages as they are stored (`pagesStored`); with the result all of them are stored.
   */
  convertWindow(
    input: DeckRef & { readonly pages: readonly number[] },
  ): Promise<{ readonly rendered: number; readonly failed: number }>;
}

export function createConvertActivities(deps: ConvertDeps): ConvertActivities {
  const limits = { ...DEFAULT_RENDER_LIMITS, maxBytes: deps.maxUploadBytes };
  return {
    probeDeck: (input) =>
      withHeartbeat('probing', async ({ signal }) => {
        const deck = await loadDeck(deps.db, input.deckId);
        const known = deck.pageCount !== null;
        if (!known) {
          const probe = await withLocalFile(deps, deck, (file) =>
            giveUpInTheEnd(() => probeDeck(file, { signal, limits }).catch(tellHint)),
          );
          await deps.db.deck.update({
            where: { id: deck.id },
            data: {
              pageCount: probe.pageCount,
              title: probe.title,
              hasTextLayer: probe.hasTextLayer,
              hazards: probe.hazards,
              probedAt: new Date(),
            },
          });
          deck.pageCount = probe.pageCount;
        }
        const pageCount = deck.pageCount ?? 0;
        await deps.db.analysis.update({
          where: { id: input.analysisId },
          data: { slidesTotal: pageCount, stage: 'slides' },
        });
        return { pageCount };
      }),

    convertWindow: (input) =>
      withHeartbeat({ rendered: 0 }, async ({ signal, report }) => {
        const announce = announcer();
        const { log } = Context.current();
        const warnOfFault = (page: number, reason: string): void =>
          log.warn('the text of a page could not be recognised', { deckId: input.deckId, page, reason });
        const deck = await loadDeck(deps.db, input.deckId);
        const kept = await deps.db.slide.findMany({
          where: { deckId: deck.id, ...PAGE_IS_READ, number: { in: [...input.pages] } },
          select: { number: true },
        });
        const have = new Set(kept.map((s) => s.number));
        const missing = input.pages.filter((page) => !have.has(page));
        if (missing.length === 0) return { rendered: kept.length, failed: 0 };

        if (have.size > 0) await announce([...have]);

        // Pages that cannot be stored end the drawing: the next attempt goes on behind those that were.
        const giveUp = new AbortController();
        const store = new PageBatches<RenderedPage | FailedPage>(async (pages) => {
          await storePages(deps, deck, pages);
          await announce(pages.map((page) => page.number));
        }, giveUp);
        const draw = async (outDir: string): Promise<{ readonly rendered: number; readonly failed: number }> => {
          let drawn = 0;
          const { pages } = await withLocalFile(deps, deck, (file) =>
            giveUpInTheEnd(() =>
              renderWindow(file, missing, outDir, {
                signal: AbortSignal.any([signal, giveUp.signal]),
                limits,
                renderer: deps.renderer,
                onPage: (page) => {
                  if (page.ocrFault !== null) warnOfFault(page.number, page.ocrFault);
                  report({ rendered: (drawn += 1) });
                  store.add(page);
                },
              }),
            ),
          );
          const failed = pages.filter((page) => 'code' in page);
          await store.finish(failed);
          return { rendered: kept.length + pages.length - failed.length, failed: failed.length };
        };
        return withScratchFolder(deps.home, deck.id, async (outDir) => {
          try {
            return await draw(outDir);
          } finally {
            await store.settled();
          }
        });
      }),
  };
}

/** Who follows the review gets the message alone, so a refused deck says in it what to do. */
function tellHint(error: unknown): never {
  if (!(error instanceof DeckhandError) || error.hint === undefined) throw error;
  const { code, message, userMessage, hint } = error;
  throw new DeckhandError(code, message, { userMessage: `${userMessage} ${hint}`, hint, cause: error });
}

interface DeckRow {
  readonly id: string;
  readonly tenantId: string;
  readonly sha256: string;
  pageCount: number | null;
}

async function loadDeck(db: PrismaClient, deckId: string): Promise<DeckRow> {
  const deck = await db.deck.findUnique({ where: { id: deckId } });
  if (deck === null) throw new DeckhandError('not_found', `deck ${deckId} does not exist any more`);
  return deck;
}

/** Gives the renderer a path: the blob's own where the store has one, else a copy that is removed afterwards. */
async function withLocalFile<T>(
  { blobs, home }: ConvertDeps,
  deck: DeckRow,
  use: (file: string) => Promise<T>,
): Promise<T> {
  const key = deckPdfKey(deck.tenantId, deck.sha256);
  const own = blobs.localPath?.(key);
  if (own !== undefined) return use(own);
  return withScratchFolder(home, deck.id, async (folder) => {
    const file = path.join(folder, 'deck.pdf');
    await writeFile(file, await blobs.get(key));
    return use(file);
  });
}

/**
 * Stores images and rows. A page that failed in an earlier attempt, or that an older version has read, is replaced; one that this version
 * has read stays as it is, and so does an older one that now fails.
 */
export async function storePages(
  { db, blobs }: Pick<ConvertDeps, 'db' | 'blobs'>,
  deck: DeckRow,
  pages: readonly (RenderedPage | FailedPage)[],
): Promise<void> {
  const scope = { tenantId: deck.tenantId, deckId: deck.id };
  const rows = await Promise.all(
    pages.map((page) => ('code' in page ? failedRow(scope, page) : renderedRow(blobs, scope, page))),
  );
  const of = { deckId: deck.id, renderKey: RENDER_KEY };
  const numbers = pages.map((page) => page.number);
  const read = pages.flatMap((page) => ('code' in page ? [] : [page.number]));
  try {
    await db.$transaction([
      db.slide.deleteMany({ where: { ...of, number: { in: numbers }, modelBlobKey: null } }),
      db.slide.deleteMany({ where: { ...of, number: { in: read }, OR: PAGE_IS_OLDER } }),
      db.slide.createMany({ data: rows, skipDuplicates: true }),
    ]);
  } catch (error) {
    // The deck was deleted while its pages were drawn: the deletion has already looked for images.
    const isGone = (await db.deck.count({ where: { id: deck.id } })) === 0;
    if (isGone) await blobs.deletePrefix(deckImagesPrefix(deck.tenantId, deck.id));
    throw error;
  }
}

interface DeckScope {
  readonly tenantId: string;
  readonly deckId: string;
}

async function renderedRow(blobs: BlobStore, scope: DeckScope, page: RenderedPage) {
  const artefact = slideImageKey(scope.tenantId, scope.deckId, RENDER_KEY, page.number, 'artefact');
  const model = slideImageKey(scope.tenantId, scope.deckId, RENDER_KEY, page.number, 'model');
  await Promise.all([blobs.put(artefact, { path: page.artefactPath }), blobs.put(model, { path: page.modelPath })]);
  return {
    id: randomUUID(),
    ...scope,
    number: page.number,
    renderKey: RENDER_KEY,
    renderer: page.renderer,
    widthPx: page.widthPx,
    heightPx: page.heightPx,
    // A character is not cut in half: the database would keep a sign for a lost one.
    text: plainText(page.layout)
      .slice(0, MAX_PAGE_TEXT_LENGTH)
      .replace(/\p{Cs}$/u, ''),
    layout: page.layout,
    artefactBlobKey: artefact,
    modelBlobKey: model,
    modelSha256: page.modelSha256,
  };
}

async function failedRow(scope: DeckScope, page: FailedPage) {
  return {
    id: randomUUID(),
    ...scope,
    number: page.number,
    renderKey: RENDER_KEY,
    text: '',
    failureCode: page.code,
    failureMessage: oneLine(page.message, MAX_FAILURE_LENGTH),
  };
}

/**
 * Tells the run that pages are there, while the activity that draws them goes on.
 */

/** To be called at the top of an activity: gives the function that announces pages to the run it works for. */
function announcer(): (pages: readonly number[]) => Promise<void> {
  const { client, info, log } = Context.current();
  // Outside a workflow there is no run to signal.
  const execution = info.workflowExecution;
  if (execution === undefined) return async () => undefined;
  // This very run: an attempt that outlived its worker must not speak to the one that continued it.
  const run = client.workflow.getHandle(execution.workflowId, execution.runId);
  return async (pages) => {
    try {
      await run.signal<[PagesStored]>(PAGES_STORED_SIGNAL, { pages });
    } catch (error) {
      // Nothing is lost by it: the activity's result announces every page that was not announced before.
      log.warn('pages could not be announced', { pages, error: String(error) });
    }
  };
}
