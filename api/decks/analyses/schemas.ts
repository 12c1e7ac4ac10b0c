/** Documents of the analysis routes. */
import { z } from '@hono/zod-openapi';
import { catalogName } from '../../../domain/models/catalog/catalog.ts';
import { LANGUAGES, TASK_TYPES } from '../../../domain/models/model-tasks.ts';
import { DEFAULT_PRIORITY } from '../../../domain/decks/priority.ts';
import { STAGES } from '../../../domain/decks/stage-graph.ts';
import type { DeckProgress } from '../../../domain/decks/progress.ts';
import { REPLAY_KINDS } from '../../../domain/decks/replay/choices.ts';
import { parseDeadline } from '../../../domain/decks/deadline.ts';
import { asDeckhandError } from '../../../domain/errors.ts';
import { ROLLOUT_SIDES } from '../../../domain/rollouts/assignment.ts';
import { parseSince } from '../../../domain/text/words.ts';
import { reportGapSchema } from '../../../domain/decks/report.ts';
import { ANALYSIS_STATUSES } from '../../../domain/decks/list/kinds.ts';
import { idParam, json, jsonBody, optionalJsonBody, pageQuery, problems, route, texts } from '../../http/definition.ts';

const stageCount = z.object({ done: z.int(), failed: z.int(), total: z.int() });

/** {@link DeckProgress} as it travels. */
export const progressSchema = z
  .object({
    stage: z.enum(STAGES),
    rendered: stageCount,
    slides: stageCount,
    extractions: stageCount,
    answers: stageCount,
    scores: stageCount,
    specialised: stageCount,
    cachedCalls: z.int(),
    modelCalls: z.int(),
    gaps: z.int(),
    paused: z.boolean(),
    waitingFor: z.string().nullable(),
  })
  .openapi('Progress') satisfies z.ZodType<DeckProgress>;

export const analysisSummarySchema = z
  .object({
    analysisId: z.string(),
    deckId: z.string(),
    fileName: z.string(),
    /** Null for the full review. */
    taskType: z.enum(TASK_TYPES).nullable(),
    language: z.enum(LANGUAGES),
    models: z.string(),
    /** 1 (critical) … 5 (batch). */
    priority: z.int(),
    template: z.string().nullable().openapi({ description: 'Requested template; null: the sector decides.' }),
    status: z.enum(ANALYSIS_STATUSES),
    stage: z.enum(STAGES).nullable(),
    overallScore: z.number().nullable(),
    failure: z.object({ code: z.string(), message: z.string() }).nullable(),
    replayOf: z.string().nullable().openapi({ description: 'The analysis this one replays.' }),
    replayKind: z.enum(REPLAY_KINDS).nullable().openapi({ description: '`gaps`: only what had failed was computed.' }),
    rollout: z
      .object({ name: z.string(), side: z.enum(ROLLOUT_SIDES) })
      .nullable()
      .openapi({ description: 'The rollout it was started in, and its side; fixed with its start.' }),
    workflowId: z.string(),
    /** Since when it is paused; null = it is not. */
    pausedAt: z.iso.datetime().nullable(),
    deadlineAt: z.iso
      .datetime()
      .nullable()
      .openapi({ description: 'The run ends then with what is stored; null: it has no deadline.' }),
    createdAt: z.iso.datetime(),
    startedAt: z.iso.datetime().nullable(),
    finishedAt: z.iso.datetime().nullable(),
  })
  .openapi('AnalysisSummary');
export type AnalysisSummary = z.infer<typeof analysisSummarySchema>;

