/**
 * The tasks that a run computes, and the tasks of a name: of a stage, a task type or a task.
 */
import {
  callSubject,
  EXTRACTION_FIELDS,
  MODEL_TASK_NAMES,
  MODEL_TASKS,
  SPECIALISED_KINDS,
  TASK_TYPES,
  taskOfField,
  taskOfSpecialised,
  tasksOfStep,
  tasksWhere,
  type CallSubject,
  type ExtractionField,
  type ModelTask,
  type SpecialisedKind,
  type TaskType,
} from '../models/model-tasks.ts';
import { STAGES, stagesFrom, type PlanStep, type Stage } from './stage-graph.ts';

/** Tasks that a run computes. */
export type RunScope = ReadonlySet<ModelTask>;

/** The full review. Which specialised readings are really made depends on the sector. */
export const FULL_SCOPE: RunScope = new Set(MODEL_TASK_NAMES);

/**
 * Scope of a task type started alone: its tasks, and those whose results they read. What is already stored costs nothing (content keys).
 */
export function scopeOfTask(type: TaskType): RunScope {
  const found = new Set(tasksWhere((task) => task.taskType === type && task.step !== 'condensation'));
  // A set visits what is added while it is walked.
  for (const task of found) for (const read of MODEL_TASKS[task].readsResultsOf) found.add(read);
  return found;
}

/** Scope of a run by its stored task type; null, and a name of a later version, is the full review. */
export function scopeOfRun(taskType: string | null): RunScope {
  const known = TASK_TYPES.find((type) => type === taskType);
  return known === undefined ? FULL_SCOPE : scopeOfTask(known);
}

/** Tasks of a step that are in the scope. */
export const tasksInScope = (scope: RunScope, step: PlanStep): readonly ModelTask[] =>
  tasksOfStep(step).filter((task) => scope.has(task));

/** Which calls a run makes of each slide. */
export interface VisualScope {
  readonly tasks: readonly ModelTask[];
}

/** Which calls a run of this scope makes of each slide. */
export const visualScope = (scope: RunScope): VisualScope => ({
  tasks: tasksInScope(scope, 'slides'),
});

/** Calls that a run makes of slides. */
export function visualCalls(scope: VisualScope, slideNumbers: readonly number[]): CallSubject[] {
  return slideNumbers.flatMap((slideNumber) => scope.tasks.map((task) => callSubject(task, { slideNumber })));
}

/** Extraction fields in the scope. */
export const fieldsInScope = (scope: RunScope): readonly ExtractionField[] =>
  EXTRACTION_FIELDS.filter((field) => scope.has(taskOfField(field)));

/** Specialised readings in the scope. */
export const kindsInScope = (scope: RunScope): readonly SpecialisedKind[] =>
  SPECIALISED_KINDS.filter((kind) => scope.has(taskOfSpecialised(kind)));

/** True when the task belongs to the stage or to something that is built on it. */
export const isTaskFrom = (task: ModelTask, stage: Stage): boolean => stagesFrom(stage).has(MODEL_TASKS[task].stage);

/** The tasks of a name: one model task, or all of a stage. Empty for a name that is neither. */
export const tasksNamed = (name: string): readonly ModelTask[] =>
  MODEL_TASK_NAMES.filter((task) => task === name || MODEL_TASKS[task].stage === name);

/** Names {@link tasksNamed} knows, stages first. */
export const TASK_OR_STAGE_NAMES: readonly string[] = [
  ...STAGES.filter((stage) => tasksNamed(stage).length > 0),
  ...MODEL_TASK_NAMES,
];

/** True when a run of this scope stores values, answers or readings with quotes. */
export const hasQuotes = (scope: RunScope): boolean =>
  (['extractions', 'answers', 'specialised'] as const).some((step) => tasksInScope(scope, step).length > 0);
