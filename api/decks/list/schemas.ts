/** Documents and queries of the deck list, and the definitions of its routes. */
import { z } from '@hono/zod-openapi';
import { deckEntryPageSchema, deckEntrySchema, ENTRY_SORTS } from '../../../domain/decks/list/entry.ts';
import { ATTENTION_REASONS, ENTRY_STATUSES } from '../../../domain/decks/list/kinds.ts';
import { DECISIONS } from '../../../domain/decks/verdicts/kinds.ts';
import { LANGUAGES } from '../../../domain/models/model-tasks.ts';
import { ROUNDS } from '../../../domain/profile/round.ts';
import { DOCUMENT_KINDS } from '../../../domain/profile/topics.ts';
import { parseSince } from '../../../domain/text/words.ts';
import { files, idParam, json, named, problems, route } from '../../http/definition.ts';
import { sinceSchema } from '../analyses/schemas.ts';

export const entrySchema = named(deckEntrySchema, 'DeckEntry');

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
    /** Kinds of the documents. */
    kinds: facetSchema,
    /** Financing rounds. */
    rounds: facetSchema,
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
/** Share of the asked questions that have evidence; null where none of the decks was asked any. */
const meanEvidence = z.number().nullable();

/** A band of a histogram: from its begin to the begin of the next one; the last one has its end. */
export const bandSchema = z.object({ from: z.number(), to: z.number().nullable(), decks });

/** Amounts in one currency (ISO 4217; null where the deck names none). */
const moneySchema = z.object({ currency: z.string().nullable(), decks, bands: z.array(bandSchema) });

/** Figures over decks, for charts. Decks without a value are in no band of it. */
export const portfolioSchema = z
  .object({
    total: decks,
    /** True where the built-in reader made every review: its figure is the evidence, not the score. */
    byRules: z.boolean(),
    /** The largest first; null: decks without a sector. */
    sectors: z.array(z.object({ sector: z.string().nullable(), decks, meanScore, meanEvidence })),
    /** Scores in steps of 1. */
    scores: z.array(bandSchema),
    /** Questions with evidence as a share of the asked ones, in tenths. */
    evidence: z.array(bandSchema),
    /** Scored questions as a share of the asked ones, in tenths. */
    coverage: z.array(bandSchema),
    /** Quotes that answer as a share of all quotes, in tenths. Decks of which nothing was judged are in none. */
    answering: z.array(bandSchema),
    /** Sums that decks ask for, by currency (ISO 4217; null where the deck names none), the most frequent first. The last band has no end. */
    asks: z.array(moneySchema),
    /** The largest market sizes that decks name, in the same way. */
    markets: z.array(moneySchema),
    /** Financing rounds, the most frequent first; null: decks that name none. */
    rounds: z.array(z.object({ round: z.enum(ROUNDS).nullable(), decks })),
    /** By the month of the upload, such as `2026-03` (UTC), in order; months without a deck are left out. */
    months: z.array(z.object({ month: z.string(), decks, meanScore, meanEvidence })),
    /** Null: nothing was decided. */
    decisions: z.array(z.object({ decision: z.enum(DECISIONS).nullable(), decks })),
  })
  .openapi('DeckPortfolio');

/** Values with commas between them. */
const listOf = <S extends z.ZodType<string, string>>(item: S, description: string) =>
  z
    .string()
    .max(8000)
    .transform((text) => text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()])))
    .pipe(z.array(item))
    .optional()
    .openapi({ type: 'string', description: `${description} Several with commas between them: any of them fits.` });

const DAY = /^\s*\d{4}-\d{2}-\d{2}\s*$/u;
const DAY_MS = 86_400_000;

/** The end of a period: a date with its whole day, or a moment. */
const untilSchema = z
  .string()
  .max(40)
  .transform((text, context) => {
    const until = parseSince(text, Date.now());
    if (until !== null) return DAY.test(text) ? new Date(until.getTime() + DAY_MS) : until;
    context.issues.push({ code: 'custom', input: text, message: 'until: write a date such as 2026-11-20' });
    return z.NEVER;
  })
  .openapi({ type: 'string', description: 'Uploaded until then: a date with its whole day, or `2d`, `36h`, `90m`.' });

const score = z.coerce.number<number | string>().min(0).max(7).optional();
const name = z.string().max(200);

