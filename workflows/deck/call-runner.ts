/**
 * Runs planned model calls: schedules each on its class queue, bounds how many are open, and records those that fail for good.
 */
import { ActivityFailure, ApplicationFailure, isCancellation } from '@temporalio/workflow';
import type { ModelCallInput, ModelCallOutcome } from '../../activities/models/run-call.ts';
import type { CallPlan, PlannedCall } from '../../activities/models/plan/plan-calls.ts';
import { assertNever } from '../../domain/errors.ts';
import { control, text, vision } from './activity-proxies.ts';
import type { Limiter } from './limiter.ts';

/** Counts one kind of work; the numbers the progress query shows. */
export interface Tally {
  done: number;
  failed: number;
  total: number;
}

/** Counts over all calls of the run. */
export interface CallCounts {
  cachedCalls: number;
  modelCalls: number;
  gaps: number;
}

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

function schedule(call: PlannedCall, analysisId: string): Promise<ModelCallOutcome> {
  const args: [ModelCallInput] = [{ callId: call.callId, analysisId }];
  const about = call.slideNumber === null ? call.task : `slide ${call.slideNumber}`;
  const options = { summary: `${about} · ${call.modelName}` };
  switch (call.task) {
    case 'describe_slide':
      return vision.describeSlide.executeWithOptions(options, args);
    case 'slide_feedback':
      return vision.giveSlideFeedback.executeWithOptions({ summary: `feedback on ${about} · ${call.modelName}` }, args);
    case 'condense_slide':
      return text.condenseSlide.executeWithOptions({ summary: `condense ${about} · ${call.modelName}` }, args);
    case 'extract_offering':
    case 'extract_company_name':
    case 'extract_funding':
    case 'extract_deck_date':
      return text.extractValue.executeWithOptions(options, args);
    case 'classify_sector':
      return text.classifySector.executeWithOptions(options, args);
    case 'answer_question':
      return text.answerQuestion.executeWithOptions(options, args);
    case 'score_answer':
      return text.scoreAnswer.executeWithOptions(options, args);
    case 'specialised_clinical':
    case 'specialised_regulatory':
    case 'specialised_science':
      return text.analyseSpecialised.executeWithOptions(options, args);
    default:
      return assertNever(call.task);
  }
}

/** Runs the calls of one run. */
export class CallRunner {
  readonly #analysisId: string;
  readonly #limiter: Limiter;
  readonly #counts: CallCounts;

  constructor(analysisId: string, limiter: Limiter, counts: CallCounts) {
    this.#analysisId = analysisId;
    this.#limiter = limiter;
    this.#counts = counts;
  }

  /** Runs one call. Resolves true when its result is stored, false when it failed for good and is recorded as a gap. */
  async run(call: PlannedCall): Promise<boolean> {
    try {
      const outcome = await this.#limiter.run(() => schedule(call, this.#analysisId));
      if (outcome.cached) this.#counts.cachedCalls++;
      else this.#counts.modelCalls++;
      return true;
    } catch (error) {
      if (isCancellation(error)) throw error;
      await control.recordCallFailure({ callId: call.callId, ...failureReason(error) });
      this.#counts.gaps++;
      return false;
    }
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

/** Waits for all, then throws the first rejection: nothing is left running behind the back of the one who handles it. */
export async function settleAll(work: readonly Promise<void>[]): Promise<void> {
  const settled = await Promise.allSettled(work);
  const failure = settled.find((s) => s.status === 'rejected');
  if (failure !== undefined) throw failure.reason as Error;
}
