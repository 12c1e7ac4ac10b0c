/**
 * The nine sectors a deck can be classified into: what the classification prompt lists and what the review shows.
 *
 * `other` means outside health: it has no minimum confidence, because it is also where a deck ends that fits nowhere else.
 */
import { z } from 'zod';
import { SECTOR_SLUGS } from '../../domain/models/result-schemas.ts';
import sectors from './sectors.json' with { type: 'json' };
import { SEVEN_CHAPTER_REVIEW } from './seven-chapter-review.ts';

/** A sector as it is seeded. */
const sectorSchema = z.strictObject({
  slug: z.enum(SECTOR_SLUGS),
  name: z.string(),
  /** One or two sentences, ending in a full stop; part of the classification prompt. */
  description: z.string(),
  /** Confidence below which a classification counts as unsure; null = no minimum. */
  minConfidencePercent: z.int().nullable(),
  /**
   * About twenty lower-case words or short phrases: hints in the classification prompt. A keyword points to one sector only, so that a count of
   * keywords separates them; German words stand beside English ones where decks use them. Words that any deck may use (software, platform,
   * manufacturing) are left out.
   */
  keywords: z.array(z.string()),
  /** Typical kinds of company in this sector. */
  subcategories: z.array(z.string()).length(5),
  /** Specialised readings (clinical, regulatory, science) are made for health sectors only. */
  isHealth: z.boolean(),
});

/** In the order of `SECTOR_SLUGS`. */
export const SECTORS = z.array(sectorSchema).parse(sectors);

/**
 * The review template of each sector, in the order of `SECTORS`, with the reason.
 *
 * Today every sector uses the Seven-Chapter review: it is the only complete template. The reason is stored with the analysis and shown after the
 * name of the sector and a colon, so that a general review is not mistaken for one made for the sector.
 */
export const TEMPLATES_BY_SECTOR = SECTORS.map((sector) => ({
  sector: sector.slug,
  template: SEVEN_CHAPTER_REVIEW.slug,
  reason: sector.isHealth
    ? 'it has no template of its own yet, so the general Seven-Chapter review, with the health angle of each question'
    : 'not about health, so the general Seven-Chapter review, without the health angle of its questions',
}));
