/**
 * Business ideas of seeded decks, at least one for each sector in each language: the part of a deck that belongs to one kind of business and
 * not to every start-up. All invented.
 */
import { z } from 'zod';
import { SECTOR_SLUGS } from '../../../domain/evaluation/deck-truth.ts';
import german from './ventures.de.json' with { type: 'json' };
import english from './ventures.en.json' with { type: 'json' };

const text = z.string();
const pair = z.tuple([text, text]);

const ventureSchema = z.strictObject({
  sector: z.enum(SECTOR_SLUGS),
  /** Noun phrase without a company name, in German feminine, neuter or plural so that it also stands as an object. */
  offering: text,
  problem: text,
  /** Whether the problem is acute, chronic, structural. */
  nature: text,
  pains: pair,
  problemInNumbers: text,
  how: z.tuple([text, text, text]),
  users: text,
  payers: text,
  today: text,
  rivals: pair,
  differs: text,
  advantage: text,
  /** Background of the two founders. */
  founders: pair,
  /** Evidence, approval or law, where the field has such. */
  proof: text.optional(),
  /** The unit of a price, such as "per bed and month". */
  unit: text,
  market: text,
});
/** One business idea in one language. Nouns for users and payers are plurals, so that they fit every sentence. */
export type Venture = z.infer<typeof ventureSchema>;

const ideas = z.array(ventureSchema);

/** All business ideas with their languages. */
export const VENTURES = [
  ...ideas.parse(english).map((venture) => ({ venture, language: 'en' as const })),
  ...ideas.parse(german).map((venture) => ({ venture, language: 'de' as const })),
];
