/**
 * Activities on queue `control`: they decide and store, make no model call and answer in milliseconds.
 */
import { Context } from '@temporalio/activity';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { MODEL_TASKS, type ExtractionField, type GpuClass, type SpecialisedKind } from '../../domain/model-tasks.ts';
import type { Stage } from '../../domain/progress.ts';
import { AnalysisContexts } from '../models/plan/analysis-context.ts';
import type { CallPlan } from '../models/plan/plan-calls.ts';
import { heartbeating } from '../support/heartbeat.ts';
import { recordCallFailure, type CallFailure } from './failures.ts';
import { announceMissingPages, type VisualScope } from './missing-pages.ts';
import { StagePlanner } from './planning.ts';
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

export interface DeckActivities {
  beginAnalysis(input: AnalysisRef): Promise<void>;
  /** Says what is missing of a probed deck and has GPUs boot for it while it is rendered. */
  announceWork(input: AnalysisRef & VisualScope): Promise<{ readonly pages: number }>;
  setStage(input: AnalysisRef & { readonly stage: Stage }): Promise<void>;
  planSlides(
    input: AnalysisRef & { readonly pages: readonly number[]; readonly describe: boolean; readonly feedback: boolean },
  ): Promise<CallPlan & { readonly failedPages: number }>;
  planCondensation(input: AnalysisRef): Promise<CallPlan>;
  planExtractions(input: AnalysisRef & { readonly fields: readonly ExtractionField[] }): Promise<CallPlan>;
  planClassification(input: AnalysisRef): Promise<CallPlan>;
  planAnswers(input: AnalysisRef): Promise<CallPlan>;
  planScores(input: AnalysisRef): Promise<CallPlan>;
  planSpecialised(
    input: AnalysisRef & { readonly kinds: readonly SpecialisedKind[]; readonly onlyForHealth: boolean },
  ): Promise<CallPlan>;
  recordCallFailure(failure: CallFailure): Promise<void>;
  explainUnreadable(input: AnalysisRef): Promise<{ readonly code: string; readonly message: string }>;
  storeRollUp(input: AnalysisRef): Promise<void>;
  finishAnalysis(input: AnalysisRef & { readonly end: RunEnd }): Promise<RunSummary>;
}

export function createDeckActivities(db: PrismaClient): DeckActivities {
  const contexts = new AnalysisContexts(db);
  const planner = new StagePlanner(db, contexts);
  const signals = new PoolSignals(db);
  const tell = (classes: ReadonlySet<GpuClass>, { analysisId }: AnalysisRef): Promise<void> => {
    const { client, log } = Context.current();
    return signals.announce(classes, { analysisId }, { client, log });
  };
  /** Plans, and tells the pools of the calls that a model has to answer. */
  const planned = async <Plan extends CallPlan>(input: AnalysisRef, plan: Promise<Plan>): Promise<Plan> => {
    const { calls } = await plan;
    if (calls.length > 0) await tell(new Set(calls.map((call) => MODEL_TASKS[call.task].gpuClass)), input);
    return plan;
  };
  return heartbeating<DeckActivities>({
    beginAnalysis: (input) => beginAnalysis(db, contexts, input),
    announceWork: async (input) => {
      const pages = await announceMissingPages(db, contexts, input);
      if (pages > 0) await tell(new Set<GpuClass>(['gpu-visual']), input);
      return { pages };
    },
    setStage: (input) => setStage(db, input),
    planSlides: (input) => planned(input, planner.slides(input)),
    planCondensation: (input) => planned(input, planner.condensation(input)),
    planExtractions: (input) => planned(input, planner.extractions(input)),
    planClassification: (input) => planned(input, planner.classification(input)),
    planAnswers: (input) => planned(input, planner.answers(input)),
    planScores: (input) => planned(input, planner.scores(input)),
    planSpecialised: (input) => planned(input, planner.specialised(input)),
    recordCallFailure: (failure) => recordCallFailure(db, failure),
    explainUnreadable: (input) => explainUnreadable(db, input),
    storeRollUp: (input) => storeRollUp(db, input.analysisId),
    finishAnalysis: (input) => finishAnalysis(db, input),
  });
}
