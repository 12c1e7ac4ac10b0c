/**
 * The stages that read the assembled deck: extraction, classification, template answers, scoring, specialised readings.
 */
import type { RunScope } from '../../domain/models/model-tasks.ts';
import type { Stage } from '../../domain/decks/progress.ts';
import { control } from './activity-proxies.ts';
import { settleAll, type CallRunner, type Tally } from './call-runner.ts';

/** How far scoring is: an answer that comes late is scored with the others only while they are still to be planned. */
export type ScoringState = 'ahead' | 'planning' | 'planned';

export interface TextTallies {
  readonly condensed: Tally;
  readonly extractions: Tally;
  readonly answers: Tally;
  readonly scores: Tally;
  readonly specialised: Tally;
}

/** Runs the text stages of a scope; stage by stage, each result stored as it comes. */
export async function runTextStages(
  run: { readonly analysisId: string; readonly scope: RunScope; readonly isFullReview: boolean },
  calls: CallRunner,
  tallies: TextTallies,
  on: {
    readonly enter: (stage: Stage) => Promise<void>;
    readonly scoring: (state: ScoringState) => void;
    /** The template was chosen. */
    readonly template: (name: string) => void;
  },
): Promise<void> {
  const { analysisId, scope } = run;
  const { enter } = on;
  if (scope.fields.length === 0 && !scope.classify && !scope.template && scope.specialised.length === 0) return;

  await enter('extraction');
  await calls.runStage(await control.planCondensation({ analysisId }), tallies.condensed);
  if (scope.fields.length > 0) {
    await calls.runStage(await control.planExtractions({ analysisId, fields: scope.fields }), tallies.extractions);
  }
  if (scope.classify) {
    await enter('classification');
    await calls.runStage(await control.planClassification({ analysisId }), tallies.extractions);
  }
  await settleAll([
    scope.template ? runTemplate(analysisId, calls, tallies, on) : Promise.resolve(),
    scope.specialised.length > 0 ? runSpecialised(run, calls, tallies) : Promise.resolve(),
  ]);
}

async function runTemplate(
  analysisId: string,
  calls: CallRunner,
  tallies: TextTallies,
  { enter, scoring, template }: Parameters<typeof runTextStages>[3],
): Promise<void> {
  await enter('template');
  const answers = await control.planAnswers({ analysisId });
  if (answers.template !== null) template(answers.template);
  await calls.runStage(answers, tallies.answers);
  await enter('scoring');
  scoring('planning');
  const scores = await control.planScores({ analysisId });
  scoring('planned');
  await calls.runStage(scores, tallies.scores);
  await control.storeRollUp({ analysisId });
}

/** Needs the slides alone (and the sector, to know whether they are wanted), so it runs beside the template. */
async function runSpecialised(
  run: { readonly analysisId: string; readonly scope: RunScope; readonly isFullReview: boolean },
  calls: CallRunner,
  tallies: TextTallies,
): Promise<void> {
  const plan = await control.planSpecialised({
    analysisId: run.analysisId,
    kinds: run.scope.specialised,
    onlyForHealth: run.isFullReview,
  });
  await calls.runStage(plan, tallies.specialised);
}
