/** Documents of the rollout routes. */
import { z } from '@hono/zod-openapi';
import { catalogName } from '../../domain/models/catalog/catalog.ts';
import { TASK_OR_STAGE_NAMES } from '../../domain/decks/run-scope.ts';
import { ROLLOUT_STATES } from '../../domain/rollouts/assignment.ts';
import { json, jsonBody, nameParam, problems, route } from '../http/definition.ts';

const name = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,59}$/, 'write lower-case letters, digits and hyphens')
  .openapi({ description: 'Lower-case letters, digits and hyphens.' });

/** A rollout that is started, or whose share is changed. */
export const newRolloutSchema = z
  .strictObject({
    name,
    profile: catalogName.optional().openapi({
      description:
        'Model profile of the candidate: another than the installation’s needs a pool whose `models` in the fleet file are it.',
    }),
    models: z
      .record(z.string(), z.string().min(1).max(100))
      .default({})
      .openapi({
        description: `Models of the candidate by task, or by stage for all of its tasks. One of: ${TASK_OR_STAGE_NAMES.join(', ')}.`,
      }),
    pool: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .openapi({ description: 'Pool of the candidate: one with `ownQueues` in the fleet file.' }),
    percent: z
      .number()
      .min(0)
      .max(100)
      .optional()
      .openapi({ description: 'Share of the decks, 0 to 100; 100 where tenants are named and this is not.' }),
    tenants: z
      .array(z.string().min(1).max(100))
      .max(1000)
      .optional()
      .openapi({ description: 'Only decks of these tenants; empty: of every one.' }),
  })
  .openapi('NewRollout');
export type NewRollout = z.infer<typeof newRolloutSchema>;

const stamp = z.iso.datetime();

const rolloutFields = z.object({
  name: z.string(),
  state: z.enum(ROLLOUT_STATES),
  candidate: z.object({
    /** Null: the profile that the analysis would have had. */
    profile: z.string().nullable(),
    models: z.array(z.object({ task: z.string(), model: z.string() })),
    /** Null: every pool. */
    pool: z.string().nullable(),
  }),
  percent: z.number(),
  /** Empty: every tenant. */
  tenants: z.array(z.string()),
  startedBy: z.string(),
  startedAt: stamp,
  changedBy: z.string(),
  changedAt: stamp,
  endedBy: z.string().nullable(),
  endedAt: stamp.nullable(),
});
export const rolloutSchema = rolloutFields.openapi('Rollout');
export type RolloutDocument = z.infer<typeof rolloutSchema>;

export const rolloutListSchema = z.object({ items: z.array(rolloutSchema) }).openapi('RolloutList');

/** What the full reviews of one side amount to. Shares and means are null where there is nothing to take them of. */
export const sideSchema = z
  .object({
    analyses: z.int(),
    /** Queued or running. */
    open: z.int(),
    completed: z.int(),
    completedWithGaps: z.int(),
    failed: z.int(),
    cancelled: z.int(),
    /** Of the completed ones, also in what follows. */
    slides: z.int(),
    /** From the start of the run to its end. */
    secondsPerSlide: z.number().nullable(),
    /** That models worked on calls that no stored result answered. */
    modelSecondsPerSlide: z.number().nullable(),
    /** As the ledger has booked it; null while nothing is booked. */
    costUsdPerSlide: z.number().nullable(),
    score: z.number().nullable().openapi({ description: 'Mean of the overall scores, 0 to 7.' }),
    quotes: z.int(),
    /** Of the quotes, those that were found on their slide. */
    verifiedShare: z.number().nullable(),
    /** Scores that people gave, beside the machine's at that time. */
    verdicts: z.object({ compared: z.int(), equal: z.int(), meanAbsoluteDifference: z.number().nullable() }),
  })
  .openapi('RolloutSide');
export type RolloutSideDocument = z.infer<typeof sideSchema>;

export const rolloutComparisonSchema = rolloutFields
  .extend({
    sides: z.object({ candidate: sideSchema, baseline: sideSchema }),
    /** Decks with a scored review of the candidate and one without it. */
    sameDecks: z.object({
      decks: z.int(),
      scoreDifference: z
        .number()
        .nullable()
        .openapi({ description: 'Mean of candidate minus the other, newest each.' }),
    }),
  })
  .openapi('RolloutComparison');
export type RolloutComparison = z.infer<typeof rolloutComparisonSchema>;

export const startRoute = route('post', '/rollouts', {
  summary:
    'Start a rollout, change its share, or start an ended one again. It holds for analyses that start from now on.',
  description:
    'The hash of the tenant and the deck decides which decks the candidate gets: always the same ones, and a higher percentage only adds decks. A replay, and an analysis that names another profile than the installation uses, are part of no rollout.',
  request: { body: jsonBody(newRolloutSchema) },
  responses: {
    200: json(rolloutSchema, 'Its share is changed, or it is active again.'),
    201: json(rolloutSchema, 'It is started.'),
    ...problems(400, 404, 409, 422),
  },
});

export const listRoute = route('get', '/rollouts', {
  summary: 'All rollouts, newest first.',
  responses: { 200: json(rolloutListSchema, 'All of them.') },
});

export const showRoute = route('get', '/rollouts/{name}', {
  summary: 'One rollout with both sides compared.',
  request: { params: nameParam },
  responses: { 200: json(rolloutComparisonSchema, 'The comparison.'), ...problems(404) },
});

export const stopRoute = route('post', '/rollouts/{name}/stop', {
  summary: 'End a rollout: analyses that start from now on are as without it, running ones finish as they began.',
  request: { params: nameParam },
  responses: { 200: json(rolloutSchema, 'It is ended.'), ...problems(404) },
});
