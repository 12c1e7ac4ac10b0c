/**
 * The review template of each sector, with the reason.
 *
 * Today every sector uses the Seven-Chapter review: it is the only complete template. The reason is stored with the analysis and
 * shown, so that a general review is not mistaken for one made for the sector.
 */
import type { SectorSlug } from '../../domain/models/result-schemas.ts';
import { SECTORS } from './sectors.ts';
import { SEVEN_CHAPTER_REVIEW } from './seven-chapter-review.ts';

/** Template of one sector. */
export interface SeedTemplateChoice {
  readonly sector: SectorSlug;
  /** Slug of a seeded template. */
  readonly template: string;
  /** Why this template; the review shows it after the name of the sector and a colon. */
  readonly reason: string;
}

/** One entry per sector, in the order of `SECTORS`. */
export const TEMPLATES_BY_SECTOR: readonly SeedTemplateChoice[] = SECTORS.map((sector) => ({
  sector: sector.slug,
  template: SEVEN_CHAPTER_REVIEW.slug,
  reason: sector.isHealth
    ? 'it has no template of its own yet, so the general Seven-Chapter review, with the health angle of each question'
    : 'not about health, so the general Seven-Chapter review, without the health angle of its questions',
}));