/** Parameters that choose decks. All that are given have to fit. */
const filterParameters = {
  q: name.optional().openapi({
    description:
      'Full text: each word, or its beginning, stands in the names, values, tags, notes or slides of a deck.',
  }),
  status: listOf(z.enum(ENTRY_STATUSES), 'Of the newest full review; `uploaded` before the first.'),
  sector: listOf(name, 'Slug of the sector.'),
  kind: listOf(z.enum(DOCUMENT_KINDS), 'What the document is.'),
  round: listOf(z.enum(ROUNDS), 'Financing round that the deck names as its stage.'),
  company: name.optional().openapi({ description: 'Id of a company.' }),
  decision: listOf(z.enum([...DECISIONS, 'none']), 'What people decided; `none`: nothing yet.'),
  assignee: listOf(name, 'Who works on it.'),
  owner: listOf(name, 'Name of the key that uploaded it.'),
  tag: listOf(name, 'What people tagged it with.'),
  attention: listOf(z.enum([...ATTENTION_REASONS, 'any']), 'Why somebody should look at it; `any`: for any reason.'),
  since: sinceSchema.optional().openapi({ description: 'Uploaded since then: `2d`, `36h`, `90m`, or a date.' }),
  until: untilSchema.optional(),
  minScore: score,
  maxScore: score,
  minCoverage: z.coerce.number<number | string>().min(0).max(1).optional(),
  answering: listOf(
    z.enum(['enough', 'few', 'not_judged']),
    'Whether its quotes answer their questions: `enough` of them, too `few`, or nothing of that was judged. How many are enough is configured.',
  ),
  ids: listOf(z.string().max(100), 'Only these decks, by id.'),
};

/** The parameters alone. */
export const filterQuery = z.strictObject(filterParameters);
export type DeckFilter = z.output<typeof filterQuery>;

export const SORTS = ENTRY_SORTS.flatMap((sort) => [sort, `-${sort}`] as const);

const sortSchema = z.enum(SORTS).default('-created').openapi({
  description: 'With `-` before it downwards. Decks without a value come last either way.',
});

/** Parameters of the list. */
export const listQuery = z.strictObject({
  ...filterParameters,
  limit: z.coerce.number<number>().int().min(1).max(200).default(50),
  /** From `nextCursor` of the page before. */
  cursor: z.string().max(2000).optional(),
  sort: sortSchema,
});
export type ListQuery = z.output<typeof listQuery>;

export const EXPORT_TYPES = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

/** Parameters of an export. */
export const exportQuery = z.strictObject({
  ...filterParameters,
  sort: sortSchema,
  format: z.enum(['csv', 'xlsx']),
  language: z.enum(LANGUAGES).default('en').openapi({ description: 'Of the names of columns.' }),
});
export type ExportQuery = z.output<typeof exportQuery>;

export const listRoute = route('get', '/decks', {
  summary: 'Decks, filtered and sorted, newest first by default.',
  request: { query: listQuery },
  responses: {
    200: json(entryPageSchema, 'One page. `/events?after=<eventId>` tells what changes after it.'),
    ...problems(400),
  },
});

export const facetsRoute = route('get', '/decks/facets', {
  summary: 'Values to filter decks by, each counted among the decks that fit everything else of the filter.',
  request: { query: filterQuery },
  responses: { 200: json(facetsSchema, 'The values, the most frequent first.'), ...problems(400) },
});

export const portfolioRoute = route('get', '/decks/portfolio', {
  summary: 'Figures over the decks that fit a filter, for charts.',
  request: { query: filterQuery },
  responses: {
    200: json(
      portfolioSchema,
      'By sector, score, evidence, coverage, answering quotes, ask, market, round, month and decision.',
    ),
    ...problems(400),
  },
});

export const exportRoute = route('get', '/decks/export', {
  summary: 'All decks that fit a filter, as a file.',
  request: { query: exportQuery },
  responses: {
    200: { description: 'The file.', content: files(EXPORT_TYPES.csv, EXPORT_TYPES.xlsx) },
    ...problems(400),
  },
});

export const showRoute = route('get', '/decks/{id}', {
  summary: 'One deck, as the list shows it.',
  request: { params: idParam },
  responses: { 200: json(entrySchema, 'The deck.'), ...problems(404) },
});
