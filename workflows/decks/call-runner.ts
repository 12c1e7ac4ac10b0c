/** Runs planned model calls: schedules each on its class queue, bounds how many are open, and records those that fail for good. */
import {
  ActivityFailure,
  ApplicationFailure,
  isCancellation,
  type ActivityOptions,
  condition,
} from '@temporalio/workflow';
import type { ModelCallInput, ModelCallOutcome } from '../../activities/models/run-call.ts';
import type { DeckWorkflowInput } from '../../contracts/decks.ts';
import { makeClassQueue } from '../../contracts/queues.ts';
import type { CallPlan, PlannedCall } from '../../activities/models/plan-calls.ts';
import { MAX_SCHEDULED_CALLS, type CallShare } from '../../domain/decks/admission/shares.ts';
import { MODEL_TASKS, type GpuClass } from '../../domain/models/model-tasks.ts';
import { callSummary } from '../../domain/temporal/run-details.ts';
import { control, modelCalls } from './activity-proxies.ts';
import type { RunControl } from './run-control.ts';
import type { CallCounts, RunDetails, Tally } from './run-details.ts';

/** The reason an item failed for good, out of whatever the activity threw. */
export function failureReason(error: unknown): { code: string; message: string } {
  if (error instanceof ActivityFailure) {
    const { cause } = error;
    if (cause instanceof ApplicationFailure) return { code: cause.type ?? 'internal', message: cause.message };
    return { code: 'internal', message: cause?.message ?? error.message };
  }
  if (error instanceof ApplicationFailure) return { code: error.type ?? 'internal', message: error.message };
  return { code: 'internal', message: error instanceof Error ? error.message : String(error) };
}

type CallOptions = Required<Pick<ActivityOptions, 'activityId' | 'priority' | 'summary'>>;

/** @param poolName whose own queue it waits in; undefined = the queue of all pools */
function schedule(
  call: PlannedCall,
  input: ModelCallInput,
  { poolName, ...options }: CallOptions & { readonly poolName: string | undefined },
): Promise<ModelCallOutcome> {
  const { gpuClass, activity } = MODEL_TASKS[call.task];
  const queue = poolName === undefined ? {} : { taskQueue: makeClassQueue(gpuClass, poolName) };
  return modelCalls[gpuClass][activity].executeWithOptions({ ...options, ...queue }, [input]);
}

/** A call is planned anew at most so often because what it reads has changed. */
const MAX_REPLANS = 3;

/** Runs the calls of one run. */
export class CallRunner {
  readonly #analysisId: string;
  readonly #poolName: string | undefined;
  readonly #limiter: Limiter;
  readonly #counts: CallCounts;
  readonly #control: RunControl;
  readonly #details: RunDetails;
  /** Calls that are wanted and have not ended, by id: what is wanted twice is run once. */
  readonly #running = new Map<string, Promise<boolean>>();
  #scheduled = 0;

  constructor(
    { analysisId, poolName }: Pick<DeckWorkflowInput, 'analysisId' | 'poolName'>,
    counts: CallCounts,
    runControl: RunControl,
    details: RunDetails,
  ) {
    this.#analysisId = analysisId;
    this.#poolName = poolName;
    this.#counts = counts;
    this.#control = runControl;
    this.#details = details;
    this.#limiter = new Limiter(() => runControl.share);
  }

  /** Runs one call. Resolves true when its result is stored, false when it failed for good and is recorded as a gap. */
  run(call: PlannedCall): Promise<boolean> {
    const running = this.#running.get(call.callId);
    if (running !== undefined) return running;
    const run = this.#run(call).finally(() => this.#running.delete(call.callId));
    this.#running.set(call.callId, run);
    return run;
  }

  /** True while this call is wanted and has not ended. */
  isRunning(call: PlannedCall): boolean {
    return this.#running.has(call.callId);
  }

