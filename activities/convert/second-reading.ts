/** Activity on queue `second-reading`: reads quotes of an analysis again in the pictures of their slides, in processes that can be killed. */
import { open } from 'node:fs/promises';
import path from 'node:path';
import { DEFAULT_RENDER_LIMITS } from '../../domain/decks/pdf.ts';
import { RENDER_KEY } from '../../domain/decks/render-key.ts';
import { quoteLines } from '../../domain/evidence/quote-lines.ts';
import { notRead } from '../../domain/evidence/reread-judgement.ts';
import { pageOfSlide } from '../../domain/pages/page-of-slide.ts';
import type { BlobStore } from '../../platform/blobs.ts';
import { withScratchFolder } from '../../platform/scratch.ts';
import { pendingRereads, storeKnown, storeReread, type PendingReread } from '../decks/second-reading.ts';
import { withHeartbeat } from '../support/heartbeat.ts';
import type { ConvertDeps, DeckRef } from './activities.ts';
import type { QuoteInPicture } from './render/messages.ts';
import { rereadQuotes, type PictureFile } from './render/reread-process.ts';

export interface SecondReadingDeps extends Pick<ConvertDeps, 'db' | 'blobs' | 'renderer' | 'home'> {
  /** Time for the quotes of a deck, in milliseconds; null = quotes are not read again. */
  readonly timeMs: number | null;
}

export interface SecondReadingActivities {
  /**
   * Reads the chosen quotes of an analysis again and stores each outcome as it comes, so that another attempt goes on where this one ended.
   */
  readQuotesAgain(input: DeckRef): Promise<void>;
}

export function createSecondReadingActivities(deps: SecondReadingDeps): SecondReadingActivities {
  const { db, timeMs } = deps;
  return {
    readQuotesAgain: (input) =>
      withHeartbeat({}, async ({ signal }) => {
        if (timeMs === null) return;
        const pending = await pendingRereads(db, input.analysisId);
        await storeKnown(db, pending);
        await readAgain(deps, { ...input, timeMs, signal }, pending.open);
      }),
  };
}

async function readAgain(
  { db, blobs, renderer, home }: SecondReadingDeps,
  { deckId, timeMs, signal }: DeckRef & { readonly timeMs: number; readonly signal: AbortSignal },
  pending: readonly PendingReread[],
): Promise<void> {
  const slides = await db.slide.findMany({
    where: { deckId, renderKey: RENDER_KEY, number: { in: pending.map(({ slide }) => slide) } },
    select: { number: true, text: true, layout: true, widthPx: true, artefactBlobKey: true },
  });
  const slideOf = new Map(slides.map((slide) => [slide.number, slide]));
  const keys: string[] = [];
  const inPictures: { readonly of: PendingReread; readonly quote: QuoteInPicture }[] = [];
  // By slide, so that each picture is opened once.
  for (const quote of pending.toSorted((a, b) => a.slide - b.slide)) {
    const slide = slideOf.get(quote.slide);
    const key = slide?.artefactBlobKey ?? null;
    const page = slide === undefined || key === null ? null : pageOfSlide(slide);
    const found = quoteLines(quote, page, slide?.widthPx ?? null);
    if ('reason' in found) {
      await storeReread(db, quote, notRead(found.reason));
      continue;
    }
    if (key !== null && keys.at(-1) !== key) keys.push(key);
    inPictures.push({ of: quote, quote: { quote: found.shown, picture: keys.length - 1, lines: found.lines } });
  }
  if (inPictures.length === 0) return;
  await withScratchFolder(home, deckId, async (folder) => {
    const pictures = await collectPictures(blobs, keys, path.join(folder, 'pictures'));
    let stored: Promise<void> = Promise.resolve();
    const faults: unknown[] = [];
    try {
      await rereadQuotes(
        pictures,
        inPictures.map(({ quote }) => quote),
        {
          signal,
          renderer,
          timeMs,
          limits: DEFAULT_RENDER_LIMITS,
          onOutcome: (index, outcome) => {
            const { of } = inPictures[index] ?? {};
            if (of === undefined) return;
            stored = stored.then(() => storeReread(db, of, outcome)).catch((error: unknown) => void faults.push(error));
          },
        },
      );
    } finally {
      await stored;
    }
    // The attempt fails with the first one; the next attempt goes on with the quotes that have no outcome yet.
    if (faults.length > 0) throw faults[0];
  });
}

/** Puts pictures one after the other into a file. */
async function collectPictures(blobs: BlobStore, keys: readonly string[], file: string): Promise<PictureFile> {
  const lengths: number[] = [];
  await using handle = await open(file, 'wx', 0o600);
  for (const key of keys) {
    const picture = await blobs.get(key);
    // Unlike `write`, which may write a part only.
    await handle.appendFile(picture);
    lengths.push(picture.length);
  }
  return { path: file, lengths };
}
