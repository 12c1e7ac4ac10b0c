/** Documents of the replay routes. */
import { z } from '@hono/zod-openapi';
import { DeckhandError } from '../../../domain/errors.ts';
import type { ModelTask } from '../../../domain/models/model-tasks.ts';
import { STAGES } from '../../../domain/decks/stage-graph.ts';
import { REPLAY_KINDS } from '../../../domain/decks/replay/choices.ts';
import { replayPlanSchema } from '../../../domain/decks/replay/plan.ts';
import { TASK_OR_STAGE_NAMES, tasksNamed } from '../../../domain/decks/run-scope.ts';
import { isFinished } from '../../../domain/decks/report.ts';
import { ANALYSIS_STATUSES } from '../../../domain/decks/list/kinds.ts';
import { analysisSummarySchema, sinceSchema, idempotencyHeader } from '../analyses/schemas.ts';
import { idParam, json, jsonBody, named, optionalJsonBody, problems, route } from '../../http/definition.ts';

const FINISHED = ANALYSIS_STATUSES.filter(isFinished);

/** What one and many have in common. */
const choices = {
  kind: z.enum(REPLAY_KINDS).default('full').openapi({
    description:
      '`full`: everything is planned again, stored results stand. `gaps`: only what failed is computed, what was built without it stays.',
  }),
  from: z
    .enum(STAGES)
    .nullable()
    .default(null)
    .openapi({ description: 'This stage and what is built on it are computed anew although results are stored.' }),
  models: z
    .record(z.string(), z.string().min(1).max(100).nullable())
    .default({})
    .openapi({
      description: `Another model for a task or for all tasks of a stage; null = the configured one again. One of: ${TASK_OR_STAGE_NAMES.join(', ')}.`,
    }),
  template: z
    .string()
    .min(1)
    .max(100)
    .nullable()
    .optional()
    .openapi({ description: 'Template slug; null: the sector decides. By default that of the analysis.' }),
  priority: z.int().min(1).max(5).optional().openapi({ description: 'By default that of the analysis.' }),
  dryRun: z.boolean().default(false).openapi({ description: 'Start nothing; say what would be computed.' }),
};

export const replayBodySchema = z
  .strictObject({
    ...choices,
    items: z
      .array(
        z.union([
          z.strictObject({ slide: z.int().min(1).max(500) }),
          z.strictObject({ question: z.string().min(1).max(100) }),
        ]),
      )
      .max(100)
      .default([])
      .openapi({
        description: 'Only with kind `gaps`: fill what is missing of these slides and questions (id or slug).',
      }),
  })
  .openapi('Replay');

export const bulkBodySchema = z
  .strictObject({
    status: z.array(z.enum(FINISHED)).min(1).openapi({ description: 'Analyses in one of these states.' }),
    since: sinceSchema.optional(),
    deck: z.string().max(100).optional(),
    limit: z.int().min(1).max(200).default(100).openapi({ description: 'Replays started at most.' }),
    again: z
      .boolean()
      .default(false)
      .openapi({ description: 'Also analyses that are themselves replays of the same choices.' }),
    ...choices,
  })
  .openapi('BulkReplay');

export const replayPlanDocumentSchema = named(replayPlanSchema, 'ReplayPlan');

/**
 * Outcome for one analysis: `started`, or in a dry run `planned`; `running` and `replayed`: there is a replay with the same choices that runs
 * or is finished; `is_replay`: it is one itself; `unreadable`: its file cannot be read; `refused`: it cannot be replayed.
 */
export const BULK_OUTCOMES = [
  'started',
  'planned',
  'running',
  'replayed',
  'is_replay',
  'unreadable',
  'refused',
] as const;

/** `.nullable()` of a schema that has a name of its own gives a document that refuses null. */
const orNull = <S extends z.ZodType>(schema: S) => z.union([schema, z.null()]);

export const replayBatchSchema = z
  .object({
    dryRun: z.boolean(),
    items: z.array(
      z.object({
        analysisId: z.string(),
        fileName: z.string(),
        status: z.enum(ANALYSIS_STATUSES),
        outcome: z.enum(BULK_OUTCOMES),
        /** The replay that was started or is there; null without one. */
        replay: orNull(analysisSummarySchema),
        plan: orNull(replayPlanDocumentSchema),
        refusal: z.object({ code: z.string(), message: z.string() }).nullable(),
      }),
    ),
    /** True when the limit was reached before all analyses were looked at. */
    more: z.boolean(),
  })
  .openapi('ReplayBatch');
export type ReplayBatch = z.infer<typeof replayBatchSchema>;

/**
 * Models by task, from names of tasks and stages; a task's own name counts more than its stage's.
 *
 * @throws DeckhandError `invalid_request` for a name that is neither
 */
export function modelsByTask(
  named: Readonly<Record<string, string | null>>,
): Partial<Record<ModelTask, string | null>> {
  const resolved = Object.entries(named).map(([name, model]) => {
    const tasks = tasksNamed(name);
    if (tasks.length > 0) return { tasks, model };
    throw new DeckhandError('invalid_request', `${name} is no task`, {
      userMessage: `models: there is no task or stage called ${name}`,
      hint: `One of: ${TASK_OR_STAGE_NAMES.join(', ')}.`,
    });
  });
  const widestFirst = resolved.toSorted((a, b) => b.tasks.length - a.tasks.length);
  return Object.fromEntries(widestFirst.flatMap(({ tasks, model }) => tasks.map((task) => [task, model])));
}

export const replayRoute = route('post', '/analyses/{id}/replay', {
  summary: 'Replay an analysis as a new one: stored results are kept, what is missing is computed.',
  request: { params: idParam, headers: idempotencyHeader, body: optionalJsonBody(replayBodySchema) },
  responses: {
    200: json(
      z.union([replayPlanDocumentSchema, analysisSummarySchema]),
      'The plan of a dry run, or the replay that the same Idempotency-Key started before.',
    ),
    202: json(analysisSummarySchema, 'The replay is started.'),
    ...problems(400, 404, 409, 422, 503),
  },
});

export const bulkRoute = route('post', '/replays', {
  summary: 'Replay every analysis that a filter finds. Repeating it starts nothing twice.',
  request: { body: jsonBody(bulkBodySchema) },
  responses: {
    200: json(replayBatchSchema, 'The outcome for each analysis, oldest first.'),
    ...problems(400, 404, 422, 503),
  },
});
