/**
 * What operators change while a run goes on: they hold it, let it go on, and change its priority.
 *
 * What the run remembers is what counts. The row of the analysis mirrors it (`pausedAt`, `priority`), because a worker looks there before it
 * asks a model: written before anything is taken back, it makes a call that begins in that very moment give itself back (run-call.ts), so
 * that no model call is cut by a pause or a new priority.
 */
import { condition, defineSignal, isCancellation, setHandler, type CancellationScope } from '@temporalio/workflow';
import type { Priority } from '@temporalio/common';
import { DEFAULT_SLA_MS, lateAfterMs, priorityAfterWaiting } from '../../domain/priority.ts';
import { control } from './activity-proxies.ts';
import {
  PAUSE_SIGNAL,
  PRIORITY_SIGNAL,
  RESUME_SIGNAL,
  type DeckWorkflowInput,
  type Held,
  type PriorityChange,
} from './contract.ts';

const pauseSignal = defineSignal<[Held]>(PAUSE_SIGNAL);
const resumeSignal = defineSignal<[Held]>(RESUME_SIGNAL);
const prioritySignal = defineSignal<[PriorityChange]>(PRIORITY_SIGNAL);

/** Calls of a starved run that are taken back to be scheduled a class higher. A few: each that ends has the next one follow it up. */
const HURRIED_CALLS = 4;

/** A call that is scheduled and has not ended. */
export interface OpenCall {
  readonly activityId: string;
  /** Of its analysis, when it was scheduled. */
  readonly priority: number;
  /** On {@link RunControl.clockMs}. */
  readonly scheduledAtMs: number;
  readonly scope: CancellationScope;
  /** True once it is to be scheduled again. */
  takenBack: boolean;
}

/** The calls that follow what is decided here. */
export interface SteeredCalls {
  /** Scheduled calls, oldest first. */
  readonly open: readonly OpenCall[];
  /** Since when none of them has ended, on {@link RunControl.clockMs}; null while none is scheduled. */
  readonly waitingSinceMs: number | null;
}

interface Standing {
  readonly paused: boolean;
  readonly priority: number;
}

/** Holds and priority of one run. */
export class RunControl {
  readonly #input: DeckWorkflowInput;
  readonly #slaMs: number;
  #wanted: Standing;
  /** What the row says and the scheduled calls follow; null when the row is to be written again. */
  #applied: Standing | null;
  #pausedAtMs: number | null;
  #pausedForMs = 0;
  #hurriedAtMs = Number.NEGATIVE_INFINITY;
  #failure: { readonly error: unknown } | undefined;

