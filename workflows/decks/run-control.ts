/**
 * Changes by operators during a run: pause, resume and priority.
 *
 * The state of the run decides. The row of the analysis mirrors it (`pausedAt`, `priority`), because a worker reads the row before it asks
 * a model. The row is written before calls are taken back, so that a call that begins at that moment gives itself back (run-call.ts) and no
 * model call is cut by a pause or a new priority.
 */
import { condition, defineSignal, isCancellation, log, setHandler } from '@temporalio/workflow';
import type { Priority } from '@temporalio/common';
import { DEFAULT_SLA_MS, lateAfterMs, priorityAfterWaiting } from '../../domain/decks/priority.ts';
import type { StartedCalls } from '../../activities/decks/steering.ts';
import { control } from './activity-proxies.ts';
import { isNoShare, WHOLE_SHARE, type CallShare } from '../../domain/decks/admission/shares.ts';
import {
  isPriorityChange,
  isToldShare,
  PAUSE_SIGNAL,
  PRIORITY_SIGNAL,
  RESUME_SIGNAL,
  SHARE_SIGNAL,
  type DeckWorkflowInput,
  type Held,
  type ToldShare,
} from '../../contracts/decks.ts';
import { OpenActivities, type OpenActivity } from './open-activities.ts';

const pauseSignal = defineSignal<[Held]>(PAUSE_SIGNAL);
const resumeSignal = defineSignal<[Held]>(RESUME_SIGNAL);
const prioritySignal = defineSignal<[unknown]>(PRIORITY_SIGNAL);
const shareSignal = defineSignal<[unknown]>(SHARE_SIGNAL);

/** Calls of a late run that are scheduled again with a higher priority at once. A few are enough: when one ends, the next follows. */
const HURRIED_CALLS = 4;

interface Standing {
  readonly paused: boolean;
  readonly priority: number;
}

/** Pause and priority of one run, and the activities that follow them. */
export class RunControl {
  readonly #input: DeckWorkflowInput;
  readonly #slaMs: number;
  readonly #activities = new OpenActivities(() => this.clockMs);
  #wanted: Standing;
  /** State in the row, which the scheduled calls follow; null when the row has to be written again. */
  #applied: Standing | null;
  #pausedAtMs: number | null;
  #pausedForMs = 0;
  #hurriedAtMs = Number.NEGATIVE_INFINITY;
  #failure: { readonly error: unknown } | undefined;
  /** Null until it is told one: nothing limits its calls. */
  #told: ToldShare | null;

