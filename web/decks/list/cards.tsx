/** The decks as cards, for narrow windows. The browser leaves out the drawing of cards that are not in sight. */
import { useEffect, useRef, useState } from 'react';
import { classes } from '../../ui/classes.ts';
import { useWords } from '../../words/language.ts';
import { UploadCards } from '../uploads/rows.tsx';
import { decksWords } from '../words.ts';
import { DeckCard } from './card.tsx';
import { useRowKeys } from './keys.ts';
import type { ListProps } from './props.ts';

/** How far below the window the end of the list is when more is shown. */
const NEAR = '1500px';
/** Cards that are added at a time: more of them would hold up a phone. */
const STEP = 20;

/** As many were shown last: somebody who comes back finds the place. */
let mostBefore = STEP;

/** Nothing has to be done so that a card can be focused: all are in the document. */
const stay = (): void => undefined;

/** The cards. */
export function DeckCards({
  decks,
  onSelect,
  onNear,
  isStale,
  children,
}: Omit<ListProps, 'search' | 'onSearch' | 'total'>) {
  const words = useWords(decksWords);
  const end = useRef<HTMLDivElement>(null);
  const [most, setMost] = useState(mostBefore);
  const shown = Math.min(most, decks.length);
  useRowKeys(decks, stay, onSelect);
  useEffect(() => {
    if (end.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        // A busy page is told of several moments at once; the last one holds.
        if (entries.at(-1)?.isIntersecting !== true) return;
        mostBefore = shown + STEP;
        setMost(mostBefore);
        onNear(shown);
      },
      { rootMargin: NEAR },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [shown, onNear]);
  return (
    <div className={classes('flex flex-col gap-2.5', isStale && 'opacity-60')} aria-busy={isStale}>
      <UploadCards />
      <ul aria-label={words.list} className="flex flex-col gap-2.5 empty:hidden">
        {decks.slice(0, shown).map((deck, index) => (
          <li key={deck.id} className="[contain-intrinsic-size:auto_220px] [content-visibility:auto]">
            <DeckCard deck={deck} index={index} onSelect={onSelect} />
          </li>
        ))}
      </ul>
      <div ref={end}>{children}</div>
    </div>
  );
}
