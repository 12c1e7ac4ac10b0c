/**
 * One run over a deck: probe, slides, text stages, roll-up. Orchestration only; what is computed is stored by activities as it comes.
 *
 * A slide or question that fails for good is recorded and the rest goes on; a deck that cannot be read at all fails the run by name.
 */
import {
  ApplicationFailure,
  CancellationScope,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  isCancellation,
  patched,
  setHandler,
  sleep,
} from '@temporalio/workflow';
import type { RunEnd, RunSummary } from '../../activities/decks/stages.ts';
import { hasQuotes, scopeOfRun, visualScope } from '../../domain/decks/run-scope.ts';
import type { DeckProgress } from '../../domain/decks/progress.ts';
import type { Stage } from '../../domain/decks/stage-graph.ts';
import { control, convert, secondReading } from './activity-proxies.ts';
import { CallRunner, failureReason } from './call-runner.ts';
import { RunDetails, type CallCounts, type Tally } from './run-details.ts';
import {
  PROGRESS_QUERY,
  UNSERVED_SIGNAL,
  type DeckResumeState,
  type DeckWorkflowInput,
  type Unserved,
} from '../../contracts/decks.ts';
import { historyIsLong } from '../history-length.ts';
import { MAX_HISTORY_LENGTH, runSlidesStage } from './slides-stage.ts';
import { ItemRetries } from './item-retries.ts';
import { RunControl } from './run-control.ts';
import { SlideProgress } from './slide-progress.ts';
import { watchRun } from './details-updates.ts';
import { runTextStages, type ScoringState } from './text-stages.ts';
import { momentText } from '../../domain/temporal/run-details.ts';
import { PLACE_IN_LINE } from '../../domain/decks/admission/places.ts';

const unservedSignal = defineSignal<[Unserved]>(UNSERVED_SIGNAL);
export const progressQuery = defineQuery<DeckProgress>(PROGRESS_QUERY);

const tally = (done = 0, failed = 0, total = 0): Tally => ({ done, failed, total });

