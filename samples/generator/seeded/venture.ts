/**
 * What a seeded deck is about: the part of its content that belongs to one kind of business and not to every start-up.
 */
import type { SectorSlug } from '../../../domain/evaluation/deck-truth.ts';

/** One business idea in one language. Nouns for users and payers are plurals, so that they fit every sentence. */
export interface Venture {
  readonly sector: SectorSlug;
  /** Noun phrase without a company name, in German feminine, neuter or plural so that it also stands as an object. */
  readonly offering: string;
  readonly problem: string;
  /** Whether the problem is acute, chronic, structural. */
  readonly nature: string;
  readonly pains: readonly [string, string];
  readonly problemInNumbers: string;
  readonly how: readonly [string, string, string];
  readonly users: string;
  readonly payers: string;
  readonly today: string;
  readonly rivals: readonly [string, string];
  readonly differs: string;
  readonly advantage: string;
  /** Background of the two founders. */
  readonly founders: readonly [string, string];
  /** Evidence, approval or law, where the field has such. */
  readonly proof?: string;
  /** What a price is for, such as "per bed and month". */
  readonly unit: string;
  readonly market: string;
}
