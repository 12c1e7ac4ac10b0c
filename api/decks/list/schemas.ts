/** Documents of the deck list. */
import { z } from '@hono/zod-openapi';
import { deckEntryPageSchema, deckEntrySchema } from '../../../domain/decks/list/entry.ts';
import { DECISIONS } from '../../../domain/decks/verdicts/kinds.ts';

export const entrySchema = z.object(deckEntrySchema.shape).openapi('DeckEntry');

export const entryPageSchema = z
  .object({ ...deckEntryPageSchema.shape, items: z.array(entrySchema) })
  .openapi('DeckEntryPage');

/** Values of one kind, the most frequent first. */
const facetSchema = z.array(z.object({ value: z.string(), count: z.int() }));

/** Values to filter by, each with the number of decks that have it. */
export const facetsSchema = z
  .object({
    statuses: facetSchema,
    attention: facetSchema,
    /** Slugs. */
    sectors: facetSchema,
    /** `none` for decks without one. */
    decisions: facetSchema,
    assignees: facetSchema,
    owners: facetSchema,
    tags: facetSchema,
  })
  .openapi('DeckFacets');

const decks = z.int();
/** Null where none of the decks has a score. */
const meanScore = z.number().nullable();

/** A band of a histogram: from its begin to the begin of the next one; the last one has its end. */
export const bandSchema = z.object({ from: z.number(), to: z.number().nullable(), decks });

/** Figures over decks, for charts. Decks without a value are in no band of it. */
export const portfolioSchema = z
  .object({
    total: decks,
    /** The largest first; null: decks without a sector. */
    sectors: z.array(z.object({ sector: z.string().nullable(), decks, meanScore })),
    /** Scores in steps of 1. */
    scores: z.array(bandSchema),
    /** Scored questions as a share of the asked ones, in tenths. */
    coverage: z.array(bandSchema),
    /** Sums that decks ask for, by currency (ISO 4217; null where the deck names none), the most frequent first. The last band has no end. */
    asks: z.array(z.object({ currency: z.string().nullable(), decks, bands: z.array(bandSchema) })),
    /** By the month of the upload, such as `2026-03` (UTC), in order; months without a deck are left out. */
    months: z.array(z.object({ month: z.string(), decks, meanScore })),
    /** Null: nothing was decided. */
    decisions: z.array(z.object({ decision: z.enum(DECISIONS).nullable(), decks })),
  })
  .openapi('DeckPortfolio');
