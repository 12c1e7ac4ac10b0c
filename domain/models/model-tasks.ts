/**
 * The kinds of model call Deckhand makes, one entry per kind: which GPU class serves it, what it must answer, how long it usually takes.
 *
 * One model call = one activity = one stored result. Output schemas stay within the JSON-Schema keywords that Ollama enforces (integers
 * instead of floats, bounded strings and arrays, evidence before verdict because property order is kept while generating).
 */
import { z } from 'zod';

/** A claim's anchor in the deck: slide number and verbatim words of that slide. */
export const evidenceItemSchema = z.object({
  slide: z.int().min(1).max(500),
  quote: z.string().max(300),
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

/** One value looked for in the whole deck. `stated: false` = the deck does not say; then `value` is empty and `evidence` too. */
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
});

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

/** Names of the class queues GPU workers pull from; also the classes a pool can serve. */
export const GPU_CLASSES = ['gpu-visual', 'gpu-text'] as const;
export type GpuClass = (typeof GPU_CLASSES)[number];

interface ModelTaskDefinition {
  readonly gpuClass: GpuClass;
  readonly schema: z.ZodType;
  /** Expected seconds of one call on the reference GPU, for demand that has no calls to measure by (gemma3:12b, research figure 20–30 s a page for two calls). */
  readonly expectedSeconds: number;
}

const define = (gpuClass: GpuClass, schema: z.ZodType, expectedSeconds: number): ModelTaskDefinition => ({
  gpuClass,
  schema,
  expectedSeconds,
});

/** Every kind of model call. The key is the `title` of the JSON schema sent as `format`. */
export const MODEL_TASKS = {
  describe_slide: define('gpu-visual', describeSlideSchema, 15),
  slide_feedback: define('gpu-visual', slideFeedbackSchema, 8),
  extract_offering: define('gpu-text', extractValueSchema, 6),
  extract_company_name: define('gpu-text', extractValueSchema, 4),
  extract_funding: define('gpu-text', extractValueSchema, 5),
  extract_deck_date: define('gpu-text', extractValueSchema, 4),
  classify_sector: define('gpu-text', classifySectorSchema, 6),
  answer_question: define('gpu-text', answerQuestionSchema, 12),
  score_answer: define('gpu-text', scoreAnswerSchema, 6),
  specialised_clinical: define('gpu-text', specialisedAnalysisSchema, 20),
  specialised_regulatory: define('gpu-text', specialisedAnalysisSchema, 20),
  specialised_science: define('gpu-text', specialisedAnalysisSchema, 20),
  condense_slide: define('gpu-text', condenseSlideSchema, 5),
} as const satisfies Record<string, ModelTaskDefinition>;

export type ModelTask = keyof typeof MODEL_TASKS;
export const MODEL_TASK_NAMES = Object.keys(MODEL_TASKS) as ModelTask[];

/** Tasks whose prompt holds the text of the whole deck. */
export const DECK_TASKS: readonly ModelTask[] = [
  'extract_offering',
  'extract_company_name',
  'extract_funding',
  'extract_deck_date',
  'classify_sector',
  'answer_question',
  'specialised_clinical',
  'specialised_regulatory',
  'specialised_science',
];

/** Fields the extraction stage looks for. */
export const EXTRACTION_FIELDS = ['offering', 'company_name', 'funding', 'deck_date'] as const;
export type ExtractionField = (typeof EXTRACTION_FIELDS)[number];

/** Specialised readings, made for health sectors. */
export const SPECIALISED_KINDS = ['clinical', 'regulatory', 'science'] as const;
export type SpecialisedKind = (typeof SPECIALISED_KINDS)[number];

/** The task types that can be started alone (S2 of the source documents names these eleven). */
export const TASK_TYPES = [
  'visual_analysis',
  'slide_feedback',
  'company_offering_extraction',
  'startup_name_extraction',
  'healthcare_classification',
  'funding_amount_extraction',
  'deck_date_extraction',
  'template_analysis',
  'specialized_clinical',
  'specialized_regulatory',
  'specialized_science',
] as const;
export type TaskType = (typeof TASK_TYPES)[number];

/** Output languages of a review. */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Which set of model configurations a run uses. */
export const MODEL_PROFILES = ['reader', 'ollama'] as const;
export type ModelProfile = (typeof MODEL_PROFILES)[number];

/** Which parts of the pipeline a run computes. */
export interface RunScope {
  readonly describe: boolean;
  readonly feedback: boolean;
  readonly fields: readonly ExtractionField[];
  readonly classify: boolean;
  readonly template: boolean;
  readonly specialised: readonly SpecialisedKind[];
}

/** The full review. Which specialised readings are really made depends on the sector. */
export const FULL_SCOPE: RunScope = {
  describe: true,
  feedback: true,
  fields: EXTRACTION_FIELDS,
  classify: true,
  template: true,
  specialised: SPECIALISED_KINDS,
};

const NOTHING: RunScope = {
  describe: false,
  feedback: false,
  fields: [],
  classify: false,
  template: false,
  specialised: [],
};

/**
 * Scope of a task started alone, with what it depends on: every text task needs the slides described, classification needs the
 * offering, the template needs the sector. Dependencies that are already stored cost nothing (content keys).
 */
export function scopeOfTask(type: TaskType): RunScope {
  const described = { ...NOTHING, describe: true };
  switch (type) {
    case 'visual_analysis':
      return described;
    case 'slide_feedback':
      return { ...NOTHING, feedback: true };
    case 'company_offering_extraction':
      return { ...described, fields: ['offering'] };
    case 'startup_name_extraction':
      return { ...described, fields: ['company_name'] };
    case 'funding_amount_extraction':
      return { ...described, fields: ['funding'] };
    case 'deck_date_extraction':
      return { ...described, fields: ['deck_date'] };
    case 'healthcare_classification':
      return { ...described, fields: ['offering'], classify: true };
    case 'template_analysis':
      return { ...described, fields: ['offering'], classify: true, template: true };
    case 'specialized_clinical':
      return { ...described, specialised: ['clinical'] };
    case 'specialized_regulatory':
      return { ...described, specialised: ['regulatory'] };
    case 'specialized_science':
      return { ...described, specialised: ['science'] };
  }
}

/** Model task that computes an extraction field. */
export const taskOfField = (field: ExtractionField): ModelTask => `extract_${field}`;
/** Model task that computes a specialised reading. */
export const taskOfSpecialised = (kind: SpecialisedKind): ModelTask => `specialised_${kind}`;