  /** Sets the signal handlers; to be created before the run awaits anything. */
  constructor(input: DeckWorkflowInput) {
    const { resume } = input;
    this.#input = input;
    this.#slaMs = input.slaMs ?? DEFAULT_SLA_MS;
    this.#wanted = { paused: resume?.paused ?? false, priority: resume?.priority ?? input.priority };
    this.#applied = this.#wanted;
    this.#told = resume?.share ?? null;
    this.#pausedAtMs = this.#wanted.paused ? Date.now() : null;
    setHandler(pauseSignal, () => this.#hold(true), { description: 'Send nothing more to a model' });
    setHandler(resumeSignal, () => this.#hold(false), { description: 'Go on' });
    setHandler(
      prioritySignal,
      (change) => {
        // A signal sent by hand may have any payload, and the server accepts no other priority.
        if (isPriorityChange(change)) this.#wanted = { ...this.#wanted, priority: change.priority };
        else log.warn('a signal is not followed: it names no priority from 1 to 5', { signal: PRIORITY_SIGNAL });
      },
      { description: 'Another priority, also for calls that have not started' },
    );
    setHandler(
      shareSignal,
      (told) => {
        if (isToldShare(told)) this.takes(told);
        else log.warn('a signal is not followed: it is no share', { signal: SHARE_SIGNAL });
      },
      { description: 'Another number of calls that may be scheduled' },
    );
  }

  /** Calls of each class that it may have scheduled. */
  get share(): CallShare {
    return this.#told?.share ?? WHOLE_SHARE;
  }

  /** True while it waits for its place in line. */
  get isHeld(): boolean {
    return isNoShare(this.share);
  }

  /** Follows a share, unless it knows a newer one. Null or undefined = none was decided. */
  takes(told: ToldShare | null | undefined): void {
    if (told === null || told === undefined || told.version < (this.#told?.version ?? 0)) return;
    this.#told = told;
  }

  /** True from the moment it was asked for. */
  get paused(): boolean {
    return this.#wanted.paused;
  }

  /** Of the calls that are scheduled now. */
  get priority(): number {
    return (this.#applied ?? this.#wanted).priority;
  }

  /** State for a continued run; complete once {@link isSettled}. */
  get carried(): Standing & { readonly share?: ToldShare } {
    return this.#told === null ? this.#wanted : { ...this.#wanted, share: this.#told };
  }

  /** A clock that stands still while the run is held. */
  get clockMs(): number {
    return (this.#pausedAtMs ?? Date.now()) - this.#pausedForMs;
  }

  /** False while a change has not been written and followed yet. */
  get isSettled(): boolean {
    const { paused, priority } = this.#wanted;
    return this.#applied?.paused === paused && this.#applied.priority === priority;
  }

  /** Priority of an activity that has been wanted since a time on {@link clockMs}. */
  priorityOf(wantedAtMs: number): Priority {
    return {
      priorityKey: priorityAfterWaiting(this.priority, this.clockMs - wantedAtMs, this.#slaMs),
      fairnessKey: this.#input.tenantId,
      fairnessWeight: this.#input.fairnessWeight ?? 1,
    };
  }

  /** Waits until the run is not paused and `ready` is true. @throws the error that made following a change impossible */
  async whenOpen(ready: () => boolean = () => true): Promise<void> {
    await condition(() => this.#failure !== undefined || (this.#isOpen && ready()));
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** Waits until every change is followed and `ready` is true, also while the run is paused. */
  async whenSettled(ready: () => boolean): Promise<void> {
    await condition(() => this.#failure !== undefined || (this.isSettled && ready()));
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /**
   * Schedules an activity that is taken back when the run is paused or gets another priority before a worker has started it. Null = taken
   * back: schedule it again once the run is not paused.
   */
  run<T>(activityId: string | null, schedule: (open: OpenActivity) => Promise<T>): Promise<T | null> {
    return this.#activities.run({ activityId, priority: this.priority }, schedule);
  }

  /** A worker found another state in the row than the call was scheduled with: the row is written again before the call is. */
  mirrorDiffers(): void {
    this.#applied = null;
  }

  /** Makes scheduled activities follow pauses and priorities until the run ends. */
  follow(): void {
    void this.#follow().catch((error: unknown) => {
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

  async #follow(): Promise<void> {
    const due = (): boolean => !this.isSettled;
    for (;;) {
      // Waiting raises the priority to 2 at most, and a paused run does not wait for a GPU.
      if (this.priority <= 2 || this.paused) await condition(due);
      else await condition(due, Math.max(1, this.#untilLateMs), { summary: 'until a waiting call is late' });
      if (!this.isSettled) await this.#steer();
      else if (this.#activities.waitingSinceMs !== null && this.#untilLateMs <= 0) await this.#hurry();
    }
  }

  async #steer(): Promise<void> {
    const wanted = this.#wanted;
    const { analysisId } = this.#input;
    const started = await control.steerAnalysis({ analysisId, ...wanted });
    this.#applied = wanted;
    const waiting = this.#waiting(started);
    this.#activities.takeBack(waiting.filter((open) => wanted.paused || open.priority !== wanted.priority));
  }

  /** No call has ended for too long: a few that wait are scheduled again with the priority that their waiting time gives. */
  async #hurry(): Promise<void> {
    const waiting = this.#waiting(await control.startedCalls());
    this.#activities.takeBack(waiting.filter((open) => this.#isLate(open)).slice(0, HURRIED_CALLS));
    this.#hurriedAtMs = this.clockMs;
  }

  /** Activities that no worker has started. */
  #waiting({ started, drawing }: StartedCalls): OpenActivity[] {
    return this.#activities.all.filter(({ activityId }) =>
      activityId === null ? !drawing : !started.includes(activityId),
    );
  }

  get #untilLateMs(): number {
    const since = Math.max(this.#activities.waitingSinceMs ?? this.clockMs, this.#hurriedAtMs);
    return since + lateAfterMs(this.#slaMs) - this.clockMs;
  }

  #isLate({ scheduledAtMs }: OpenActivity): boolean {
    return this.clockMs - scheduledAtMs >= lateAfterMs(this.#slaMs);
  }
}
