/** Activities of a run that are scheduled and have not ended, each in its own cancellation scope, so that each can be taken back alone. */
import { ActivityFailure, CancellationScope, CancelledFailure, isCancellation } from '@temporalio/workflow';

/** An activity that is scheduled and has not ended. */
export interface OpenActivity {
  /** Null for an activity that draws pages: a run has one at a time, except for retried pages. */
  readonly activityId: string | null;
  /** Priority of the analysis when it was scheduled. */
  readonly priority: number;
  /** On the clock of the run, ms. */
  readonly scheduledAtMs: number;
  readonly scope: CancellationScope;
  /** True once it is to be scheduled again. */
  takenBack: boolean;
}

/** The open activities of one run. */
export class OpenActivities {
  readonly #clockMs: () => number;
  readonly #open = new Set<OpenActivity>();
  #lastEndedMs = Number.NEGATIVE_INFINITY;

  /** @param clockMs a clock that stands still while the run is held */
  constructor(clockMs: () => number) {
    this.#clockMs = clockMs;
  }

  /** Oldest first. */
  get all(): readonly OpenActivity[] {
    return [...this.#open];
  }

  /** Since when no activity has ended, ms on the run's clock; null while none is scheduled. */
  get waitingSinceMs(): number | null {
    const [oldest] = this.#open;
    return oldest === undefined ? null : Math.max(oldest.scheduledAtMs, this.#lastEndedMs);
  }

  /**
   * Schedules an activity once. Null = it was taken back before it ended: schedule it again.
   *
   * @throws what it failed with; a cancellation when the run is cancelled
   */
  async run<T>(
    { activityId, priority }: Pick<OpenActivity, 'activityId' | 'priority'>,
    schedule: (open: OpenActivity) => Promise<T>,
  ): Promise<T | null> {
    const scope = new CancellationScope();
    const open: OpenActivity = { activityId, priority, scope, scheduledAtMs: this.#clockMs(), takenBack: false };
    this.#open.add(open);
    try {
      const result = await scope.run(() => schedule(open));
      this.#lastEndedMs = this.#clockMs();
      return result;
    } catch (error) {
      if (!endedByCancellation(error)) {
        this.#lastEndedMs = this.#clockMs();
        throw error;
      }
      if (open.takenBack && !CancellationScope.current().consideredCancelled) return null;
      throw isCancellation(error) ? error : new CancelledFailure('the run was cancelled');
    } finally {
      this.#open.delete(open);
    }
  }

  /** Cancels some of them; the caller of {@link run} schedules each again. */
  takeBack(some: readonly OpenActivity[]): void {
    for (const open of some) {
      open.takenBack = true;
      open.scope.cancel();
    }
  }
}

/** Also true for an activity whose attempt failed after it was cancelled: Temporal does not retry it. */
const endedByCancellation = (error: unknown): boolean =>
  isCancellation(error) || (error instanceof ActivityFailure && error.retryState === 'CANCEL_REQUESTED');
