/** Writes entries of the deck list: what `entryOf` says of each deck, in one statement for any number of decks. */
import { Prisma } from '../../../generated/prisma/client.ts';
import type { MarkRule } from '../../../domain/evidence/answering-settings.ts';
import { entryOf } from '../../../domain/decks/list/entry-of.ts';
import { RENDER_KEY } from '../../../domain/decks/render-key.ts';
import type { Transaction } from '../../../platform/db.ts';
import type { ListedDeck } from './read-listed.ts';

/**
 * Characters of slides and of everything else that a deck is found by. Together they keep a tsvector below the megabyte that Postgres allows,
 * whatever the characters are.
 */
const MOST_SLIDE_TEXT = 180_000;
const MOST_OTHER_TEXT = 40_000;

/** A row as far as it follows from what was read, by column. */
function rowOf({ deck, newest, shownId, report, verdicts, costs }: ListedDeck, rule: MarkRule) {
  return {
    fileName: deck.fileName,
    createdAt: deck.createdAt,
    deletingAt: deck.deletingAt,
    pageCount: deck.pageCount,
    companyId: deck.companyId,
    owner: deck.uploadedBy,
    analysisId: newest?.id ?? null,
    stage: newest?.stage ?? null,
    priority: newest?.priority ?? null,
    pausedAt: newest?.pausedAt ?? null,
    startedAt: newest?.startedAt ?? null,
    finishedAt: newest?.finishedAt ?? null,
    failureCode: newest?.failureCode ?? null,
    failureMessage: newest?.failureMessage ?? null,
    language: newest?.language ?? null,
    engineKind: newest?.engineKind ?? null,
    resultAnalysisId: shownId,
    markRule: markRuleKey(rule),
    ...entryOf(report, { verdicts, costs, rule }),
  };
}

/** A rule as entries keep it, by which they were made. */
export const markRuleKey = ({ level, share }: MarkRule): string => `${level} ${share}`;

/**
 * Makes the entries of decks anew, each with a new version.
 *
 * @param rule by which questions have evidence
 * @param withNewPages decks whose pages are to be read; of the others, the words of their pages stay
 */
export async function writeEntries(
  tx: Transaction,
  decks: readonly ListedDeck[],
  { withNewPages, rule }: { readonly withNewPages: readonly string[]; readonly rule: MarkRule },
): Promise<void> {
  const rows = decks.map((listed) => ({
    deckId: listed.deck.id,
    tenantId: listed.deck.tenantId,
    ...rowOf(listed, rule),
  }));
  const [first] = rows;
  if (first === undefined) return;
  const { words: _, ...columns } = first;
  const names = Object.keys(columns).map((column) => `"${column}"`);
  const replaced = [...names, '"version"', '"search"', '"updatedAt"'].map((name) => `${name} = EXCLUDED.${name}`);
  await tx.$executeRaw`
    INSERT INTO "DeckEntry" (${Prisma.raw(names.join(', '))}, "version", "search", "updatedAt")
    SELECT ${Prisma.raw(names.map((name) => `r.${name}`).join(', '))}, nextval('deck_entry_version'),
      setweight(deck_words(left(said."words", ${MOST_OTHER_TEXT})), 'A')
        || coalesce(CASE WHEN r."deckId" = ANY(${withNewPages}) THEN deck_words(left((
          SELECT string_agg(s."text", ' ' ORDER BY s."number") FROM "Slide" s
          WHERE s."deckId" = r."deckId" AND s."renderKey" = ${RENDER_KEY}), ${MOST_SLIDE_TEXT}))
          ELSE ts_filter(e."search", '{d}') END, ''),
      timezone('UTC', clock_timestamp())
    FROM jsonb_populate_recordset(NULL::"DeckEntry", ${JSON.stringify(rows)}::jsonb) r
    JOIN jsonb_to_recordset(${JSON.stringify(rows.map(({ deckId, words }) => ({ deckId, words })))}::jsonb)
      AS said("deckId" text, "words" text) ON said."deckId" = r."deckId"
    LEFT JOIN "DeckEntry" e ON e."deckId" = r."deckId"
    ON CONFLICT ("deckId") DO UPDATE SET ${Prisma.raw(replaced.join(', '))}`;
}
