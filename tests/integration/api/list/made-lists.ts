/** Lists of decks of any kind, by entries that nothing of theirs makes anew, and filters with the same in plain code. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { ListQuery } from '../../../../api/decks/list/schemas.ts';
import { ATTENTION_REASONS, ENTRY_STATUSES } from '../../../../domain/decks/list/kinds.ts';
import { ROUNDS } from '../../../../domain/profile/round.ts';
import { DOCUMENT_KINDS } from '../../../../domain/profile/topics.ts';
import { DECISIONS } from '../../../../domain/decks/verdicts/kinds.ts';
import type { Prisma, PrismaClient } from '../../../../generated/prisma/client.ts';
import { NOW } from '../../../../testing/make.ts';

/** Questions that every deck was asked. */
export const EVIDENCE_ASKED = 34;

/** Columns that entries are filtered and sorted by, with few values, so that many are the same. */
export const columns = fc.record({
  status: fc.constantFrom(...ENTRY_STATUSES),
  company: fc.option(fc.constantFrom('Acme', 'acme', 'Beta', 'Äther', 'zeta')),
  sector: fc.option(fc.constantFrom('fintech', 'biotech')),
  askAmount: fc.option(fc.constantFrom('500000', '2000000.5', '20000000')),
  deckDate: fc.option(fc.constantFrom('2026', '2026-03', '2026-03-14')),
  score: fc.option(fc.double({ min: 0, max: 7, noNaN: true })),
  rank: fc.option(fc.double({ min: 0, max: 3, noNaN: true })),
  evidenceFound: fc.option(fc.constantFrom(0, 7, 34)),
  marketAmount: fc.option(fc.constantFrom('4000000', '2000000000.5')),
  documentKind: fc.option(fc.constantFrom(...DOCUMENT_KINDS)),
  round: fc.option(fc.constantFrom(...ROUNDS)),
  resultEngineKind: fc.option(fc.constantFrom('rules', 'language model')),
  coverage: fc.option(fc.constantFrom(0, 1 / 3, 0.5, 1)),
  verifiedShare: fc.option(fc.constantFrom(0, 2 / 3, 1)),
  answeringShare: fc.option(fc.constantFrom(0, 1 / 3, 1)),
  highQuotes: fc.constantFrom(0, 1, 2),
  judgedQuotes: fc.constantFrom(0, 3),
  costUsd: fc.option(fc.constantFrom('0.000000001', '1.5', '12.123456789')),
  owner: fc.option(fc.constantFrom('Ann', 'Ben')),
  assignee: fc.option(fc.constantFrom('Ann', 'Cleo')),
  decision: fc.option(fc.constantFrom(...DECISIONS)),
  tags: fc.uniqueArray(fc.constantFrom('hot', 'dach', 'seed')),
  attention: fc.uniqueArray(fc.constantFrom(...ATTENTION_REASONS)),
  createdAt: fc.integer({ min: 0, max: 5 }).map((day) => new Date(NOW.getTime() + day * 43_200_000)),
});
export type Columns = typeof columns extends fc.Arbitrary<infer T> ? T : never;

/** Decks of a tenant of their own, by entries that nothing of theirs makes anew. */
export async function decksWith(db: PrismaClient, all: readonly Columns[]): Promise<string> {
  const tenantId = randomUUID();
  const decks = all.map((values, index) => ({ deckId: `${tenantId}-${index}`, ...values }));
  await db.deck.createMany({
    data: decks.map(({ deckId: id, createdAt }) => {
      const file = { fileName: 'deck.pdf', sizeBytes: 1, hazards: [] };
      return { id, tenantId, sha256: id, createdAt, ...file };
    }),
  });
  await db.deckEntry.createMany({
    data: decks.map((deck, version): Prisma.DeckEntryCreateManyInput => {
      const same = { fileName: 'deck.pdf', quotes: 3, verifiedQuotes: 3, evidenceAsked: EVIDENCE_ASKED };
      return { ...deck, ...same, tenantId, version: version + 1 };
    }),
  });
  await db.deckChange.deleteMany({ where: { tenantId } });
  return tenantId;
}

/** Filters as a request has them, each with the same in plain code. */
export const filters: readonly (readonly [keyof ListQuery, string, (deck: Columns) => boolean])[] = [
  ['status', 'failed,uploaded', ({ status }) => status === 'failed' || status === 'uploaded'],
  ['sector', 'fintech', ({ sector }) => sector === 'fintech'],
  ['kind', 'invoice,form', ({ documentKind }) => documentKind === 'invoice' || documentKind === 'form'],
  ['round', 'seed', ({ round }) => round === 'seed'],
  ['decision', 'none, meet', ({ decision }) => decision === null || decision === 'meet'],
  ['assignee', 'Cleo', ({ assignee }) => assignee === 'Cleo'],
  ['owner', 'Ann,Ben', ({ owner }) => owner !== null],
  ['tag', 'hot,seed', ({ tags }) => tags.includes('hot') || tags.includes('seed')],
  ['attention', 'any', ({ attention }) => attention.length > 0],
  ['attention', 'gaps,failed', ({ attention }) => attention.includes('gaps') || attention.includes('failed')],
  ['since', '2026-11-23', ({ createdAt }) => createdAt.getTime() >= Date.UTC(2026, 10, 23)],
  ['until', '2026-11-22', ({ createdAt }) => createdAt.getTime() < Date.UTC(2026, 10, 23)],
  ['minScore', '3.5', ({ score }) => score !== null && score >= 3.5],
  ['maxScore', '3.5', ({ score }) => score !== null && score <= 3.5],
  ['answering', 'enough', ({ highQuotes, judgedQuotes }) => judgedQuotes > 0 && highQuotes === 2],
  ['answering', 'few,not_judged', ({ highQuotes, judgedQuotes }) => judgedQuotes === 0 || highQuotes < 2],
  ['minCoverage', '0.5', ({ coverage }) => coverage !== null && coverage >= 0.5],
];
