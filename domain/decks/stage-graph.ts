/**
 * The stages of an analysis with their dependencies and planning steps. A run, its dry run, a retry and a replay walk this graph.
 *
 * A step is planned as a whole, once its inputs are complete: one activity decides which calls it needs. The model tasks of a step are in
 * `domain/models/model-tasks.ts`.
 */

/** Stages in the order in which they begin, each after those it depends on; slides and conversion overlap. */
export const STAGES = [
  'probe',
  'slides',
  'extraction',
  'classification',
  'template',
  'scoring',
  'specialised',
  'review',
] as const;
export type Stage = (typeof STAGES)[number];

interface StepDescriptor {
  /** The activity that decides which calls the step needs. Recorded in workflow histories: do not rename. */
  readonly planner: string;
  /** Under which name its calls are counted in the progress of a run. */
  readonly countedAs: string;
}

/** Planning steps. */
export const PLAN_STEPS = {
  slides: { planner: 'planSlides', countedAs: 'slides' },
  condensation: { planner: 'planCondensation', countedAs: 'condensed' },
  extractions: { planner: 'planExtractions', countedAs: 'extractions' },
  // The sector counts among the values.
  classification: { planner: 'planClassification', countedAs: 'extractions' },
  answers: { planner: 'planAnswers', countedAs: 'answers' },
  scores: { planner: 'planScores', countedAs: 'scores' },
  specialised: { planner: 'planSpecialised', countedAs: 'specialised' },
} as const satisfies Record<string, StepDescriptor>;
export type PlanStep = keyof typeof PLAN_STEPS;
/** The steps in the order in which a run plans them; specialised readings are planned beside answers and scores. */
export const PLAN_STEP_NAMES = Object.keys(PLAN_STEPS) as PlanStep[];

interface StageNode {
  /** Stages whose results this one reads. */
  readonly builtOn: readonly Stage[];
  /** One after the other. */
  readonly steps: readonly PlanStep[];
  /** True when it runs beside another stage, so that a run does not name it as the one that it is in. */
  readonly isBeside?: true;
}

export const STAGE_GRAPH: Readonly<Record<Stage, StageNode>> = {
  probe: { builtOn: [], steps: [] },
  slides: { builtOn: ['probe'], steps: ['slides'] },
  // Condensing a slide prepares the text that extraction reads first.
  extraction: { builtOn: ['slides'], steps: ['condensation', 'extractions'] },
  classification: { builtOn: ['extraction'], steps: ['classification'] },
  template: { builtOn: ['classification'], steps: ['answers'] },
  scoring: { builtOn: ['template'], steps: ['scores'] },
  specialised: { builtOn: ['classification'], steps: ['specialised'], isBeside: true },
  review: { builtOn: ['scoring', 'specialised'], steps: [] },
};

/** Stages that are built on a stage directly, in order. */
export const stagesAfter = (stage: Stage): readonly Stage[] =>
  STAGES.filter((each) => STAGE_GRAPH[each].builtOn.includes(stage));

/** The stage itself and everything that is built on it: what a replay from this stage computes anew. */
export function stagesFrom(stage: Stage): ReadonlySet<Stage> {
  const found = new Set<Stage>([stage]);
  // A set visits what is added while it is walked.
  for (const each of found) for (const next of stagesAfter(each)) found.add(next);
  return found;
}

/** Stage of a step. */
export function stageOfStep(step: PlanStep): Stage {
  const stage = STAGES.find((each) => STAGE_GRAPH[each].steps.includes(step));
  if (stage === undefined) throw new Error(`step ${step} belongs to no stage`);
  return stage;
}
