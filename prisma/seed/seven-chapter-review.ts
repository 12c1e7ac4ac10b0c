/**
 * The Seven-Chapter review: 34 questions that any pitch deck can be asked, whatever its sector.
 *
 * Every weight is 1: the roll-ups are plain means. The texts are English; the language of the answers is set per analysis. Criteria say what a
 * full answer contains, so that a score measures how much the deck tells and not how much the reader likes it.
 */
import { z } from 'zod';
import { QUESTION_SLUGS } from '../../domain/evaluation/deck-truth.ts';
import review from './seven-chapter-review.json' with { type: 'json' };

const questionSchema = z.strictObject({
  /** Unique within the template. */
  slug: z.enum(QUESTION_SLUGS),
  text: z.string(),
  /** The contents of a full answer, which earn the highest score. */
  criteria: z.string(),
  /** Subjects to look at beside it when the company is in health. */
  healthFocus: z.string(),
  /** Share in the chapter's mean, relative to the chapter's other questions. */
  weight: z.number(),
});

const chapterSchema = z.strictObject({
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  /** Share in the overall mean, relative to the other chapters. */
  weight: z.number(),
  questions: z.array(questionSchema),
});

const templateSchema = z.strictObject({
  slug: z.string(),
  name: z.string(),
  version: z.int(),
  chapters: z.array(chapterSchema),
});
/**
 * One version of a template: chapters with questions, in order. The position of an item is its index.
 *
 * A template version never changes once it is in a database: results refer to its questions. After an edit, raise the version.
 */
export type SeedTemplate = z.infer<typeof templateSchema>;

/** The only complete template so far; also the fallback where a sector has none. */
export const SEVEN_CHAPTER_REVIEW = templateSchema.parse(review);
