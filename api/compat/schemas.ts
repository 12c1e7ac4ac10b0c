/**
 * Documents of the compatibility layer: the endpoints that the container document names, as one request and one answer. What an answer holds
 * are parts of the report.
 */
import { z } from '@hono/zod-openapi';
import { catalogName } from '../../domain/models/catalog/catalog.ts';
import { templateSchema } from '../decks/analyses/schemas.ts';
import { healthSchema } from '../http/liveness-schemas.ts';
import { DEFAULT_PRIORITY } from '../../domain/decks/priority.ts';
import {
  analysisReportSchema,
  reportChapterSchema,
  reportGapSchema,
  reportSlideSchema,
  reportProfileSchema,
  reportSpecialisedSchema,
  reportValueSchema,
} from '../../domain/decks/report.ts';
import { ANALYSIS_STATUSES } from '../../domain/decks/list/kinds.ts';
import { GPU_CLASSES, LANGUAGES, SPECIALISED_KINDS, TASK_TYPES } from '../../domain/models/model-tasks.ts';
import type { TaskType } from '../../domain/models/model-tasks.ts';

/** Names of extractions in the address, short and as the container document writes the task. */
export const EXTRACTIONS = {
  company_offering: 'company_offering_extraction',
  company_offering_extraction: 'company_offering_extraction',
  startup_name: 'startup_name_extraction',
  startup_name_extraction: 'startup_name_extraction',
  healthcare_classification: 'healthcare_classification',
  funding_amount: 'funding_amount_extraction',
  funding_amount_extraction: 'funding_amount_extraction',
  deck_date: 'deck_date_extraction',
  deck_date_extraction: 'deck_date_extraction',
} as const satisfies Record<string, TaskType>;
export const EXTRACTION_NAMES = Object.keys(EXTRACTIONS) as (keyof typeof EXTRACTIONS)[];

/** Largest PDF or picture inside a document, in bytes: it is held in memory. Larger PDFs are uploaded. */
export const MAX_INLINE_BYTES = 20 * 1024 * 1024;
/** Longest wait for a result within one request, in seconds. */
const MAX_WAIT_SEC = 300;
const DEFAULT_WAIT_SEC = 30;

const base64 = (description: string) => z.string().min(1).openapi({ format: 'byte', description });

/** The deck that a task is about, and how it is read. */
const requestFields = {
  deckId: z.string().min(1).max(100).optional().openapi({ description: 'A deck that is stored already.' }),
  pdf: base64(
    'A deck as PDF, in base64, of at most 20 MiB. Larger ones: POST /api/v1/decks, then `deckId`.',
  ).optional(),
  image: base64(
    'One slide as PNG, JPEG or WebP, in base64, of at most 20 MiB. It is stored as a deck of one slide.',
  ).optional(),
  fileName: z.string().min(1).max(200).optional().openapi({ description: 'Name of the PDF or picture, for people.' }),
  language: z.enum(LANGUAGES).default('en'),
  models: catalogName.optional().openapi({ description: 'Model profile that answers; the default one by default.' }),
  priority: z.int().min(1).max(5).default(DEFAULT_PRIORITY).openapi({ description: '1 (critical) … 5 (batch)' }),
};

const ONE_SOURCE = 'give exactly one of deckId, pdf and image';
const hasOneSource = (body: {
  readonly deckId?: string | undefined;
  readonly pdf?: string | undefined;
  readonly image?: string | undefined;
}): boolean => [body.deckId, body.pdf, body.image].filter((source) => source !== undefined).length === 1;

/** What a task is asked about. */
export const taskBodySchema = z
  .strictObject(requestFields)
  .refine(hasOneSource, ONE_SOURCE)
  .openapi('CompatibleTaskRequest');
/** The same for the questions of a template. */
export const templateBodySchema = z
  .strictObject({
    ...requestFields,
    template: templateSchema,
  })
  .refine(hasOneSource, ONE_SOURCE)
  .openapi('CompatibleTemplateRequest');
/** The same for one specialised reading. */
export const specialisedBodySchema = z
  .strictObject({ ...requestFields, type: z.enum(SPECIALISED_KINDS) })
  .refine(hasOneSource, ONE_SOURCE)
  .openapi('CompatibleSpecialisedRequest');
export type TaskBody = z.infer<typeof taskBodySchema>;

/** How long a request waits for its result. */
export const waitQuery = z.object({
  waitSec: z.coerce.number<number>().int().min(0).max(MAX_WAIT_SEC).default(DEFAULT_WAIT_SEC).openapi({
    description: 'Seconds to wait for the result; without it then, the answer is 202 with the address to ask.',
  }),
});

const provenance = reportSpecialisedSchema.shape.provenance;
const { sector, template, overall } = analysisReportSchema.shape;

export const describedSlideSchema = reportSlideSchema
  .pick({ number: true, title: true, summary: true, legible: true, figures: true, imageUrl: true, failure: true })
  .extend({ provenance });
export const judgedSlideSchema = reportSlideSchema
  .pick({ number: true, hasIssues: true, feedback: true, imageUrl: true, failure: true })
  .extend({ provenance });
const visualSchema = z.object({ slides: z.array(describedSlideSchema) });
const feedbackSchema = z.object({ slides: z.array(judgedSlideSchema) });
const templateResultSchema = z.object({ template, overall, chapters: z.array(reportChapterSchema) });

/** What a task found: the part of the report that it fills. */
export const taskResultSchema = z.union([
  visualSchema,
  feedbackSchema,
  reportValueSchema,
  sector,
  templateResultSchema,
  reportSpecialisedSchema,
  reportProfileSchema,
]);
export type TaskResult = z.infer<typeof taskResultSchema>;

/** The answer of every endpoint, finished or not. */
export const taskAnswerSchema = z
  .object({
    /** Id of the analysis; all routes of analyses know it. */
    id: z.string(),
    task: z.enum(TASK_TYPES),
    status: z.enum(ANALYSIS_STATUSES),
    deckId: z.string(),
    /** Where the answer is: the same document, later. */
    url: z.string(),
    /** From the request to the last stored result; null while it runs. */
    seconds: z.number().nullable(),
    result: taskResultSchema.nullable().openapi({
      description: 'Null while it runs. Its fields are those of the report, /api/v1/analyses/{id}/report.',
    }),
    /** What could not be computed, with the reason. */
    gaps: z.array(reportGapSchema),
    /** What answered: by task, model and host. */
    provenance: z.array(
      z.object({
        task: z.string(),
        model: z.string(),
        digest: z.string(),
        host: z.string(),
        calls: z.int(),
        /** That the model worked on these calls, when they were made. */
        seconds: z.number(),
      }),
    ),
  })
  .openapi('CompatibleTask');
export type TaskAnswer = z.infer<typeof taskAnswerSchema>;

/** What is ready to work, and what waits. */
export const compatibleHealthSchema = z
  .object({
    ...healthSchema.shape,
    /** Models that a host serves at this moment; empty while every GPU sleeps. */
    models: z.array(z.object({ name: z.string(), hosts: z.int() })),
    /** Calls of this tenant that no model has answered yet, by class. */
    queue: z.array(z.object({ class: z.enum(GPU_CLASSES), waiting: z.int() })),
  })
  .openapi('CompatibleHealth');
