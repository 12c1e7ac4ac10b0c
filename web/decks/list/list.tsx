/** The decks that fit: as a table or as cards, read on when the end comes near. */
import { useQueryClient, type UseInfiniteQueryResult } from '@tanstack/react-query';
import { type ReactNode, useCallback, useEffect, useMemo } from 'react';
import type { DeckEntry, DeckEntryPage } from '../../../domain/decks/list/entry.ts';
import type { InfiniteData } from '@tanstack/react-query';
import { formatCount } from '../../format.ts';
import { readListsSoon } from '../../live/cache.ts';
import { Button } from '../../ui/button.tsx';
import { useMedia } from '../../ui/media.ts';
import { commonWords } from '../../words/common.ts';
import { useLanguage, useWords } from '../../words/language.ts';
import type { SearchProps } from '../search.ts';
import { refreshSelection, selectRange, toggleDeck } from '../selection/store.ts';
import { onStored, settleUploads } from '../uploads/queue.ts';
import { decksWords } from '../words.ts';
import { DeckCards } from './cards.tsx';
import { DeckTable } from './table.tsx';

/** The table needs this width. */
const WIDE = '(min-width: 900px)';
/** The next page is read when so many decks or fewer are below what is in sight. */
const NEAR = 20;

/** The list; `empty` stands where no deck is. */
export function DeckList({
  query,
  search,
  onSearch,
  empty,
}: SearchProps & {
  readonly query: UseInfiniteQueryResult<InfiniteData<DeckEntryPage>>;
  readonly empty: ReactNode;
}) {
  const words = useWords(decksWords);
  const { tryAgain } = useWords(commonWords);
  const language = useLanguage();
  const isWide = useMedia(WIDE);
  const queries = useQueryClient();
  const { data, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage, isPlaceholderData, error, refetch } =
    query;
  const decks = useMemo(() => entriesOf(data), [data]);
  const total = data?.pages.at(-1)?.total ?? 0;

  useEffect(() => onStored(() => readListsSoon(queries)), [queries]);
  useEffect(() => {
    settleUploads(decks);
    refreshSelection(decks);
  }, [decks]);

  const canReadOn = hasNextPage && !isFetching && !isFetchNextPageError;
  const onNear = useCallback(
    (index: number) => {
      if (canReadOn && index >= decks.length - NEAR) void fetchNextPage();
    },
    [canReadOn, decks.length, fetchNextPage],
  );
  const onSelect = useCallback(
    (deck: DeckEntry, isRange: boolean) => (isRange ? selectRange(decks, deck) : toggleDeck(deck)),
    [decks],
  );
  const end = (
    <div className="flex flex-col items-center gap-2 p-3 text-sm empty:hidden">
      {decks.length === 0 ? empty : null}
      {error === null ? null : (
        <p role="alert" className="text-warn">
          {words.staleError} {error.message} <Button onClick={() => void refetch()}>{tryAgain}</Button>
        </p>
      )}
      {hasNextPage ? (
        <>
          <p className="text-soft">
            {words.shownOf(formatCount(decks.length, language), formatCount(total, language))}
          </p>
          <Button disabled={isFetching} onClick={() => void fetchNextPage()}>
            {words.loadMore}
          </Button>
        </>
      ) : null}
    </div>
  );
  const props = { decks, onSelect, onNear, isStale: isPlaceholderData, children: end };
  return isWide ? <DeckTable {...props} total={total} search={search} onSearch={onSearch} /> : <DeckCards {...props} />;
}

/** Decks of all pages; one that moved between two readings is there once. */
function entriesOf(data: InfiniteData<DeckEntryPage> | undefined): readonly DeckEntry[] {
  const all = data?.pages.flatMap((page) => page.items) ?? [];
  return [...new Map(all.map((deck) => [deck.id, deck])).values()];
}
