/** The head of the table: names of columns, which sort it. */
import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';
import type { DeckEntry, EntrySort } from '../../../domain/decks/list/entry.ts';
import { classes } from '../../ui/classes.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import { useWords, wordFor } from '../../words/language.ts';
import { orderOf, sortedNext } from '../filters/filter.ts';
import type { SearchProps } from '../search.ts';
import { clearSelection, selectDecks, useSelection } from '../selection/store.ts';
import { decksWords } from '../words.ts';
import { type Column, NAME_PX, SIDE_PX } from './columns.ts';

const HEAD = 'sticky top-0 z-20 h-[40px] border-b border-line bg-panel px-2.5 text-left text-xs font-medium text-soft';

export interface TableHeadProps extends SearchProps {
  readonly decks: readonly DeckEntry[];
  readonly columns: readonly Column[];
  /** Stands above the menus of the rows. */
  readonly corner: ReactNode;
}

/** Widths of the columns and the head. */
export function TableHead({ decks, columns, search, onSearch, corner }: TableHeadProps) {
  const words = useWords(decksWords);
  const heading = (label: string, sort: EntrySort | null, more: Partial<SortHeadProps> = {}): ReactNode => (
    <SortHead label={label} sort={sort} search={search} onSearch={onSearch} {...more} />
  );
  return (
    <>
      <colgroup>
        <col style={{ width: SIDE_PX }} />
        <col style={{ minWidth: NAME_PX }} />
        {columns.map(({ name, widthPx }) => (
          <col key={name} style={{ width: widthPx }} />
        ))}
        <col style={{ width: SIDE_PX }} />
      </colgroup>
      <thead>
        <tr aria-rowindex={1}>
          <td className={classes(HEAD, 'left-0 z-30 p-0')}>
            <SelectShown decks={decks} />
          </td>
          {heading(words.deck, 'company', { className: 'left-[44px] z-30 pl-0' })}
          {columns.map(({ name, sort, isNumber }) => (
            <SortHead
              key={name}
              label={words.columns[name]}
              hint={wordFor(words.columnHints, name)}
              sort={sort}
              search={search}
              onSearch={onSearch}
              className={isNumber ? 'text-right' : ''}
            />
          ))}
          <td className={classes(HEAD, 'right-0 p-0 text-center')}>{corner}</td>
        </tr>
      </thead>
    </>
  );
}

interface SortHeadProps extends SearchProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly sort: EntrySort | null;
  readonly className?: string;
}

/** The name of a column; a press sorts by it. */
function SortHead({ label, hint, sort, search, onSearch, className }: SortHeadProps) {
  const order = orderOf(search);
  const isSorted = order.by === sort;
  const Arrow = order.down ? ArrowDown : ArrowUp;
  const name =
    sort === null ? (
      <span className="cursor-default">{label}</span>
    ) : (
      <button
        type="button"
        onClick={() => onSearch(sortedNext(search, sort))}
        className={classes('inline-flex items-center gap-1 rounded py-1 hover:text-ink', isSorted && 'text-ink')}
      >
        {label}
        {isSorted ? <Arrow size={14} aria-hidden /> : null}
      </button>
    );
  return (
    <th
      scope="col"
      {...(sort === null ? {} : { 'aria-sort': isSorted ? (order.down ? 'descending' : 'ascending') : 'none' })}
      className={classes(HEAD, className)}
    >
      {hint === undefined ? name : <Tooltip text={hint}>{name}</Tooltip>}
    </th>
  );
}

/** Selects all decks that are loaded, or none. */
export function SelectShown({ decks }: { readonly decks: readonly DeckEntry[] }) {
  const words = useWords(decksWords);
  const selection = useSelection();
  const isAll = decks.length > 0 && decks.every(({ id }) => selection.has(id));
  return (
    <label className="flex h-[39px] w-[44px] cursor-pointer items-center justify-center">
      <input
        ref={(box) => {
          if (box !== null) box.indeterminate = selection.size > 0 && !isAll;
        }}
        type="checkbox"
        aria-label={words.selectAllShown}
        title={words.selectAllShown}
        checked={isAll}
        disabled={decks.length === 0}
        onChange={() => (isAll ? clearSelection() : selectDecks(decks))}
        className="size-4 accent-accent"
      />
    </label>
  );
}
