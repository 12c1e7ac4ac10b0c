/** Entries of the deck list as documents. */
import type { DeckEntry } from '../../../domain/decks/list/entry.ts';
import { ATTENTION_REASONS, ENTRY_STATUSES } from '../../../domain/decks/list/kinds.ts';
import { STAGES } from '../../../domain/decks/stage-graph.ts';
import { DECISIONS } from '../../../domain/decks/verdicts/kinds.ts';
import type { AnsweringSettings } from '../../../domain/evidence/answering-settings.ts';
import { ROUNDS } from '../../../domain/profile/round.ts';
import { DOCUMENT_KINDS } from '../../../domain/profile/topics.ts';
import { memberOf } from '../../../domain/text/member-of.ts';
import type { Prisma, PrismaClient } from '../../../generated/prisma/client.ts';
import { documentOf } from '../../http/definition.ts';
import { failureOf, noDeck } from '../store.ts';
import { refreshEntries } from './refresh.ts';
import { entrySchema } from './schemas.ts';

/** What an entry shows of its deck that the list neither filters nor sorts by. */
export const withFile = {
  deck: {
    select: { otherNames: true, sha256: true, sizeBytes: true, title: true, hasTextLayer: true, hazards: true },
  },
} satisfies Prisma.DeckEntryInclude;
type EntryRow = Prisma.DeckEntryGetPayload<{ include: typeof withFile }>;

const reviewSchema = entrySchema.shape.analysis.unwrap();

/** A row as the API shows it. @param level from which on quotes count as answering */
export function entryDocument(row: EntryRow, { level }: Pick<AnsweringSettings, 'level'>): DeckEntry {
  const { deck, company, askText, askAmount, askCurrency } = row;
  const bearing = level === 'high' ? row.someQuotes : 0;
  const answering = row.highQuotes + row.someQuotes - bearing;
  const hasAsk = askText !== null || askAmount !== null;
  return documentOf(entrySchema, {
    ...deck,
    ...row,
    id: row.deckId,
    slides: row.pageCount,
    company: company === null ? null : { id: row.companyId, name: company },
    ask: hasAsk ? { text: askText, amount: askAmount?.toNumber() ?? null, currency: askCurrency } : null,
    analysis: analysisOf(row),
    documentKind: memberOf(DOCUMENT_KINDS, row.documentKind),
    facts: factsOf(row),
    evidence:
      row.evidenceFound === null || row.evidenceAsked === null
        ? null
        : { found: row.evidenceFound, asked: row.evidenceAsked },
    status: memberOf(ENTRY_STATUSES, row.status) ?? 'uploaded',
    quotes: {
      verified: row.verifiedQuotes,
      total: row.quotes,
      answering,
      bearing,
      notJudged: row.verifiedQuotes - row.judgedQuotes,
    },
    // As the list sorts by it; see `answeringShare` of the filter.
    answeringShare: level === 'high' ? row.answeringShare : row.judgedQuotes > 0 ? answering / row.quotes : null,
    costUsd: row.costUsd?.toNumber() ?? null,
    decision: memberOf(DECISIONS, row.decision),
    attention: ATTENTION_REASONS.filter((reason) => row.attention.includes(reason)),
  });
}

function factsOf(row: EntryRow): DeckEntry['facts'] {
  const { roundStage, round, customers, useOfFunds, traction, team, competition, market: text } = row;
  const amount = row.marketAmount?.toNumber() ?? null;
  return {
    stage: roundStage,
    round: memberOf(ROUNDS, round),
    customers,
    useOfFunds,
    traction,
    team,
    market: text === null ? null : { text, amount, currency: row.marketCurrency },
    competition,
  };
}

/** The newest full review of an entry. */
function analysisOf(row: EntryRow): DeckEntry['analysis'] {
  const { analysisId: id, priority, language } = row;
  if (id === null || priority === null || language === null) return null;
  const failure = failureOf(row);
  return documentOf(reviewSchema, { ...row, id, stage: memberOf(STAGES, row.stage), priority, language, failure });
}

/** Entries of these decks, in their order; a deck that has gone meanwhile is left out. */
export async function readEntries(
  db: PrismaClient,
  tenantId: string,
  deckIds: readonly string[],
  settings: AnsweringSettings,
): Promise<DeckEntry[]> {
  const rows = await db.deckEntry.findMany({ where: { tenantId, deckId: { in: [...deckIds] } }, include: withFile });
  const byId = new Map(rows.map((row) => [row.deckId, row]));
  return deckIds.flatMap((id) => {
    const row = byId.get(id);
    return row === undefined ? [] : [entryDocument(row, settings)];
  });
}

/**
 * The entry of one deck as of now, also while it is being deleted.
 *
 * @throws DeckhandError `not_found`, also for a deck of another tenant
 */
export async function findEntry(
  db: PrismaClient,
  tenantId: string,
  deckId: string,
  settings: AnsweringSettings,
): Promise<DeckEntry> {
  await refreshEntries(db, tenantId, settings);
  const [entry] = await readEntries(db, tenantId, [deckId], settings);
  if (entry === undefined) throw noDeck(deckId);
  return entry;
}
