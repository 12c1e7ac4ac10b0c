/** Documents of the deck list. */
import { z, createRoute } from '@hono/zod-openapi';
import { deckEntryPageSchema, deckEntrySchema } from '../../../domain/decks/list/entry.ts';
import { DECISIONS } from '../../../domain/decks/verdicts/kinds.ts';
import { idParam, json, problems } from '../../http/definition.ts';
import { EXPORT_TYPES, exportQuery } from './export.ts';
import { filterQuery } from './filter.ts';
import { listQuery } from './page.ts';

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

export const listRoute = createRoute({
  method: 'get',
  path: '/decks',
  summary: 'Decks, filtered and sorted, newest first by default.',
  request: { query: listQuery },
  responses: {
    200: json(entryPageSchema, 'One page. `/events?after=<eventId>` tells what changes after it.'),
    ...problems(400),
  },
});

export const facetsRoute = createRoute({
  method: 'get',
  path: '/decks/facets',
  summary: 'Values to filter decks by, each counted among the decks that fit everything else of the filter.',
  request: { query: filterQuery },
  responses: { 200: json(facetsSchema, 'The values, the most frequent first.'), ...problems(400) },
});

export const portfolioRoute = createRoute({
  method: 'get',
  path: '/decks/portfolio',
  summary: 'Figures over the decks that fit a filter, for charts.',
  request: { query: filterQuery },
  responses: { 200: json(portfolioSchema, 'By sector, score, coverage, ask, month and decision.'), ...problems(400) },
});

const file = { schema: z.string().openapi({ format: 'binary' }) };

export const exportRoute = createRoute({
  method: 'get',
  path: '/decks/export',
  summary: 'All decks that fit a filter, as a file.',
  request: { query: exportQuery },
  responses: {
    200: { description: 'The file.', content: { [EXPORT_TYPES.csv]: file, [EXPORT_TYPES.xlsx]: file } },
    ...problems(400),
  },
});

export const showRoute = createRoute({
  method: 'get',
  path: '/decks/{id}',
  summary: 'One deck, as the list shows it.',
  request: { params: idParam },
  responses: { 200: json(entrySchema, 'The deck.'), ...problems(404) },
});
