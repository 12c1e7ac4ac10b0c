/** Documents of the analysis routes. */
import { z } from '@hono/zod-openapi';
import { LANGUAGES, MODEL_PROFILES, TASK_TYPES } from '../../../domain/models/model-tasks.ts';
import { DEFAULT_PRIORITY } from '../../../domain/decks/priority.ts';
import { STAGES } from '../../../domain/decks/stage-graph.ts';
import type { DeckProgress } from '../../../domain/decks/progress.ts';
import { REPLAY_KINDS } from '../../../domain/decks/replay/choices.ts';
import { parseDeadline } from '../../../domain/decks/deadline.ts';
import { asDeckhandError } from '../../../domain/errors.ts';
import { ROLLOUT_SIDES } from '../../../domain/rollouts/assignment.ts';
import { parseSince } from '../../../domain/text/words.ts';
import { ANALYSIS_STATUSES, reportGapSchema } from '../../../domain/decks/report.ts';

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
    models: z
      .enum(MODEL_PROFILES)
      .optional()
      .openapi({ description: 'Which models answer; the configured ones by default.' }),
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
export type AnalysisEvent =
  | { readonly type: 'progress'; readonly data: AnalysisStatusDocument }
  | { readonly type: 'stage'; readonly data: { readonly stage: string } }
  | { readonly type: 'gap'; readonly data: z.infer<typeof gapEventSchema> }
  | { readonly type: 'finished'; readonly data: AnalysisStatusDocument };
