/** Which lists of decks an event may change in another way than by replacing an entry they show: order, membership, number. */
import type { DeckEntry } from '../../domain/decks/list/entry.ts';

/** The part of a list's query that decides what is in it and in which order. */
export type ListFilter = Readonly<Record<string, unknown>>;

/** What of an entry a filter or an order looks at, by the name of the query's parameter or of the order. */
const LOOKED_AT: Readonly<Record<string, (entry: DeckEntry) => unknown>> = {
  created: ({ createdAt }) => createdAt,
  company: ({ company }) => [company?.id, company?.name],
  sector: ({ sector }) => sector,
  ask: ({ ask }) => [ask?.amount, ask?.currency],
  date: ({ deckDate }) => deckDate,
  score: ({ score }) => score,
  rank: ({ rank }) => rank,
  evidence: ({ evidence }) => evidence,
  market: ({ facts }) => facts.market,
  coverage: ({ coverage }) => coverage,
  verified: ({ quotes }) => [quotes.verified, quotes.total],
  answering: ({ answeringShare, quotes }) => [answeringShare, quotes.answering, quotes.bearing, quotes.notJudged],
  cost: ({ costUsd }) => costUsd,
  status: ({ status }) => status,
  kind: ({ documentKind }) => documentKind,
  round: ({ facts }) => facts.round,
  decision: ({ decision }) => decision,
  assignee: ({ assignee }) => assignee,
  owner: ({ owner }) => owner,
  tag: ({ tags }) => tags,
  attention: ({ attention }) => attention,
  since: ({ createdAt }) => createdAt,
  until: ({ createdAt }) => createdAt,
  minScore: ({ score }) => score,
  maxScore: ({ score }) => score,
  minCoverage: ({ coverage }) => coverage,
};

/**
 * Whether a list has to be read again for a changed entry.
 *
 * @param shown the entry as the list shows it; undefined when it does not
 */
export function needsReading(filter: ListFilter, shown: DeckEntry | undefined, next: DeckEntry): boolean {
  if (shown === undefined || next.deletingAt !== null) return true;
  const looked = Object.entries(filter).map(([name, value]) =>
    name === 'sort' ? String(value).replace(/^-/u, '') : name,
  );
  return looked.some((name) => {
    const read = LOOKED_AT[name];
    // A text search may look at anything.
    return read === undefined || JSON.stringify(read(shown)) !== JSON.stringify(read(next));
  });
}
