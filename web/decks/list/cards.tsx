/** The decks as cards, for narrow windows. Only those in sight are in the document. */
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { classes } from '../../ui/classes.ts';
import { useWords } from '../../words/language.ts';
import { useUploadCount } from '../uploads/queue.ts';
import { UploadCards } from '../uploads/rows.tsx';
import { decksWords } from '../words.ts';
import { DeckCard } from './card.tsx';
import { useRowKeys } from './keys.ts';
import type { ListProps } from './props.ts';

const CARD_PX = 220;
const GAP_PX = 10;
const OVERSCAN = 4;

/** The cards. */
export function DeckCards({ decks, onSelect, onNear, isStale, end }: Omit<ListProps, 'search' | 'onSearch' | 'total'>) {
  const words = useWords(decksWords);
  const list = useRef<HTMLUListElement>(null);
  const [topPx, setTopPx] = useState(0);
  const uploads = useUploadCount();
  useLayoutEffect(() => {
    setTopPx((list.current?.getBoundingClientRect().top ?? 0) + scrollY);
  }, [uploads, decks.length]);
  const virtualizer = useWindowVirtualizer({
    count: decks.length,
    estimateSize: () => CARD_PX,
    getItemKey: useCallback((index: number) => decks[index]?.id ?? index, [decks]),
    gap: GAP_PX,
    overscan: OVERSCAN,
    scrollMargin: topPx,
  });
  useRowKeys(decks, (index) => virtualizer.scrollToIndex(index), onSelect);
  const cards = virtualizer.getVirtualItems();
  const lastIndex = cards.at(-1)?.index ?? 0;
  useEffect(() => onNear(lastIndex), [lastIndex, onNear]);
  return (
    <div className={classes('flex flex-col gap-2.5', isStale && 'opacity-60')} aria-busy={isStale}>
      <UploadCards />
      <ul ref={list} aria-label={words.list} className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {cards.map(({ index, key, start }) => {
          const deck = decks[index];
          return deck === undefined ? null : (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${start - topPx}px)` }}
            >
              <DeckCard deck={deck} index={index} onSelect={onSelect} />
            </li>
          );
        })}
      </ul>
      {end}
    </div>
  );
}
