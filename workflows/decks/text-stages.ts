/** Walks the stages that read the described deck, along the stage graph; each result is stored as it comes. */
import type { CallPlan } from '../../activities/models/plan-calls.ts';
import { fieldsInScope, kindsInScope, tasksInScope, type RunScope } from '../../domain/decks/run-scope.ts';
import { PLAN_STEPS, STAGE_GRAPH, stagesAfter, type PlanStep, type Stage } from '../../domain/decks/stage-graph.ts';
import { control } from './activity-proxies.ts';
import { settleAll, type CallRunner } from './call-runner.ts';
import type { Tally } from './run-details.ts';

/** How far scoring is: an answer that comes late is scored with the others only while they are still to be planned. */
export type ScoringState = 'ahead' | 'planning' | 'planned';

type TextStep = Exclude<PlanStep, 'slides'>;
/** Counts of the text steps. */
export type TextTallies = Readonly<Record<(typeof PLAN_STEPS)[TextStep]['countedAs'], Tally>>;

/** How one step is planned. */
interface StepPlan {
  readonly plan: () => Promise<CallPlan & { readonly template?: string | null }>;
  readonly onPlanning?: () => void;
  readonly onPlanned?: (plan: { readonly template?: string | null }) => void;
}

/** Runs the text stages of a scope; stages that do not read each other run beside each other. */
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
  const { analysisId, scope, isFullReview: onlyForHealth } = run;
  const steps: Readonly<Record<TextStep, StepPlan>> = {
    condensation: { plan: () => control.planCondensation({ analysisId }) },
    extractions: {
      plan: () => {
        const withProfile = scope.has('extract_profile');
        return control.planExtractions({ analysisId, fields: fieldsInScope(scope), withProfile });
      },
    },
    classification: { plan: () => control.planClassification({ analysisId }) },
    answers: {
      plan: () => control.planAnswers({ analysisId }),
      onPlanned: ({ template = null }) => {
        if (template !== null) on.template(template);
      },
    },
    scores: {
      plan: () => control.planScores({ analysisId }),
      onPlanning: () => on.scoring('planning'),
      onPlanned: () => on.scoring('planned'),
    },
    // They need the slides alone, and the sector to know whether they are wanted, so they run beside the template.
    specialised: { plan: () => control.planSpecialised({ analysisId, kinds: kindsInScope(scope), onlyForHealth }) },
  };

  await walk('extraction');

  // Awaits nothing but activities and stages: the order of commands in recorded histories depends on it.
  async function walk(from: Stage): Promise<void> {
    for (let stage: Stage | undefined = from; stage !== undefined;) {
      const { steps: all, isBeside = false } = STAGE_GRAPH[stage];
      const wanted = all.filter((step) => step !== 'slides').filter((step) => tasksInScope(scope, step).length > 0);
      if (wanted.length > 0 && !isBeside) await on.enter(stage);
      for (const step of wanted) {
        const { plan, onPlanning, onPlanned } = steps[step];
        onPlanning?.();
        const planned = await plan();
        onPlanned?.(planned);
        await calls.runStage(planned, tallies[PLAN_STEPS[step].countedAs]);
      }
      if (wanted.includes('scores')) await control.storeRollUp({ analysisId });
      const next = stagesAfter(stage);
      if (next.length > 1) return settleAll(next.map(walk));
      [stage] = next;
    }
  }
}
