/**
 * The Seven-Chapter review, version 1: 34 questions that any pitch deck can be asked, whatever its sector.
 *
 * The chapters stand in two files beside this one. Every weight is 1: the roll-ups are plain means. The texts are English; the language of
 * the answers is set per analysis.
 */
import { BUSINESS_CHAPTERS } from './seven-chapter-business.ts';
import { PRODUCT_CHAPTERS } from './seven-chapter-product.ts';
import type { SeedTemplate } from './template-types.ts';

/** The only complete template so far; also the fallback where a sector has none. */
export const SEVEN_CHAPTER_REVIEW: SeedTemplate = {
  slug: 'seven_chapter_review',
  name: 'Seven-Chapter review',
  version: 1,
  chapters: [...PRODUCT_CHAPTERS, ...BUSINESS_CHAPTERS],
};
