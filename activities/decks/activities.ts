/**
 * Activities on queue `control`: they decide and store, make no model call and answer in milliseconds.
 */
import type { PrismaClient } from '../../generated/prisma/client.ts';
import type { ExtractionField, SpecialisedKind } from '../../domain/model-tasks.ts';
import type { Stage } from '../../domain/progress.ts';
import { AnalysisContexts } from '../models/plan/analysis-context.ts';
import type { CallPlan } from '../models/plan/plan-calls.ts';
import { recordCallFailure, type CallFailure } from './failures.ts';
import { StagePlanner } from './planning.ts';
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
  return {
    beginAnalysis: (input) => beginAnalysis(db, contexts, input),
    setStage: (input) => setStage(db, input),
    planSlides: (input) => planner.slides(input),
    planCondensation: (input) => planner.condensation(input),
    planExtractions: (input) => planner.extractions(input),
    planClassification: (input) => planner.classification(input),
    planAnswers: (input) => planner.answers(input),
    planScores: (input) => planner.scores(input),
    planSpecialised: (input) => planner.specialised(input),
    recordCallFailure: (failure) => recordCallFailure(db, failure),
    explainUnreadable: (input) => explainUnreadable(db, input),
    storeRollUp: (input) => storeRollUp(db, input.analysisId),
    finishAnalysis: (input) => finishAnalysis(db, input),
  };
}
