/** Activities on queue `control`: they decide and store, make no model call and answer in milliseconds. */
import { Context } from '@temporalio/activity';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { MODEL_TASKS, type GpuClass, type SpecialisedKind } from '../../domain/models/model-tasks.ts';
import type { PLAN_STEPS, PlanStep, Stage } from '../../domain/decks/stage-graph.ts';
import { AnalysisContexts } from '../models/analysis-context.ts';
import type { CallPlan, PlannedCall } from '../models/plan-calls.ts';
import { templateInUse } from './template.ts';
import { heartbeating } from '../support/heartbeat.ts';
import { startDeliveriesOf } from '../webhooks/outbox.ts';
import { recordCallFailure, type CallFailure } from '../models/store-result.ts';
import { leaveUnread } from './second-reading.ts';
import { planRetry, replanCall, type RetryInput, type RetryPlan } from './retries.ts';
import { startedCalls, writeStanding, type Standing, type StartedCalls } from './steering.ts';
import { announcedClasses, announceMissingPages } from './missing-pages.ts';
import type { VisualScope } from '../../domain/decks/run-scope.ts';
import { type ExtractionsInput, StagePlanner } from './planning.ts';
import type { ToldShare } from '../../contracts/decks.ts';
import type { DeckLine } from './line/line.ts';
import { whatItWaitsFor, type Wait } from './waiting/waiting.ts';
import { PoolSignals } from './pool-signals.ts';
import {
  beginAnalysis,
  explainUnreadable,
  finishAnalysis,
  setStage,
  storeRollUp,
  type AnalysisRef,
  type RunEnd,
  type RunSummary,
} from './stages.ts';

/** The planner of each step of the stage graph. */
type Planners = Readonly<Record<(typeof PLAN_STEPS)[PlanStep]['planner'], (input: never) => Promise<CallPlan>>>;

export interface DeckActivities extends Planners {
  beginAnalysis(input: AnalysisRef): Promise<void>;
  /**
   * Stores how many pages need a model, signals pools, so that GPUs boot while the deck is rendered, and takes the run's place in line.
   * `share`: how many calls it may have scheduled; absent or null = whatever it likes.
   */
  announceWork(
    input: AnalysisRef & VisualScope,
  ): Promise<{ readonly pages: number; readonly share?: ToldShare | null }>;
  setStage(input: AnalysisRef & { readonly stage: Stage }): Promise<void>;
  planSlides(
    input: AnalysisRef & VisualScope & { readonly pages: readonly number[] },
  ): Promise<CallPlan & { readonly failedPages: number }>;
  planCondensation(input: AnalysisRef): Promise<CallPlan>;
  planExtractions(input: ExtractionsInput): Promise<CallPlan>;
  planClassification(input: AnalysisRef): Promise<CallPlan>;
  /** `template`: the chosen one, in the form of the search attribute. */
  planAnswers(input: AnalysisRef): Promise<CallPlan & { readonly template: string | null }>;
  /** Of every stored answer, or of one question alone. */
  planScores(input: AnalysisRef & { readonly questionId?: string }): Promise<CallPlan>;
  planSpecialised(
    input: AnalysisRef & { readonly kinds: readonly SpecialisedKind[]; readonly onlyForHealth: boolean },
  ): Promise<CallPlan>;
  /** Plans the failed calls of a slide or question again. */
  planRetry(input: RetryInput): Promise<RetryPlan>;
  /** Plans a call whose input has changed; null when a stored result answers it. */
  replanCall(input: AnalysisRef & { readonly callId: string }): Promise<PlannedCall | null>;
  /** Stores pause and priority before the run's calls follow them; returns which of them a worker has started. */
  steerAnalysis(input: AnalysisRef & Standing): Promise<StartedCalls>;
  /** Which of the run's activities a worker has started. */
  startedCalls(): Promise<StartedCalls>;
  /** Reason why the calling run waits, the pools that serve it, and its share, should a signal have been lost. */
  whatItWaitsFor(): Promise<Wait & { readonly share?: ToldShare | null }>;
  recordCallFailure(failure: CallFailure): Promise<void>;
  /** Stores why the quotes that were to be read again were not. */
  leaveQuotesUnread(input: AnalysisRef & { readonly reason: string }): Promise<void>;
  explainUnreadable(input: AnalysisRef): Promise<{ readonly code: string; readonly message: string }>;
  storeRollUp(input: AnalysisRef): Promise<void>;
  finishAnalysis(input: AnalysisRef & { readonly end: RunEnd }): Promise<RunSummary>;
}

