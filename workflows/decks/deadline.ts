/**
 * Ends a run at its deadline: everything of it is cancelled as an operator's cancellation would, and the run then stores its end.
 *
 * The time on the clock counts, also while the run is paused. A run without a deadline makes no timer, so its history is what it was.
 */
import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';
import type { DeckWorkflowInput } from '../../contracts/decks.ts';
import { momentText } from '../../domain/temporal/run-details.ts';

/** The deadline of one run. */
export class Deadline {
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
