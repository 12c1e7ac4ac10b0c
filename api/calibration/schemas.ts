/** Documents of the calibration: where people and the machine differ. */
import { z } from '@hono/zod-openapi';
import { sinceSchema } from '../decks/analyses/schemas.ts';
import { ANSWERING } from '../../domain/evidence/answering.ts';
import { json, problems, route } from '../http/definition.ts';

const count = z.int().min(0);

/** A score of a person that differs from the machine's. */
const differenceSchema = z.object({
  deck: z.object({ id: z.string(), fileName: z.string() }),
  company: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** The analysis that was shown; it may be gone. */
  analysisId: z.string().nullable(),
  human: z.int().min(0).max(7),
  machine: z.int().min(0).max(7),
  reason: z.string().nullable(),
  author: z.string(),
  createdAt: z.iso.datetime(),
});

const questionSchema = z.object({
  slug: z.string(),
  /** As the newest template asks it. */
  text: z.string().nullable(),
  chapter: z.object({ slug: z.string(), name: z.string() }).nullable(),
  /** Decks that a person scored. */
  scored: count,
  /** Those of them that the machine had scored, too; what follows is about these. */
  compared: count,
  /** Human minus machine; null without a compared score. */
  meanDifference: z.number().nullable(),
  meanAbsoluteDifference: z.number().nullable(),
  /** How often both are the same. */
  equal: count,
  /** The newest ones, at most ten. */
  differences: z.array(differenceSchema),
});

const valueSchema = z.object({
  /** A field of the extractions, or `sector`. */
  field: z.string(),
  /** Decks where a person wrote something other than the machine. */
  corrected: count,
  /** Those of them where the machine had found nothing. */
  added: count,
  /** Decks where a person wrote what the machine says. */
  confirmed: count,
});

const answeringSchema = z.object({
  /** `rules` for the built-in reader. */
  engine: z.string(),
  model: z.string().nullable(),
  /** How well the best quotes of the claims were said to answer; null: that was not judged. */
  level: z.enum(ANSWERING).nullable(),
  /** Claims that people judged: with a judgement, or by correcting or confirming a value. */
  judged: count,
  right: count,
  /** Share of right ones, with its 95 % interval. */
  share: z.number().min(0).max(1),
  low: z.number().min(0).max(1),
  high: z.number().min(0).max(1),
});

export const calibrationSchema = z
  .object({
    /** The curve: by engine, model and level, the best level first, how many of the claims are right by people's word. */
    answering: z.array(answeringSchema),
    /** By question, those that people and machine differ most on first. */
    questions: z.array(questionSchema),
    /** By field, most corrections first. */
    values: z.array(valueSchema),
  })
  .openapi('Calibration');
export type CalibrationDocument = z.infer<typeof calibrationSchema>;

export const calibrationQuery = z.strictObject({
  since: sinceSchema
    .optional()
    .openapi({ type: 'string', description: 'Said since then: `2d`, `36h`, `90m`, or a date.' }),
  author: z.string().max(200).optional().openapi({ description: 'Said by this person.' }),
});
export type CalibrationQuery = z.output<typeof calibrationQuery>;

export const showRoute = route('get', '/calibration', {
  summary:
    'Where people and the machine differ: scores by question, corrected values by field, and claims that were said to answer.',
  description:
    'Of each deck the verdicts that hold count, compared with what the machine said in the analysis that was shown.',
  request: { query: calibrationQuery },
  responses: { 200: json(calibrationSchema, 'The calibration.'), ...problems(400) },
});