const classesOf = (calls: readonly PlannedCall[]): ReadonlySet<GpuClass> =>
  new Set(calls.map((call) => MODEL_TASKS[call.task].gpuClass));

/** @param timezone of budgets (IANA) */
export function createDeckActivities(db: PrismaClient, timezone: string, line: DeckLine): DeckActivities {
  const contexts = new AnalysisContexts(db);
  const planner = new StagePlanner(db, contexts);
  const signals = new PoolSignals(db);
  const tell = (classes: ReadonlySet<GpuClass>, { analysisId }: AnalysisRef): Promise<void> => {
    const { client, log } = Context.current();
    return signals.announce(classes, { analysisId }, { client, log });
  };
  /** Plans, and signals the pools when a model has to answer calls. */
  const planned = async <Plan extends CallPlan>(input: AnalysisRef, plan: Promise<Plan>): Promise<Plan> => {
    const { calls } = await plan;
    if (calls.length > 0) await tell(classesOf(calls), input);
    return plan;
  };
  return heartbeating<DeckActivities>({
    beginAnalysis: (input) => beginAnalysis(db, contexts, input),
    announceWork: async (input) => {
      const pages = await announceMissingPages(db, contexts, input);
      if (pages > 0) await tell(await announcedClasses(db, input), input);
      return { pages, share: await line.join(input) };
    },
    setStage: (input) => setStage(db, input),
    planSlides: (input) => planned(input, planner.slides(input)),
    planCondensation: (input) => planned(input, planner.condensation(input)),
    planExtractions: (input) => planned(input, planner.extractions(input)),
    planClassification: (input) => planned(input, planner.classification(input)),
    planAnswers: async (input) => ({
      ...(await planned(input, planner.answers(input))),
      template: await templateInUse(db, input.analysisId),
    }),
    planScores: (input) => planned(input, planner.scores(input)),
    planSpecialised: (input) => planned(input, planner.specialised(input)),
    planRetry: async (input) => {
      const plan = await planRetry(db, contexts, input);
      const calls = plan.calls.flatMap(({ call }) => (call === null ? [] : [call]));
      if (calls.length > 0) await tell(classesOf(calls), input);
      return plan;
    },
    replanCall: (input) => replanCall(db, contexts, input),
    steerAnalysis: async (input) => {
      const classes = await writeStanding(db, input);
      const started = await startedCalls();
      // A paused run needs no GPU; after a resume or a new priority it may need one at once.
      if (!input.paused && classes.size > 0) await tell(classes, input);
      return started;
    },
    startedCalls: () => startedCalls(),
    whatItWaitsFor: () => whatItWaitsFor(db, { timezone: () => timezone, line }),
    recordCallFailure: (failure) => recordCallFailure(db, failure),
    leaveQuotesUnread: ({ analysisId, reason }) =>
      leaveUnread(db, analysisId, `quotes could not be read again: ${reason}`),
    explainUnreadable: (input) => explainUnreadable(db, input),
    storeRollUp: (input) => storeRollUp(db, input.analysisId),
    finishAnalysis: async (input) => {
      const summary = await finishAnalysis(db, input);
      await startDeliveriesOf(db, input.analysisId, Context.current());
      return summary;
    },
  });
}