  /** Listens from now on; to be made before the run waits for anything. */
  constructor(input: DeckWorkflowInput) {
    const { resume } = input;
    this.#input = input;
    this.#slaMs = input.slaMs ?? DEFAULT_SLA_MS;
    this.#wanted = { paused: resume?.paused ?? false, priority: resume?.priority ?? input.priority };
    this.#applied = this.#wanted;
    this.#pausedAtMs = this.#wanted.paused ? Date.now() : null;
    setHandler(pauseSignal, () => this.#hold(true), { description: 'Send nothing more to a model' });
    setHandler(resumeSignal, () => this.#hold(false), { description: 'Go on' });
    setHandler(
      prioritySignal,
      ({ priority }) => {
        this.#wanted = { ...this.#wanted, priority };
      },
      { description: 'Another priority, also for calls that have not started' },
    );
  }

  /** True from the moment it was asked for. */
  get paused(): boolean {
    return this.#wanted.paused;
  }

  /** Of the calls that are scheduled now. */
  get priority(): number {
    return (this.#applied ?? this.#wanted).priority;
  }

  /** What a run that continues this one starts from; complete once {@link isSettled}. */
  get carried(): Standing {
    return this.#wanted;
  }

  /** A clock that stands still while the run is held. */
  get clockMs(): number {
    return (this.#pausedAtMs ?? Date.now()) - this.#pausedForMs;
  }

  /** False while something new is to be written and followed. */
  get isSettled(): boolean {
    const { paused, priority } = this.#wanted;
    return this.#applied?.paused === paused && this.#applied.priority === priority;
  }

  /** What Temporal orders an activity by that has been wanted since a time on {@link clockMs}. */
  priorityOf(wantedAtMs: number): Priority {
    return {
      priorityKey: priorityAfterWaiting(this.priority, this.clockMs - wantedAtMs, this.#slaMs),
      fairnessKey: this.#input.tenantId,
      fairnessWeight: this.#input.fairnessWeight ?? 1,
    };
  }

  /** Waits until nothing is held, and until `ready` holds too. @throws what kept a change from being followed for good */
  async whenOpen(ready: () => boolean = () => true): Promise<void> {
    await condition(() => this.#failure !== undefined || (this.#isOpen && ready()));
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** Waits until everything that was asked for is followed, and until `ready` holds too, also while the run is held. */
  async whenSettled(ready: () => boolean): Promise<void> {
    await condition(() => this.#failure !== undefined || (this.isSettled && ready()));
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** A worker found something else in the row than what the call was scheduled under: the row is written again before it is tried again. */
  mirrorDiffers(): void {
    this.#applied = null;
  }

  /** Has the calls follow what operators ask for, as long as the run lasts. */
  follow(calls: SteeredCalls): void {
    void this.#follow(calls).catch((error: unknown) => {
      // The run itself ends by its cancellation.
      if (!isCancellation(error)) this.#failure = { error };
    });
  }

  get #isOpen(): boolean {
    return !this.#wanted.paused && this.#applied?.paused === false;
  }

  #hold(paused: boolean): void {
    if (this.#wanted.paused === paused) return;
    this.#wanted = { ...this.#wanted, paused };
    const nowMs = Date.now();
    if (paused) this.#pausedAtMs = nowMs;
    else {
      this.#pausedForMs += nowMs - (this.#pausedAtMs ?? nowMs);
      this.#pausedAtMs = null;
    }
  }

  async #follow(calls: SteeredCalls): Promise<void> {
    const due = (): boolean => !this.isSettled;
    for (;;) {
      // Nothing above the second class is reached by waiting, and a held run does not wait for a GPU.
      if (this.priority <= 2 || this.paused) await condition(due);
      else await condition(due, Math.max(1, this.#untilLateMs(calls)), { summary: 'until a waiting call is late' });
      if (!this.isSettled) await this.#steer(calls);
      else if (calls.waitingSinceMs !== null && this.#untilLateMs(calls) <= 0) await this.#hurry(calls);
    }
  }

  async #steer(calls: SteeredCalls): Promise<void> {
    const wanted = this.#wanted;
    const { analysisId } = this.#input;
    const started = new Set((await control.steerAnalysis({ analysisId, ...wanted })).started);
    this.#applied = wanted;
    takeBack(calls.open.filter((c) => !started.has(c.activityId) && (wanted.paused || c.priority !== wanted.priority)));
  }

  /** No call has ended for too long: a few that wait are scheduled again, in the class that their waiting earned them. */
  async #hurry(calls: SteeredCalls): Promise<void> {
    const started = new Set((await control.startedCalls()).started);
    takeBack(calls.open.filter((c) => !started.has(c.activityId) && this.#isLate(c)).slice(0, HURRIED_CALLS));
    this.#hurriedAtMs = this.clockMs;
  }

  #untilLateMs({ waitingSinceMs }: SteeredCalls): number {
    const since = Math.max(waitingSinceMs ?? this.clockMs, this.#hurriedAtMs);
    return since + lateAfterMs(this.#slaMs) - this.clockMs;
  }

  #isLate({ scheduledAtMs }: OpenCall): boolean {
    return this.clockMs - scheduledAtMs >= lateAfterMs(this.#slaMs);
  }
}

/** Cancels calls that no worker has; each is scheduled again by the one who waits for it. */
function takeBack(calls: readonly OpenCall[]): void {
  for (const call of calls) {
    call.takenBack = true;
    call.scope.cancel();
  }
}