export const analysisStatusSchema = analysisSummarySchema
  .extend({
    progress: progressSchema,
    /** `workflow`: asked from the run itself; `database`: counted from what is stored. */
    progressSource: z.enum(['workflow', 'database']),
    sends: z
      .object({
        counted: z.int().openapi({ description: 'Answered, failed or cut: three at most of each call.' }),
        lost: z.int().openapi({
          description: 'Lost with a machine, its gateway or the network, and sent again: five at most of each call.',
        }),
      })
      .openapi({ description: 'Requests of all its calls to models so far.' }),
    expected: z
      .object({
        place: z.int().nullable().openapi({ description: 'Place in line, 1 = the next one; null: it has begun.' }),
        seconds: z.number().openapi({ description: 'Until the review is there, decks before it included.' }),
        ownSeconds: z.number().openapi({ description: 'Of the deck alone, from its first call to its review.' }),
        promptTokens: z.int().openapi({ description: 'Tokens of all its prompts together.' }),
        readTokensPerSec: z.number().nullable().openapi({ description: 'What its model reads; null: not measured.' }),
      })
      .nullable()
      .openapi({ description: 'What it is expected to take; null before its pages are counted, and when it is over.' }),
  })
  .openapi('AnalysisStatus');
export type AnalysisStatusDocument = z.infer<typeof analysisStatusSchema>;

export const analysisPageSchema = z
  .object({ items: z.array(analysisSummarySchema), nextCursor: z.string().nullable() })
  .openapi('AnalysisPage');

/** Analyses by id, so that a client that waits for many sends one request. */
export const idsSchema = z
  .string()
  .max(8000)
  .transform((text) => text.split(',').filter((id) => id !== ''))
  .openapi({ type: 'string', description: 'Only these analyses: ids with commas between them.' });

/** A time to come: a duration from now, or a time with its zone. */
const deadlineSchema = z
  .string()
  .max(40)
  .superRefine((text, context) => {
    try {
      parseDeadline(text, Date.now());
    } catch (error) {
      const { userMessage, hint } = asDeckhandError(error);
      context.addIssue({ code: 'custom', message: hint === undefined ? userMessage : `${userMessage} ${hint}` });
    }
  })
  .openapi({
    type: 'string',
    description:
      'When the run ends with what it has: a duration from now (`90s`, `10m`, `2h`, `1d`) or a time with its zone ' +
      '(`2026-11-27T09:00Z`). What is missing then is a gap with code `deadline`.',
  });

/** Template of a run that is started. */
export const templateSchema = z
  .string()
  .min(1)
  .max(100)
  .nullable()
  .default(null)
  .openapi({ description: 'Template slug; null: the sector decides.' });

/** Choices of a run that is started. */
export const startBodySchema = z
  .strictObject({
    language: z.enum(LANGUAGES).default('en'),
    template: templateSchema,
    models: catalogName.optional().openapi({ description: 'Model profile that answers; the default one by default.' }),
    priority: z.int().min(1).max(5).default(DEFAULT_PRIORITY),
    deadline: deadlineSchema.nullable().default(null),
  })
  .openapi('StartAnalysis');

export const idempotencyHeader = z.object({
  'idempotency-key': z
    .string()
    .min(1)
    .max(200)
    .optional()
    .openapi({ description: 'The same key starts the same analysis once.' }),
});

/** A moment in the past: a duration that counts back from now, or a date. */
export const sinceSchema = z
  .string()
  .max(40)
  .transform((text, context) => {
    const since = parseSince(text, Date.now());
    if (since !== null) return since;
    context.issues.push({
      code: 'custom',
      input: text,
      message: 'since: write 2d, 36h, 90m or a date such as 2026-11-20',
    });
    return z.NEVER;
  })
  .openapi({ type: 'string', description: 'Created since then: `2d`, `36h`, `90m`, or a date.' });

/** Something not computed, with the id under which an event names it. */
export const gapEventSchema = reportGapSchema;

/** An event of an analysis. */
export const analysisEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('progress'), data: analysisStatusSchema }),
  z.object({ type: z.literal('stage'), data: z.object({ stage: z.string() }) }),
  z.object({ type: z.literal('gap'), data: gapEventSchema }),
  z.object({ type: z.literal('finished'), data: analysisStatusSchema }),
]);
export type AnalysisEvent = z.infer<typeof analysisEventSchema>;

const summary = (description: string) => json(analysisSummarySchema, description);

