/** The graph that a run, a dry run, a retry and a replay walk holds together. */
import { describe, expect, it } from 'vitest';
import {
  fieldsInScope,
  FULL_SCOPE,
  kindsInScope,
  scopeOfTask,
  tasksInScope,
  visualCalls,
  visualScope,
} from '../../../domain/decks/run-scope.ts';
import { PLAN_STEPS, STAGE_GRAPH, STAGES, stagesAfter, type PlanStep } from '../../../domain/decks/stage-graph.ts';
import { MODEL_TASK_NAMES, MODEL_TASKS, TASK_TYPES } from '../../../domain/models/model-tasks.ts';

const steps = Object.keys(PLAN_STEPS) as PlanStep[];

describe('the stage graph', () => {
  it('lists every stage behind those that it is built on', () => {
    for (const stage of STAGES) {
      for (const before of STAGE_GRAPH[stage].builtOn)
        expect(STAGES.indexOf(before)).toBeLessThan(STAGES.indexOf(stage));
    }
    expect(STAGES.filter((stage) => stagesAfter(stage).length === 0)).toEqual(['review']);
  });

  it('has every step in one stage, and every step makes a task', () => {
    expect(STAGES.flatMap((stage) => STAGE_GRAPH[stage].steps)).toEqual(steps);
    for (const step of steps) expect(tasksInScope(FULL_SCOPE, step)).not.toEqual([]);
  });

  it('plans a task only after those whose results it reads', () => {
    const positionOf = (task: (typeof MODEL_TASK_NAMES)[number]): number => steps.indexOf(MODEL_TASKS[task].step);
    for (const task of MODEL_TASK_NAMES) {
      for (const read of MODEL_TASKS[task].readsResultsOf) expect(positionOf(read)).toBeLessThan(positionOf(task));
    }
  });
});

describe('the scope of a task type', () => {
  it.each([
    ['visual_analysis', ['describe_slide']],
    ['slide_feedback', ['slide_feedback']],
    ['company_offering_extraction', ['describe_slide', 'extract_offering', 'condense_slide']],
    ['healthcare_classification', ['describe_slide', 'extract_offering', 'classify_sector', 'condense_slide']],
    [
      'template_analysis',
      ['describe_slide', 'extract_offering', 'classify_sector', 'answer_question', 'score_answer', 'condense_slide'],
    ],
    ['specialized_science', ['describe_slide', 'specialised_science', 'condense_slide']],
  ] as const)('%s holds its tasks and what they read', (type, tasks) => {
    const scope = scopeOfTask(type);
    expect(MODEL_TASK_NAMES.filter((task) => scope.has(task))).toEqual(tasks);
  });

  it('is not empty for any, and the full review has all fields and readings', () => {
    for (const type of TASK_TYPES) expect(scopeOfTask(type).size).toBeGreaterThan(0);
    expect(fieldsInScope(FULL_SCOPE)).toEqual(['offering', 'company_name', 'funding', 'deck_date']);
    expect(kindsInScope(FULL_SCOPE)).toEqual(['clinical', 'regulatory', 'science']);
  });
});

it('the calls of slides are those of the scope, slide by slide', () => {
  const calls = visualCalls(visualScope(FULL_SCOPE), [2, 5]);
  expect(calls.map(({ task, slideNumber }) => `${task} ${slideNumber}`)).toEqual([
    'describe_slide 2',
    'slide_feedback 2',
    'describe_slide 5',
    'slide_feedback 5',
  ]);
});
