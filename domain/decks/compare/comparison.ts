/**
 * The comparison document: the values in which two analyses differ, and the differences in how they were made.
 *
 * Equal values are counted, not listed. Swapping the two analyses swaps `a` and `b` everywhere and changes nothing else.
 */
import { z } from 'zod';
import { LANGUAGES } from '../../models/model-tasks.ts';
import { analysisReportSchema, reportGapSchema } from '../report.ts';
import { ANALYSIS_STATUSES } from '../list/kinds.ts';
import type { Part } from './parts.ts';

const text = z.string();
const nullable = <T extends z.ZodType>(schema: T): z.ZodNullable<T> => schema.nullable();

/** A single value of a report. Lists of words are one value, joined by commas. */
const scalar = z.union([text, z.number(), z.boolean()]).nullable();
export type Scalar = z.infer<typeof scalar>;

/** One value that differs. Null: that analysis has no such value. */
export const changeSchema = z.object({
  /** Name within the item, such as `score`, `failure.code` or `points[2].text`. */
  field: text,
  /** Set when the value is the verdict on a quote (or the verdict's reason): which quote. */
  quote: nullable(z.object({ slide: z.int().min(1), text })),
  a: scalar,
  b: scalar,
});
export type Change = z.infer<typeof changeSchema>;

/** One difference in how a value was made. */
export const provenanceChangeSchema = z.object({
  /** The model task that made it. */
  task: text,
  /** Such as `model`, `promptVersion` or `options.temperature`; `contentKey` when what went into the call differs in any way. */
  field: text,
  a: scalar,
  b: scalar,
});
export type ProvenanceChange = z.infer<typeof provenanceChangeSchema>;

/** One item of a report, such as a question or a slide, with its differences. */
export const comparedItemSchema = z.object({
  /** Key by which the two were matched; unique within its part. */
  key: text,
  /** For people, as the newer of the two analyses has it. */
  name: text,
  /** `a` or `b`: only that analysis has it. */
  presence: z.enum(['both', 'a', 'b']),
  changes: z.array(changeSchema),
  provenance: z.array(provenanceChangeSchema),
});
export type ComparedItem = z.infer<typeof comparedItemSchema>;

const items = z.array(comparedItemSchema);

/** One of the two analyses. */
export const comparedRunSchema = z.object({
  analysisId: text,
  status: z.enum(ANALYSIS_STATUSES),
  /** False: compared as far as it is. */
  finished: z.boolean(),
  createdAt: z.iso.datetime(),
  language: z.enum(LANGUAGES),
  deck: z.object({ id: text, fileName: text, sha256: text }),
  company: nullable(text),
  /** Name of the engine, for people. */
  engine: nullable(text),
  template: nullable(z.object({ slug: text, version: nullable(z.int()) })),
  overallScore: nullable(z.number()),
  /** Set for a replay; not compared. */
  replay: analysisReportSchema.shape.replay,
});
export type ComparedRun = z.infer<typeof comparedRunSchema>;

/** Why results may differ: one difference in how they were made, with the number of its results. */
export const comparisonReasonSchema = z.object({
  task: text,
  /**
   * A provenance field; or `anew`: a replay computed it anew although a result was stored (`--from`); or `input`: no field differs, so the
   * call's input does.
   */
  field: text,
  a: scalar,
  b: scalar,
  results: z.int().min(1),
});
export type ComparisonReason = z.infer<typeof comparisonReasonSchema>;

/** The whole document. */
export const comparisonSchema = z.object({
  a: comparedRunSchema,
  b: comparedRunSchema,
  sameDeck: z.boolean(),
  /** Values that are the same in both. */
  equal: z.int().min(0),
  /** Values that differ. */
  changed: z.int().min(0),
  reasons: z.array(comparisonReasonSchema),
  parts: z.object({
    /** Language, template, engine, state. */
    run: items,
    deck: items,
    overall: items,
    extractions: items,
    profile: items,
    classification: items,
    chapters: items,
    questions: items,
    specialised: items,
    slides: items,
    steering: items,
    contradictions: items,
  } satisfies Record<Part, typeof items>),
  gaps: z.object({
    /** Only the second analysis has them. */
    opened: z.array(reportGapSchema),
    /** Only the first analysis has them. */
    closed: z.array(reportGapSchema),
    /** Both have them, with another reason. */
    changed: items,
  }),
});
export type Comparison = z.infer<typeof comparisonSchema>;
