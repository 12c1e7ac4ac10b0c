/**
 * What a model has to answer, by kind of result. Several tasks can ask for one kind: an extracted value, a specialised reading.
 *
 * Output schemas stay within the JSON-Schema keywords that Ollama enforces (integers instead of floats, bounded strings and arrays, evidence
 * before verdict because property order is kept while generating).
 */
import { z } from 'zod';
import { ANSWERING } from '../evidence/answering.ts';
import { profileSchema, quotesOfProfile } from '../profile/schema.ts';

/** A claim's anchor in the deck: slide number and verbatim words of that slide. */
export const evidenceItemSchema = z.object({
  slide: z.int().min(1).max(500),
  quote: z.string().max(300),
  /** The built-in reader's own judgement. No model is asked for it, and one that says it anyway is not believed. */
  answering: z.enum(ANSWERING).optional().meta({ readOnly: true }),
});

/** Slugs of the sectors a deck can be classified into; `other` means outside health. */
export const SECTOR_SLUGS = [
  'digital_therapeutics',
  'healthcare_infrastructure',
  'telemedicine',
  'diagnostics_devices',
  'biotech_pharma',
  'health_data_ai',
  'consumer_health',
  'healthcare_marketplaces',
  'other',
] as const;
export type SectorSlug = (typeof SECTOR_SLUGS)[number];

/** What the model reports about one slide image. `legible: false` = nothing could be read; then every other field is empty. */
export const describeSlideSchema = z.object({
  legible: z.boolean(),
  title: z.string().max(200),
  visibleText: z.string().max(1800),
  figures: z
    .array(
      z.object({
        kind: z.enum(['chart', 'table', 'diagram', 'photo', 'logo', 'other']),
        description: z.string().max(400),
      }),
    )
    .max(8),
  summary: z.string().max(400),
});

/** Ten-second comprehension check of one slide; `feedback` is empty when nothing is wrong. */
export const slideFeedbackSchema = z.object({
  legible: z.boolean(),
  hasIssues: z.boolean(),
  feedback: z.string().max(500),
});

/** One value looked for in the whole deck. `stated: false` = the deck does not say; then `value` is empty, and `evidence` has at most words that say there is none. */
export const extractValueSchema = z.object({
  evidence: z.array(evidenceItemSchema).max(2),
  stated: z.boolean(),
  value: z.string().max(300),
});

/** Sector of the company; confidence in percent. */
export const classifySectorSchema = z.object({
  reasoning: z.string().max(600),
  keywords: z.array(z.string().max(40)).max(8),
  sector: z.enum(SECTOR_SLUGS),
  secondarySector: z.enum([...SECTOR_SLUGS, 'none']),
  confidencePercent: z.int().min(0).max(100),
  /** False where the deck has too little text to tell its sector. Said by the built-in reader; no model is asked for it. */
  sectorKnown: z.boolean().optional().meta({ readOnly: true }),
});

/** Answer to one template question from the deck alone. */
export const answerQuestionSchema = z.object({
  evidence: z.array(evidenceItemSchema).max(4),
  covered: z.enum(['yes', 'partly', 'no']),
  answer: z.string().max(1200),
});

/** How much information the deck gives for one question, 0 (nothing) to 7 (complete, specific, evidenced). */
export const scoreAnswerSchema = z.object({
  rationale: z.string().max(600),
  score: z.int().min(0).max(7),
  /** False where no quote of the answer bears on the question. Said by the built-in reader; for a model the score says it. */
  supported: z.boolean().optional().meta({ readOnly: true }),
});

/** Properties that only the built-in reader adds: its judgement on its own results. In no schema that a model gets. */
export const READER_PROPERTIES: readonly string[] = [
  evidenceItemSchema,
  scoreAnswerSchema,
  classifySectorSchema,
  profileSchema.out,
].flatMap(({ shape }) =>
  Object.entries<z.ZodType>(shape).flatMap(([name, property]) => (property.meta()?.readOnly === true ? [name] : [])),
);

/** A specialised reading (clinical, regulatory, scientific) of the whole deck. */
export const specialisedAnalysisSchema = z.object({
  evidence: z.array(evidenceItemSchema).max(6),
  covered: z.enum(['yes', 'partly', 'no']),
  points: z.array(z.object({ heading: z.string().max(80), text: z.string().max(500) })).max(8),
  summary: z.string().max(800),
});

/** The sentences of one slide that must survive when the deck does not fit the model's window; verbatim, so quotes stay checkable. */
export const condenseSlideSchema = z.object({
  keySentences: z.array(z.string().max(300)).max(6),
});

export type DescribeSlideOutput = z.infer<typeof describeSlideSchema>;
export type SlideFeedbackOutput = z.infer<typeof slideFeedbackSchema>;
export type ExtractValueOutput = z.infer<typeof extractValueSchema>;
export type ClassifySectorOutput = z.infer<typeof classifySectorSchema>;
export type AnswerQuestionOutput = z.infer<typeof answerQuestionSchema>;
export type ScoreAnswerOutput = z.infer<typeof scoreAnswerSchema>;
export type SpecialisedAnalysisOutput = z.infer<typeof specialisedAnalysisSchema>;
export type CondenseSlideOutput = z.infer<typeof condenseSlideSchema>;
export type EvidenceItem = z.infer<typeof evidenceItemSchema>;

/** Schema of each kind of result. The kind says into which rows a result is written (`activities/models`), and is part of its gap's name. */
export const RESULT_SCHEMAS = {
  description: describeSlideSchema,
  feedback: slideFeedbackSchema,
  condensation: condenseSlideSchema,
  extraction: extractValueSchema,
  classification: classifySectorSchema,
  answer: answerQuestionSchema,
  score: scoreAnswerSchema,
  specialised: specialisedAnalysisSchema,
  profile: profileSchema,
} as const satisfies Record<string, z.ZodType>;
export type ResultKind = keyof typeof RESULT_SCHEMAS;
/** Answer of a kind, as its schema reads it. */
export type ResultOf<Kind extends ResultKind> = z.infer<(typeof RESULT_SCHEMAS)[Kind]>;

/** The quotes of a result; none for a kind without. */
export function quotesOfResult(output: ResultOf<ResultKind>): readonly EvidenceItem[] {
  if ('evidence' in output) return output.evidence;
  return 'use_of_funds' in output ? quotesOfProfile(output) : [];
}
