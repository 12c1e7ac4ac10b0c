/** One deck as a row of the table. */
import { Link, useNavigate } from '@tanstack/react-router';
import { memo, type MouseEvent } from 'react';
import type { DeckEntry } from '../../../domain/decks/list/entry.ts';
import { classes } from '../../ui/classes.ts';
import { useWords } from '../../words/language.ts';
import { DeckMenu } from '../actions/deck-menu.tsx';
import { useIsSelected } from '../selection/store.ts';
import { decksWords } from '../words.ts';
import { Cell, DeckBadges } from './cells.tsx';
import type { Column } from './columns.ts';
import { deckName } from './names.ts';

/** Height of a row with its border, in pixels; the classes below have it too. */
export const ROW_PX = 56;

/** Where a press means something else than opening the deck. */
const CONTROLS = 'a,button,input,label,[role="menu"]';

export interface RowProps {
  readonly deck: DeckEntry;
  readonly index: number;
  readonly columns: readonly Column[];
  /** The box was ticked or cleared; `isRange` with the shift key. */
  readonly onSelect: (deck: DeckEntry, isRange: boolean) => void;
}

/** The row. It is drawn again only for a change of its deck, its selection, or the columns. */
export const DeckRow = memo(function DeckRow({ deck, index, columns, onSelect }: RowProps) {
  const words = useWords(decksWords);
  const isSelected = useIsSelected(deck.id);
  const navigate = useNavigate();
  const name = deckName(deck);
  const open = ({ target, metaKey, ctrlKey }: MouseEvent): void => {
    if (!(target instanceof Element) || target.closest(CONTROLS) !== null || metaKey || ctrlKey) return;
    // Text was marked in the row.
    if (getSelection()?.type === 'Range') return;
    void navigate({ to: '/decks/$deckId', params: { deckId: deck.id } });
  };
  const background = isSelected ? 'bg-accent-tint' : 'bg-panel group-hover:bg-raised group-focus-within:bg-raised';
  return (
    // The link in the row does the same for keyboards and screen readers.
    <tr aria-rowindex={index + 2} className="group h-[56px] cursor-pointer" onClick={open}>
      <td className={classes('sticky left-0 z-10 border-b border-line', background)}>
        <SelectBox
          label={words.select(name)}
          checked={isSelected}
          onChange={(isRange) => onSelect(deck, isRange)}
          className="h-[55px] w-[44px]"
        />
      </td>
      <th
        scope="row"
        className={classes('sticky left-[44px] z-10 border-b border-line pr-3 text-left font-normal', background)}
      >
        <DeckNames deck={deck} index={index} />
      </th>
      {columns.map(({ name: column, isNumber }) => (
        <td
          key={column}
          className={classes('border-b border-line px-2.5', background, isNumber && 'text-right tabular-nums')}
        >
          <Cell column={column} deck={deck} />
        </td>
      ))}
      <td className={classes('sticky right-0 border-b border-line px-1', background)}>
        <DeckMenu deck={deck} />
      </td>
    </tr>
  );
});

/** The names of a deck; the first one opens it. */
export function DeckNames({ deck, index }: { readonly deck: DeckEntry; readonly index: number }) {
  const words = useWords(decksWords);
  const others = deck.otherNames.length === 0 ? null : words.alsoNamed(deck.otherNames.join(', '));
  const second =
    deck.company === null ? [deck.resultAnalysisId === null ? null : words.noCompany, others] : [deck.fileName, others];
  const secondText = second.filter((part) => part !== null).join(' · ');
  return (
    <span className="flex min-h-[55px] min-w-0 flex-col justify-center">
      <span className="flex min-w-0 items-center gap-1.5">
        <Link
          to="/decks/$deckId"
          params={{ deckId: deck.id }}
          data-row={index}
          className="truncate rounded font-medium hover:underline"
        >
          {deckName(deck)}
        </Link>
        <DeckBadges deck={deck} />
      </span>
      {deck.offering === null ? null : (
        <span className="truncate text-xs" title={deck.offering}>
          {deck.offering}
        </span>
      )}
      {secondText === '' ? null : (
        <span className="truncate text-xs text-soft" title={secondText}>
          {secondText}
        </span>
      )}
    </span>
  );
}

/** A box to tick in a large area, so that a press beside it opens nothing. */
export function SelectBox({
  label,
  checked,
  onChange,
  className,
}: {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (isRange: boolean) => void;
  readonly className?: string;
}) {
  return (
    <label className={classes('flex cursor-pointer items-center justify-center', className)}>
      <input
        type="checkbox"
        aria-label={label}
        checked={checked}
        onChange={({ nativeEvent }) => onChange(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
        className="size-4 accent-accent"
      />
    </label>
  );
}