  async #run(call: PlannedCall): Promise<boolean> {
    const present = { call };
    try {
      // Only the wait for a slot lets a call move up a priority: before that it waits for calls of its own deck, and of those before it.
      const outcome = await this.#limiter.run(MODEL_TASKS[call.task].gpuClass, () =>
        this.#untilAnswered(present, this.#control.clockMs),
      );
      if (outcome.cached) this.#counts.cachedCalls++;
      else this.#counts.modelCalls++;
      this.#details.moved();
      return true;
    } catch (error) {
      if (isCancellation(error)) throw error;
      const reason = failureReason(error);
      await control.recordCallFailure({ callId: present.call.callId, ...reason });
      this.#counts.gaps++;
      this.#details.misses({ item: callSummary(present.call, this.#details.pageCount), reason: reason.message });
      return false;
    }
  }

  /**
   * Schedules a call until it is answered: again after it was taken back, and under its new plan when what it reads has changed meanwhile.
   * It keeps its place among the scheduled calls, so that a run goes on where it was.
   */
  async #untilAnswered(present: { call: PlannedCall }, wantedAtMs: number): Promise<ModelCallOutcome> {
    const analysisId = this.#analysisId;
    for (let replans = 0; ;) {
      await this.#control.whenOpen();
      const outcome = await this.#schedule(present.call, wantedAtMs);
      if (outcome === null || outcome.unanswered === 'taken_back') continue;
      if (outcome.unanswered === undefined) return outcome;
      if (++replans > MAX_REPLANS) throw ApplicationFailure.nonRetryable(INPUT_CHANGED, 'conflict');
      const again = await control.replanCall({ analysisId, callId: present.call.callId });
      if (again === null) return { cached: true, attempts: 0, durationMs: 0 };
      present.call = again;
    }
  }

  /** Schedules a call once; null when it was taken back before a worker had it. */
  #schedule(call: PlannedCall, wantedAtMs: number): Promise<ModelCallOutcome | null> {
    const runControl = this.#control;
    const activityId = `${call.callId}/${++this.#scheduled}`;
    return runControl.run(activityId, async (open) => {
      const input = { callId: call.callId, analysisId: this.#analysisId, priority: open.priority };
      const summary = callSummary(call, this.#details.pageCount);
      const priority = runControl.priorityOf(wantedAtMs);
      const outcome = await schedule(call, input, { activityId, priority, summary, poolName: this.#poolName });
      if (outcome.unanswered === 'taken_back' && !open.takenBack) runControl.mirrorDiffers();
      return outcome;
    });
  }

  /** Counts calls that stored results answered while planning. */
  countCached(calls: number): void {
    this.#counts.cachedCalls += calls;
  }

  /** Runs a stage's calls in parallel and keeps its tally. What is cached counts as done at once. */
  async runStage(plan: CallPlan, tally: Tally): Promise<void> {
    this.countCached(plan.cached);
    tally.total += plan.calls.length + plan.cached + plan.failed;
    tally.done += plan.cached;
    tally.failed += plan.failed;
    await settleAll(
      plan.calls.map(async (call) => {
        if (await this.run(call)) tally.done++;
        else tally.failed++;
      }),
    );
  }
}

/** Message of the gap of a call whose input kept changing. */
const INPUT_CHANGED = 'A model, prompt or slide was changed while this analysis ran; start it again.';

/** Waits for all, then throws the first rejection, so that nothing still runs when it is handled. */
export async function settleAll(work: readonly Promise<void>[]): Promise<void> {
  const settled = await Promise.allSettled(work);
  const failure = settled.find((s) => s.status === 'rejected');
  if (failure !== undefined) throw failure.reason as Error;
}

/** Bounds how many calls are scheduled. Deterministic: of the calls whose class has room, the one that came first goes on. */
class Limiter {
  readonly #share: () => CallShare;
  readonly #inUse: Record<GpuClass, number> = { 'gpu-visual': 0, 'gpu-text': 0 };
  /** Classes of the calls that wait, by their tickets, in the order in which they came. */
  readonly #waiting = new Map<number, GpuClass>();
  #nextTicket = 0;

  /** @param share what may be scheduled now */
  constructor(share: () => CallShare) {
    this.#share = share;
  }

  /** Runs `work` when a place is free. */
  async run<T>(gpuClass: GpuClass, work: () => Promise<T>): Promise<T> {
    const ticket = this.#nextTicket++;
    this.#waiting.set(ticket, gpuClass);
    try {
      if (!this.#isNext(ticket, gpuClass)) await condition(() => this.#isNext(ticket, gpuClass));
      this.#inUse[gpuClass]++;
    } finally {
      this.#waiting.delete(ticket);
    }
    try {
      return await work();
    } finally {
      this.#inUse[gpuClass]--;
    }
  }

  #isNext(ticket: number, gpuClass: GpuClass): boolean {
    const inUse = this.#inUse;
    const share = this.#share();
    const hasRoom = (each: GpuClass): boolean => inUse[each] < share[each];
    if (inUse['gpu-visual'] + inUse['gpu-text'] >= MAX_SCHEDULED_CALLS || !hasRoom(gpuClass)) return false;
    for (const [first, each] of this.#waiting) if (hasRoom(each)) return first === ticket;
    return false;
  }
}
