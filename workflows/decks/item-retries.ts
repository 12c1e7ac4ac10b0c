/**
 * Retries the failed calls of one slide or question during the run. Results that were built without them stay and are marked; calls that
 * are only planned read the new results.
 */
import { condition, defineSignal, isCancellation, log, setHandler } from '@temporalio/workflow';
import { visualScope, type RunScope } from '../../domain/decks/run-scope.ts';
import { PLAN_STEPS } from '../../domain/decks/stage-graph.ts';
import { MODEL_TASKS } from '../../domain/models/model-tasks.ts';
import type { RetriedCall } from '../../activities/decks/retries.ts';
import { control } from './activity-proxies.ts';
import { settleAll, type CallRunner } from './call-runner.ts';
import { type CallCounts, type Tally } from './run-details.ts';
import { isItemRetry, RETRY_SIGNAL, type DeckWorkflowInput, type ItemRetry } from '../../contracts/decks.ts';
import { drawPages } from './draw-pages.ts';
import type { RunControl } from './run-control.ts';
import type { SlideTallies } from './slides-stage.ts';
import type { SlideProgress } from './slide-progress.ts';
import type { TextTallies } from './text-stages.ts';

const retrySignal = defineSignal<[unknown]>(RETRY_SIGNAL);

/** Dependencies of a retry. */
export interface RetryWork {
  readonly input: DeckWorkflowInput;
  readonly scope: RunScope;
  readonly calls: CallRunner;
  readonly runControl: RunControl;
  readonly slides: SlideProgress;
  readonly tallies: SlideTallies & TextTallies;
  readonly counts: CallCounts;
  /** Waits until scoring is planned; false when that is still ahead, so that an answer is scored with the others. */
  readonly isScoringPlanned: () => Promise<boolean>;
  /** True while the end of the run is being written. */
  readonly isEnding: () => boolean;
}

/** The retries of one run. */
export class ItemRetries {
  readonly #work: RetryWork;
  readonly #drawing = new Set<number>();
  #active = 0;
  #failure: { readonly error: unknown } | undefined;

  /** Sets the signal handler. */
  constructor(work: RetryWork) {
    this.#work = work;
    setHandler(
      retrySignal,
      (item) => {
        // A signal sent by hand may have any payload.
        if (isItemRetry(item)) this.#begin(item);
        else log.warn('a signal is not followed: it names neither a slide nor a question', { signal: RETRY_SIGNAL });
      },
      { description: 'Try one slide or question again' },
    );
  }

  /** True while no retry runs. */
  get isIdle(): boolean {
    return this.#active === 0;
  }

  /** @throws the error of a retry, other than of its calls */
  throwIfFailed(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  #begin(item: ItemRetry): void {
    this.#active++;
    void this.#retry(item)
      .catch((error: unknown) => {
        // A cancelled run ends by its cancellation.
        if (!isCancellation(error)) this.#failure = { error };
      })
      .finally(() => {
        this.#active--;
      });
  }

  async #retry(item: ItemRetry): Promise<void> {
    const { analysisId } = this.#work.input;
    // Writing the end closes planned calls, also those that a retry would plan meanwhile.
    if (this.#work.isEnding()) await condition(() => !this.#work.isEnding());
    const plan = (): ReturnType<typeof control.planRetry> =>
      control.planRetry({ analysisId, ...item, ...visualScope(this.#work.scope) });
    const first = await plan();
    let { calls } = first;
    if (first.mustDraw && item.slide !== null) {
      if (!(await this.#draw(item.slide))) return;
      ({ calls } = await plan());
    }
    // Calls of an earlier request that still run are not started twice.
    const idle = calls.filter(({ call }) => call === null || !this.#work.calls.isRunning(call));
    await this.#runAll(idle, item);
  }

  /** Draws a page. False when it could not be drawn, or when an earlier request draws it and continues with it. */
  async #draw(page: number): Promise<boolean> {
    if (this.#drawing.has(page)) return false;
    this.#drawing.add(page);
    const { input, runControl, tallies } = this.#work;
    try {
      await runControl.whenOpen();
      const { rendered } = await drawPages(input, runControl, { pages: [page] });
      if (rendered === 0) return false;
    } finally {
      this.#drawing.delete(page);
    }
    tallies.rendered.done++;
    tallies.rendered.failed--;
    return true;
  }

  async #runAll(retried: readonly RetriedCall[], { slide, questionId }: ItemRetry): Promise<void> {
    if (retried.length === 0) return;
    const { calls, counts, slides } = this.#work;
    counts.gaps -= retried.filter((r) => r.hadFailed).length;
    const visual = retried.filter((r) => this.#tallyOf(r) === null).length;
    if (slide !== null && visual > 0) slides.again(slide, visual);
    let isAnyStored = false;
    await settleAll(
      retried.map(async (one) => {
        const tally = this.#tallyOf(one);
        if (tally !== null) tally.failed--;
        if (one.call === null) calls.countCached(1);
        const isStored = one.call === null || (await calls.run(one.call));
        if (tally === null) slides.ended(slide ?? 0, isStored);
        else if (isStored) tally.done++;
        else tally.failed++;
        isAnyStored ||= isStored;
      }),
    );
    if (questionId !== null && isAnyStored) await this.#score(questionId);
  }

  /** Scores an answer that came late, and rolls up again. */
  async #score(questionId: string): Promise<void> {
    const { calls, input, isScoringPlanned, tallies } = this.#work;
    if (!(await isScoringPlanned())) return;
    const { analysisId } = input;
    const plan = await control.planScores({ analysisId, questionId });
    const unscored = plan.calls.filter((call) => !calls.isRunning(call));
    if (unscored.length > 0) await calls.runStage({ calls: unscored, cached: 0, failed: 0 }, tallies.scores);
    await control.storeRollUp({ analysisId });
  }

  /** The tally of a call; null for those that the slides' tally is made of. */
  #tallyOf({ task }: RetriedCall): Tally | null {
    const { countedAs } = PLAN_STEPS[MODEL_TASKS[task].step];
    return countedAs === 'slides' ? null : this.#work.tallies[countedAs];
  }
}
