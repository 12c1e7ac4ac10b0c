/** The slide stage: windows of pages are rendered one after the other; a slide goes to the models as soon as its page is there. */
import { CancellationScope, defineSignal, isCancellation, setHandler } from '@temporalio/workflow';
import { planWindows } from '../../domain/decks/pdf.ts';
import { PAGES_STORED_SIGNAL, type PagesStored } from '../../domain/decks/progress.ts';
import { visualScope, type RunScope } from '../../domain/decks/run-scope.ts';
import { pagesText } from '../../domain/temporal/run-details.ts';
import { control } from './activity-proxies.ts';
import { settleAll, type CallRunner } from './call-runner.ts';
import type { Tally, RunDetails } from './run-details.ts';
import type { DeckWorkflowInput } from '../../contracts/decks.ts';
import { drawPages } from './draw-pages.ts';
import type { RunControl } from './run-control.ts';
import type { SlideProgress } from './slide-progress.ts';
import { historyIsLong } from '../history-length.ts';

const pagesStoredSignal = defineSignal<[PagesStored]>(PAGES_STORED_SIGNAL);

/** The next window of pages begins only when the models are at most this many pages behind. */
const MAX_PAGES_AHEAD = 64;
/** Events after which a run continues as new; far below the server's limits, because each event costs time at every replay. */
export const MAX_HISTORY_LENGTH = 2000;

export interface SlideTallies {
  readonly rendered: Tally;
  readonly slides: Tally;
}

/** What this stage works with. */
export interface SlideWork {
  readonly calls: CallRunner;
  readonly runControl: RunControl;
  readonly slides: SlideProgress;
  readonly details: RunDetails;
}

/**
 * Renders and describes the windows from `firstWindow` on.
 *
 * @returns The number of windows done, all of their calls finished; fewer than there are when the history grew too long.
 */
export async function runSlidesStage(
  input: DeckWorkflowInput,
  scope: RunScope,
  deck: { readonly pageCount: number; readonly firstWindow: number },
  { calls, runControl, slides, details }: SlideWork,
  tallies: SlideTallies,
): Promise<{ readonly windowsDone: number; readonly finished: boolean }> {
  const { analysisId } = input;
  const windows = planWindows(deck.pageCount);
  const inWork: Promise<void>[] = [];
  let ahead = 0;
  /** The first error of pages in work; no further window is begun then. */
  let failure: { readonly error: unknown } | undefined;
  let windowsDone = deck.firstWindow;
  // Pages that are announced after their window has ended are known from its result.
  let onPagesStored: (pages: readonly number[]) => void = () => undefined;
  setHandler(pagesStoredSignal, ({ pages }) => onPagesStored(pages));

  // Never rejects, because it is not awaited while the window is drawn.
  const describePages = async (pages: readonly number[]): Promise<void> => {
    try {
      const plan = await control.planSlides({ analysisId, pages, ...visualScope(scope) });
      const left = new Map<number, number>();
      for (const { slideNumber } of plan.calls) {
        const page = slideNumber ?? 0;
        left.set(page, (left.get(page) ?? 0) + 1);
        slides.begin(page);
      }
      tallies.slides.failed += plan.failedPages;
      tallies.slides.done += pages.length - plan.failedPages - left.size;
      ahead -= pages.length - left.size;
      calls.countCached(plan.cached);
      await settleAll(
        plan.calls.map(async (call) => {
          const page = call.slideNumber ?? 0;
          slides.ended(page, await calls.run(call));
          const others = (left.get(page) ?? 1) - 1;
          left.set(page, others);
          if (others === 0) ahead--;
        }),
      );
    } catch (error) {
      failure ??= { error };
    }
  };

  try {
    for (const pages of windows.slice(deck.firstWindow)) {
      await runControl.whenOpen(() => failure !== undefined || ahead < MAX_PAGES_AHEAD);
      if (failure !== undefined || historyIsLong(input.maxHistoryLength ?? MAX_HISTORY_LENGTH)) break;
      const unannounced = new Set(pages);
      const take = (stored: readonly number[]): void => {
        const fresh = stored.filter((page) => unannounced.delete(page));
        if (fresh.length === 0) return;
        ahead += fresh.length;
        tallies.rendered.done += fresh.length;
        details.moved();
        inWork.push(describePages(fresh));
      };
      onPagesStored = take;
      const summary = `render ${pagesText(pages)} of ${deck.pageCount}`;
      const { rendered, failed } = await drawPages(input, runControl, { pages, summary });
      take([...unannounced]);
      // Every page was counted as drawn when it was announced.
      tallies.rendered.done += rendered - pages.length;
      tallies.rendered.failed += failed;
      windowsDone++;
    }
  } catch (error) {
    // Calls in flight are awaited (cancelled ones until they have ended) before the error is thrown.
    if (!isCancellation(error)) CancellationScope.current().cancel();
    await Promise.all(inWork);
    throw error;
  }
  await Promise.all(inWork);
  if (failure !== undefined) throw failure.error;
  return { windowsDone, finished: windowsDone === windows.length };
}
