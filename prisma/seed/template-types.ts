/**
 * Shape of a seeded template: chapters with questions, in order. The position of an item is its index.
 *
 * A template version never changes once it is in a database: results refer to its questions. After an edit, raise the version.
 */

/** One question of a template. */
export interface SeedQuestion {
  /** Unique within the template. */
  readonly slug: string;
  readonly text: string;
  /** What a full answer contains, and thereby what earns the highest score. */
  readonly criteria: string;
  /** What to look at beside it when the company is in health. */
  readonly healthFocus: string;
  /** Share in the chapter's mean, relative to the chapter's other questions. */
  readonly weight: number;
}

/** One chapter of a template. */
export interface SeedChapter {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  /** Share in the overall mean, relative to the other chapters. */
  readonly weight: number;
  readonly questions: readonly SeedQuestion[];
}

/** One version of a template. */
export interface SeedTemplate {
  readonly slug: string;
  readonly name: string;
  readonly version: number;
  readonly chapters: readonly SeedChapter[];
}
