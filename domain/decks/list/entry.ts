/**
 * A deck as lists show it: the file, what the newest review with results found, what people said, and how the newest run is doing.
 *
 * One zod schema is the source of the type, of the API's document and of the events of the tenant's stream.
 */
import { z } from 'zod';
import { ROUNDS } from '../../profile/round.ts';
import { DOCUMENT_KINDS } from '../../profile/topics.ts';
import { DECISIONS } from '../verdicts/kinds.ts';
import { STAGES } from '../stage-graph.ts';
import { ATTENTION_REASONS, ENTRY_STATUSES } from './kinds.ts';

/** State of the newest full review. */
export type EntryStatus = (typeof ENTRY_STATUSES)[number];

/** Why somebody should look at a deck. */
export type AttentionReason = (typeof ATTENTION_REASONS)[number];

const text = z.string();
const count = z.int().min(0);
const share = z.number().min(0).max(1);
const moment = z.iso.datetime();

/** How far the stage of a running review is. */
export const stageProgressSchema = z.object({
  stage: z.enum(STAGES),
  /** Slides, values, answers … of the stage that are finished. */
  done: count,
  /** 0 before it is known. */
  total: count,
  failed: count,
  /** Place in line, 1 = the next one; null for a review that has begun. */
  place: count.nullable(),
  /** Seconds until the review is there, as expected; null = not known. */
  expectedSeconds: count.nullable(),
});
export type StageProgress = z.infer<typeof stageProgressSchema>;

/** Facts of the profile, one line each, without what is only planned; null where the deck says nothing on it. */
const factsSchema = z.object({
  stage: text.nullable(),
  /** The financing round that the stage names. */
  round: z.enum(ROUNDS).nullable(),
  customers: text.nullable(),
  useOfFunds: text.nullable(),
  traction: text.nullable(),
  team: text.nullable(),
  /** The amount is the largest of those that the deck names. */
  market: z.object({ text, amount: z.number().nullable(), currency: text.nullable() }).nullable(),
  competition: text.nullable(),
});

export const deckEntrySchema = z.object({
  id: text,
  /** The name it was first uploaded under. */
  fileName: text,
  /** Other names that the same PDF was uploaded under. */
  otherNames: z.array(text),
  sha256: text,
  sizeBytes: count,
  /** Pages; null before the file was looked into. */
  slides: count.nullable(),
  title: text.nullable(),
  hasTextLayer: z.boolean().nullable(),
  hazards: z.array(text),
  createdAt: moment,
  /** Since when it is being deleted; null for a deck that is not. */
  deletingAt: moment.nullable(),
  /** Name of the key that uploaded it; null where no key was needed. */
  owner: text.nullable(),
  company: z.object({ id: text.nullable(), name: text }).nullable(),
  offering: text.nullable(),
  /** Slug of the sector. */
  sector: text.nullable(),
  ask: z.object({ text: text.nullable(), amount: z.number().nullable(), currency: text.nullable() }).nullable(),
  /** ISO 8601 date, month or year. */
  deckDate: text.nullable(),
  /** The newest full review; null before the first. */
  analysis: z
    .object({
      id: text,
      stage: z.enum(STAGES).nullable(),
      priority: z.int(),
      pausedAt: moment.nullable(),
      language: text,
      /** `rules` for the built-in reader; null before an engine answered. */
      engineKind: text.nullable(),
      failure: z.object({ code: text, message: text }).nullable(),
      startedAt: moment.nullable(),
      finishedAt: moment.nullable(),
    })
    .nullable(),
  status: z.enum(ENTRY_STATUSES),
  /** The review whose values are shown: the newest with results; null before the first result. */
  resultAnalysisId: text.nullable(),
  /** Of that review: `rules` for the built-in reader; null before its end. */
  resultEngineKind: text.nullable(),
  /** Kind of the document; null where that is not known. */
  documentKind: z.enum(DOCUMENT_KINDS).nullable(),
  facts: factsSchema,
  /** Questions with an answer whose quotes are settled, of the asked ones; null where it cannot be counted. */
  evidence: z.object({ found: count, asked: count }).nullable(),
  /**
   * The higher the better: 0 to 1 for what is no pitch deck, 2 to 3 for pitch decks. By evidence and facts, or by the score of a language model;
   * null before the first result.
   */
  rank: z.number().nullable(),
  /** 0 to 7, with the scores that people gave in place of the machine's. */
  score: z.number().min(0).max(7).nullable(),
  machineScore: z.number().min(0).max(7).nullable(),
  /** Scored questions as a share of the asked ones. */
  coverage: share.nullable(),
  quotes: z.object({
    /** Quotes that stand on their slide. */
    verified: count,
    total: count,
    /** Of the verified ones, those that answer a question that they stand under, by the configured level. */
    answering: count,
    /** Of the verified ones, those that only bear on a question. */
    bearing: count,
    /** Of the verified ones, those of which that was not judged. */
    notJudged: count,
  }),
  /** Quotes that answer, as a share of all quotes; null where none was judged. */
  answeringShare: share.nullable(),
  gaps: count,
  /** What the runs of this deck cost so far; null where nothing was settled. */
  costUsd: z.number().nullable(),
  assignee: text.nullable(),
  decision: z.enum(DECISIONS).nullable(),
  tags: z.array(text),
  notes: count,
  attention: z.array(z.enum(ATTENTION_REASONS)),
});
export type DeckEntry = z.infer<typeof deckEntrySchema>;

/** What the list can be sorted by; `-` before it sorts downwards. Decks without a value come last either way. */
export const ENTRY_SORTS = [
  'created',
  'company',
  'sector',
  'ask',
  'date',
  'score',
  'rank',
  'evidence',
  'market',
  'coverage',
  'verified',
  'answering',
  'cost',
  'status',
] as const;
export type EntrySort = (typeof ENTRY_SORTS)[number];

/** One page of the list. */
export const deckEntryPageSchema = z.object({
  items: z.array(deckEntrySchema),
  nextCursor: text.nullable(),
  /** Decks that fit the filter, on all pages. */
  total: count,
  /** Where the event stream continues this page: `/events?after=…`. */
  eventId: text,
});
export type DeckEntryPage = z.infer<typeof deckEntryPageSchema>;

/**
 * An event of a tenant's stream. `deck`: the newest state of an entry, with an id to resume from; `gone`: a deck that was deleted, also when
 * that was too fast for its entry to be told as being deleted; `progress`: how far running reviews are, by deck, which replaces what was said
 * before. The last two cannot be resumed.
 */
export type WorkspaceEvent =
  | { readonly type: 'deck'; readonly id: string; readonly data: DeckEntry }
  | { readonly type: 'gone'; readonly data: { readonly id: string } }
  | { readonly type: 'progress'; readonly data: Readonly<Record<string, StageProgress>> };