export const pauseRoute = route('post', '/analyses/{id}/pause', {
  summary: 'Pause an analysis: no more model calls are scheduled; those in flight finish and are stored.',
  request: { params: idParam },
  responses: {
    200: summary('It is paused already.'),
    202: summary('The run was asked to pause.'),
    ...problems(404, 409, 503),
  },
});

export const resumeRoute = route('post', '/analyses/{id}/resume', {
  summary: 'Resume a paused analysis.',
  request: { params: idParam },
  responses: {
    200: summary('It is not paused.'),
    202: summary('The run was asked to resume.'),
    ...problems(404, 409, 503),
  },
});

const priorityBody = z
  .strictObject({ priority: z.int().min(1).max(5).openapi({ description: '1 (critical) … 5 (batch)' }) })
  .openapi('ChangePriority');

export const priorityRoute = route('post', '/analyses/{id}/priority', {
  summary: 'Change the priority, also of calls that are queued and have not started.',
  request: { params: idParam, body: jsonBody(priorityBody) },
  responses: {
    200: summary('It has this priority already.'),
    202: summary('The run was asked to change it.'),
    ...problems(400, 404, 409, 503),
  },
});

const retryBody = z
  .union([
    z.strictObject({ slide: z.int().min(1) }),
    z.strictObject({ question: z.string().min(1).max(100).openapi({ description: 'Slug or id of the question' }) }),
  ])
  .openapi('RetryItem');

export const retryRoute = route('post', '/analyses/{id}/retry', {
  summary:
    'Retry what failed of one slide or question. For a finished analysis this starts a replay that fills only these gaps.',
  request: { params: idParam, body: jsonBody(retryBody) },
  responses: {
    202: summary(
      'The run was asked to retry it; or the replay of a finished analysis is started (`replayOf` names the analysis).',
    ),
    ...problems(400, 404, 409, 503),
  },
});

const startRequest = { headers: idempotencyHeader, body: optionalJsonBody(startBodySchema) };
const startResponses = {
  200: summary('The same Idempotency-Key started this analysis before.'),
  202: summary('The analysis is started.'),
  ...problems(400, 404, 409, 422, 503),
};

export const startRoute = route('post', '/decks/{id}/analyses', {
  summary: 'Start a full review of a deck.',
  request: { params: idParam, ...startRequest },
  responses: startResponses,
});

export const taskRoute = route('post', '/decks/{id}/tasks/{type}', {
  summary: 'Start one task type alone; what it depends on is computed too, unless it is stored.',
  request: { params: idParam.extend({ type: z.enum(TASK_TYPES) }), ...startRequest },
  responses: startResponses,
});

export const listRoute = route('get', '/analyses', {
  summary: 'Analyses, newest first.',
  request: {
    query: pageQuery.extend({
      status: z.enum(ANALYSIS_STATUSES).optional(),
      deck: z.string().max(100).optional(),
      since: sinceSchema.optional(),
      ids: idsSchema.optional(),
    }),
  },
  responses: { 200: json(analysisPageSchema, 'One page.'), ...problems(400) },
});

export const statusRoute = route('get', '/analyses/{id}', {
  summary: 'Status of an analysis with its progress per stage.',
  request: { params: idParam },
  responses: { 200: json(analysisStatusSchema, 'The status.'), ...problems(404) },
});

export const cancelRoute = route('post', '/analyses/{id}/cancel', {
  summary: 'Cancel an analysis. Stored results are kept.',
  request: { params: idParam },
  responses: {
    200: summary('It is cancelled already.'),
    202: summary('The run was asked to stop.'),
    ...problems(404, 409, 503),
  },
});

export const eventsRoute = route('get', '/analyses/{id}/events', {
  summary: 'Follow an analysis: events stage, progress, gap, finished.',
  request: { params: idParam },
  responses: {
    200: {
      description: 'Events until the analysis is finished. `progress` and `finished` carry an AnalysisStatus.',
      content: texts('text/event-stream'),
    },
    ...problems(404),
  },
});