/** See the file's header. Returns the final state; failures of the whole deck fail the workflow with the error's code as type. */
export async function deckAnalysis(input: DeckWorkflowInput): Promise<RunSummary> {
  const { analysisId, deckId, resume } = input;
  const scope = scopeOfRun(input.taskType);
  const counts: CallCounts = {
    cachedCalls: resume?.counts.cachedCalls ?? 0,
    modelCalls: resume?.counts.modelCalls ?? 0,
    gaps: resume?.counts.gaps ?? 0,
  };
  const pageCount = resume?.pageCount ?? 0;
  const tallies = {
    rendered: tally(resume?.counts.pagesRendered ?? 0, resume?.counts.pagesFailed ?? 0, pageCount),
    slides: tally(resume?.counts.slidesDone ?? 0, resume?.counts.slidesFailed ?? 0, pageCount),
    condensed: tally(),
    extractions: tally(),
    answers: tally(),
    scores: tally(),
    specialised: tally(),
  };
  let scoring: ScoringState = 'ahead';
  const runControl = new RunControl(input);
  const details = new RunDetails(input, resume === undefined ? 'probe' : 'slides', tallies, counts);
  const calls = new CallRunner(input, counts, runControl, details);
  const slides = new SlideProgress(tallies.slides);
  const isScoringPlanned = async (): Promise<boolean> => {
    await condition(() => scoring !== 'planning');
    return scoring === 'planned';
  };
  let ending = false;
  const isEnding = (): boolean => ending;
  const run = { input, scope, calls, runControl, slides, tallies, counts };
  const retries = new ItemRetries({ ...run, isScoringPlanned, isEnding });
  const enter = async (next: Stage): Promise<void> => {
    await runControl.whenOpen();
    details.enter(next);
    await control.setStage({ analysisId, stage: next });
  };
  setHandler(progressQuery, () => ({
    stage: details.stage,
    ...tallies,
    ...counts,
    paused: runControl.paused,
    waitingFor: null,
  }));

  const deadline = new Deadline(input);
  let unserved: Unserved | null = null;

  try {
    deadline.follow();
    const whole = CancellationScope.current();
    setHandler(unservedSignal, (told) => {
      unserved = told;
      whole.cancel();
    });
    runControl.follow();
    watchRun(details, runControl, input.firstLookMs);
    let position: DeckResumeState;
    if (resume === undefined) {
      await control.beginAnalysis({ analysisId });
      const probe = await convert.probeDeck({ analysisId, deckId });
      const { pages, share } = await control.announceWork({ analysisId, ...visualScope(scope) });
      runControl.takes(share);
      position = {
        pageCount: probe.pageCount,
        windowsDone: 0,
        slidesDone: false,
        counts: { ...counts, pagesRendered: 0, pagesFailed: 0, slidesDone: 0, slidesFailed: 0 },
      };
      tallies.rendered.total = probe.pageCount;
      tallies.slides.total = probe.pageCount;
      // A deck whose slides are all known needs no slot for them, and no CPU.
      if (pages > 0 && runControl.isHeld) {
        details.waitsFor({ reason: PLACE_IN_LINE, pools: [] });
        await runControl.whenOpen(() => !runControl.isHeld);
      }
    } else {
      position = resume;
    }
    const carryOn = async (windowsDone: number, slidesDone: boolean): Promise<never> => {
      await settled();
      return continueAsNew<typeof deckAnalysis>({
        ...input,
        resume: {
          pageCount: position.pageCount,
          windowsDone,
          slidesDone,
          ...runControl.carried,
          counts: {
            ...counts,
            pagesRendered: tallies.rendered.done,
            pagesFailed: tallies.rendered.failed,
            slidesDone: tallies.slides.done,
            slidesFailed: tallies.slides.failed,
          },
        },
      });
    };

    if (!position.slidesDone) {
      details.enter('slides');
      const deck = { pageCount: position.pageCount, firstWindow: position.windowsDone };
      const work = { calls, runControl, slides, details };
      const { windowsDone, finished } = await runSlidesStage(input, scope, deck, work, tallies);
      if (!finished) return await carryOn(windowsDone, false);
      if (tallies.rendered.failed === position.pageCount) {
        const { code, message } = await control.explainUnreadable({ analysisId });
        throw ApplicationFailure.nonRetryable(message, code);
      }
      if (historyIsLong(input.maxHistoryLength ?? MAX_HISTORY_LENGTH)) return await carryOn(windowsDone, true);
    }
    await runTextStages({ analysisId, scope, isFullReview: input.taskType === null }, calls, tallies, {
      enter,
      scoring: (state) => (scoring = state),
      template: (name) => details.uses(name),
    });
    const rereads = hasQuotes(scope) && patched('second-reading');
    if (!rereads) details.enter('review');
    for (;;) {
      await settled();
      if (rereads) {
        await enter('review');
        await readQuotesAgain();
        // Calls that were tried again meanwhile have quotes of their own.
        if (!retries.isIdle) continue;
      }
      ending = true;
      const summary = await end({ kind: 'finished' });
      ending = false;
      // A retry that was requested while the end was written still runs.
      if (retries.isIdle) return summary;
    }
  } catch (error) {
    // continueAsNew travels as an exception of its own and must pass.
    if (isContinueAsNew(error)) throw error;
    if (isCancellation(error)) {
      // Retries end before the run reports its end.
      if (!retries.isIdle) await CancellationScope.nonCancellable(() => condition(() => retries.isIdle));
      const { endedAtMs } = deadline;
      if (endedAtMs !== null) {
        details.misses({ item: 'deadline', reason: `it passed in stage ${details.stage}` });
        return await end({ kind: 'deadline', deadlineAtMs: endedAtMs });
      }
      // TypeScript does not see that a signal sets it.
      const lost = unserved as Unserved | null;
      if (lost !== null) {
        details.misses({ item: 'unserved', reason: `no server could finish it in stage ${details.stage}` });
        return await end({ kind: 'unserved', sinceMs: lost.sinceMs });
      }
      await end({ kind: 'cancelled' });
      throw error;
    }
    const { code, message } = failureReason(error);
    await end({ kind: 'failed', code, message });
    throw ApplicationFailure.nonRetryable(message, code);
  }

  /** Waits until no retry runs and every pause and priority is written. Later signals are handled by the continued run. */
  async function settled(): Promise<void> {
    await runControl.whenSettled(() => retries.isIdle);
    retries.throwIfFailed();
  }

  /** Reads quotes again in the picture. Without it the review is whole, so a failure or the deadline is told with the quotes and fails nothing. */
  async function readQuotesAgain(): Promise<void> {
    try {
      await secondReading.readQuotesAgain({ analysisId, deckId });
    } catch (error) {
      if (!isCancellation(error)) {
        await control.leaveQuotesUnread({ analysisId, reason: failureReason(error).message });
        return;
      }
      // A retry that the deadline ends as well leaves gaps.
      if (deadline.endedAtMs === null || !retries.isIdle || !patched('second-reading-past-deadline')) throw error;
      const reason = 'the deadline of the analysis passed';
      await CancellationScope.nonCancellable(() => control.leaveQuotesUnread({ analysisId, reason }));
    }
  }

  /** Writes the final state; cancellation does not stop it. */
  function end(how: RunEnd): Promise<RunSummary> {
    return CancellationScope.nonCancellable(async () => {
      const summary = await control.finishAnalysis({ analysisId, end: how });
      details.ends(summary);
      return summary;
    });
  }
}

const isContinueAsNew = (error: unknown): boolean => error instanceof Error && error.name === 'ContinueAsNew';

/**
 * The deadline of one run: then everything of it is cancelled as an operator's cancellation would, and the run stores its end.
 *
 * The time on the clock counts, also while the run is paused. A run without a deadline makes no timer, so its history is what it was.
 */
class Deadline {
  readonly #atMs: number | undefined;
  #hasPassed = false;

  constructor({ deadlineAtMs }: DeckWorkflowInput) {
    this.#atMs = deadlineAtMs;
  }

  /** When it ended the run, ms since 1970; null = it did not. */
  get endedAtMs(): number | null {
    return this.#hasPassed ? (this.#atMs ?? null) : null;
  }

  /** Watches the clock; to be called in the scope that is to be cancelled. A cancellation before the deadline ends the watch. */
  follow(): void {
    if (this.#atMs === undefined) return;
    const atMs = this.#atMs;
    const scope = CancellationScope.current();
    void sleep(Math.max(1, atMs - Date.now()), { summary: `deadline: ${momentText(atMs)}` })
      .then(() => {
        this.#hasPassed = true;
        scope.cancel();
      })
      .catch((error: unknown) => {
        if (!isCancellation(error)) throw error;
      });
  }
}
