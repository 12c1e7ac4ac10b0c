/**
 * Activities of a run that are scheduled and have not ended, each in a scope of its own, so that one can be taken back without the others.
 */
import { ActivityFailure, CancellationScope, CancelledFailure, isCancellation } from '@temporalio/workflow';

/** An activity that is scheduled and has not ended. */
export interface OpenActivity {
  /** Null for one that draws pages: of a run there is one at a time, but for pages that are tried again. */
  readonly activityId: string | null;
  /** Of its analysis, when it was scheduled. */
  readonly priority: number;
  /** On the clock of the run. */
  readonly scheduledAtMs: number;
  readonly scope: CancellationScope;
  /** True once it is to be scheduled again. */
  takenBack: boolean;
}

/** Those of one run. */
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

  /** Since when none of them has ended; null while none is scheduled. */
  get waitingSinceMs(): number | null {
    const [oldest] = this.#open;
    return oldest === undefined ? null : Math.max(oldest.scheduledAtMs, this.#lastEndedMs);
  }

  /**
   * Schedules an activity once. Null when it was taken back and did not end for itself: it is to be scheduled again.
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

  /** Cancels some of them; each is scheduled again by the one who waits for it. */
  takeBack(some: readonly OpenActivity[]): void {
    for (const open of some) {
      open.takenBack = true;
      open.scope.cancel();
    }
  }
}

/** True also of one whose attempt failed after it was cancelled: it is not tried again, however it failed. */
const endedByCancellation = (error: unknown): boolean =>
  isCancellation(error) || (error instanceof ActivityFailure && error.retryState === 'CANCEL_REQUESTED');
