/**
 * Which stage a kind of model call belongs to, and which stages are built on which: what `--from STAGE` computes anew.
 */
import { MODEL_TASK_NAMES, type ModelTask } from '../../models/model-tasks.ts';
import { STAGES, type Stage } from '../progress.ts';

/** Stage of every model task. Condensing a slide prepares the text that extraction reads first. */
export const STAGE_OF_TASK: Readonly<Record<ModelTask, Stage>> = {
  describe_slide: 'slides',
  slide_feedback: 'slides',
  condense_slide: 'extraction',
  extract_offering: 'extraction',
  extract_company_name: 'extraction',
  extract_funding: 'extraction',
  extract_deck_date: 'extraction',
  classify_sector: 'classification',
  answer_question: 'template',
  score_answer: 'scoring',
  specialised_clinical: 'specialised',
  specialised_regulatory: 'specialised',
  specialised_science: 'specialised',
};

/** Stages that read what a stage stored. */
const READ_BY: Readonly<Record<Stage, readonly Stage[]>> = {
  probe: ['slides'],
  slides: ['extraction'],
  extraction: ['classification'],
  classification: ['template', 'specialised'],
  template: ['scoring'],
  scoring: ['review'],
  specialised: ['review'],
  review: [],
};

/** The stage itself and everything that is built on it. */
export function stagesFrom(stage: Stage): ReadonlySet<Stage> {
  const found = new Set<Stage>([stage]);
  // A set visits what is added while it is walked.
  for (const each of found) for (const next of READ_BY[each]) found.add(next);
  return found;
}

/** True when the task belongs to the stage or to something that is built on it. */
export const isTaskFrom = (task: ModelTask, stage: Stage): boolean => stagesFrom(stage).has(STAGE_OF_TASK[task]);

/** The tasks a name stands for: one model task, or all of a stage. Empty for a name that is neither. */
export function tasksNamed(name: string): readonly ModelTask[] {
  return MODEL_TASK_NAMES.filter((task) => task === name || STAGE_OF_TASK[task] === name);
}

/** Names {@link tasksNamed} knows, stages first. */
export const TASK_OR_STAGE_NAMES: readonly string[] = [
  ...STAGES.filter((stage) => MODEL_TASK_NAMES.some((task) => STAGE_OF_TASK[task] === stage)),
  ...MODEL_TASK_NAMES,
];
