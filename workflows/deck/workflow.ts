/**
 * One run over a deck: probe, slides, text stages, roll-up. Orchestration only; what is computed is stored by activities as it comes.
 *
 * A slide or question that fails for good is recorded and the rest goes on; a deck that cannot be read at all fails the run by name.
 */
import {
  ApplicationFailure,
  CancellationScope,
  continueAsNew,
  defineQuery,
  isCancellation,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import type { RunEnd, RunSummary } from '../../activities/decks/stages.ts';
import { FULL_SCOPE, scopeOfTask } from '../../domain/model-tasks.ts';
import { STAGES, type DeckProgress, type Stage } from '../../domain/progress.ts';
import { control, convert } from './activity-proxies.ts';
import { CallRunner, failureReason, type CallCounts, type Tally } from './call-runner.ts';
import { PROGRESS_QUERY, type DeckResumeState, type DeckWorkflowInput } from './contract.ts';
import { Limiter } from './limiter.ts';
import { historyIsLong, runSlidesStage } from './slides-stage.ts';
import { runTextStages } from './text-stages.ts';

/** GPU activities a deck has scheduled at most. */
const MAX_SCHEDULED_CALLS = 32;

export const progressQuery = defineQuery<DeckProgress>(PROGRESS_QUERY);

const tally = (done = 0, failed = 0, total = 0): Tally => ({ done, failed, total });

/** See the file's header. Returns the final state; failures of the whole deck fail the workflow with the error's code as type. */
export async function deckAnalysis(input: DeckWorkflowInput): Promise<RunSummary> {
  const { analysisId, deckId, resume } = input;
  const scope = input.taskType === null ? FULL_SCOPE : scopeOfTask(input.taskType);
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
  let stage: Stage = resume === undefined ? 'probe' : 'slides';
  const enter = async (next: Stage): Promise<void> => {
    stage = next;
    setCurrentDetails(detailsOf(stage, tallies, counts));
    await control.setStage({ analysisId, stage: next });
  };
  setHandler(progressQuery, () => ({ stage, ...tallies, ...counts, waitingFor: null }));

  try {
    const calls = new CallRunner(analysisId, new Limiter(MAX_SCHEDULED_CALLS), counts);
    let position: DeckResumeState;
    if (resume === undefined) {
      await control.beginAnalysis({ analysisId });
      const probe = await convert.probeDeck({ analysisId, deckId });
      await control.announceWork({ analysisId, describe: scope.describe, feedback: scope.feedback });
      position = {
        pageCount: probe.pageCount,
        windowsDone: 0,
        slidesDone: false,
        counts: { ...counts, pagesRendered: 0, pagesFailed: 0, slidesDone: 0, slidesFailed: 0 },
      };
      tallies.rendered.total = probe.pageCount;
      tallies.slides.total = probe.pageCount;
    } else {
      position = resume;
    }
    const carryOn = (windowsDone: number, slidesDone: boolean): Promise<never> =>
      continueAsNew<typeof deckAnalysis>({
        ...input,
        resume: {
          pageCount: position.pageCount,
          windowsDone,
          slidesDone,
          counts: {
            ...counts,
            pagesRendered: tallies.rendered.done,
            pagesFailed: tallies.rendered.failed,
            slidesDone: tallies.slides.done,
            slidesFailed: tallies.slides.failed,
          },
        },
      });

    if (!position.slidesDone) {
      stage = 'slides';
      setCurrentDetails(detailsOf(stage, tallies, counts));
      const deck = { pageCount: position.pageCount, firstWindow: position.windowsDone };
      const { windowsDone, finished } = await runSlidesStage(input, scope, deck, calls, tallies);
      if (!finished) return await carryOn(windowsDone, false);
      if (tallies.rendered.failed === position.pageCount) {
        const { code, message } = await control.explainUnreadable({ analysisId });
        throw ApplicationFailure.nonRetryable(message, code);
      }
      if (historyIsLong(input)) return await carryOn(windowsDone, true);
    }
    await runTextStages({ analysisId, scope, isFullReview: input.taskType === null }, calls, tallies, enter);
    stage = 'review';
    return await end({ kind: 'finished' });
  } catch (error) {
    // continueAsNew travels as an exception of its own and must pass.
    if (isContinueAsNew(error)) throw error;
    if (isCancellation(error)) {
      await end({ kind: 'cancelled' });
      throw error;
    }
    const { code, message } = failureReason(error);
    await end({ kind: 'failed', code, message });
    throw ApplicationFailure.nonRetryable(message, code);
  }

  /** Writes the final state; cancellation does not stop it. */
  function end(how: RunEnd): Promise<RunSummary> {
    return CancellationScope.nonCancellable(async () => {
      const summary = await control.finishAnalysis({ analysisId, end: how });
      setCurrentDetails(detailsOf(stage, tallies, counts, summary));
      return summary;
    });
  }
}

const isContinueAsNew = (error: unknown): boolean => error instanceof Error && error.name === 'ContinueAsNew';

/** Markdown for the Temporal UI. */
function detailsOf(
  stage: Stage,
  tallies: Readonly<Record<string, Tally>>,
  counts: CallCounts,
  summary?: RunSummary,
): string {
  const rows = Object.entries(tallies)
    .filter(([, t]) => t.total > 0)
    .map(([name, t]) => `| ${name} | ${t.done} | ${t.failed} | ${t.total} |`);
  return [
    summary === undefined
      ? `**Stage** ${stage} (${STAGES.indexOf(stage) + 1} of ${STAGES.length})`
      : `**${summary.status}**, ${summary.gaps} gaps`,
    '',
    '| work | done | failed | of |',
    '|---|---|---|---|',
    ...rows,
    '',
    `${counts.modelCalls} model calls, ${counts.cachedCalls} answered from stored results, ${counts.gaps} gaps`,
  ].join('\n');
}
