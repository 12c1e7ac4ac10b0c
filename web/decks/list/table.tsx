/** The decks as a table, for wide windows. Only the rows in sight are in the document, so that thousands of decks scroll smoothly. */
import { Columns3Cog } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Menu, MenuCheck, MenuItem, MenuLabel, MenuLine } from '../../ui/menu.tsx';
import { useWords } from '../../words/language.ts';
import type { DecksSearch } from '../search.ts';
import { useUploadCount } from '../uploads/queue.ts';
import { UploadRows } from '../uploads/rows.tsx';
import { decksWords } from '../words.ts';
import { chooseColumns, type Column, COLUMNS, NAME_PX, SIDE_PX, useColumns, useHasChosenColumns } from './columns.ts';
import { useRowKeys } from './keys.ts';
import type { ListProps } from './props.ts';
import { DeckRow, ROW_PX } from './row.tsx';
import { useRowsInSight } from './rows-in-sight.ts';
import { TableHead } from './table-head.tsx';

const HEAD_PX = 40;

/** The table. */
export function DeckTable({ decks, total, search, onSearch, onSelect, onNear, isStale, children }: ListProps) {
  const words = useWords(decksWords);
  const scroller = useRef<HTMLDivElement>(null);
  const widthPx = useWidth(scroller);
  const columns = useColumns(widthPx);
  const uploads = useUploadCount();
  const { first, end, scrollTo } = useRowsInSight(scroller, {
    count: decks.length,
    rowPx: ROW_PX,
    abovePx: uploads * ROW_PX,
    headPx: HEAD_PX,
  });
  useRowKeys(decks, scrollTo, onSelect);
  useEffect(() => onNear(end - 1), [end, onNear]);
  useStartAtTop(scroller, search);
  const leastPx = NAME_PX + 2 * SIDE_PX + columns.reduce((sum, column) => sum + column.widthPx, 0);
  return (
    // The router brings back the place in the list when somebody comes back to it.
    <div
      ref={scroller}
      data-scroll-restoration-id="decks"
      className="relative min-h-0 grow overflow-auto rounded-lg border border-line bg-panel"
    >
      <table
        aria-label={words.list}
        aria-rowcount={total + 1}
        aria-busy={isStale}
        className={classes('w-full table-fixed border-separate border-spacing-0 text-sm', isStale && 'opacity-60')}
        style={{ minWidth: leastPx }}
      >
        <TableHead
          decks={decks}
          columns={columns}
          search={search}
          onSearch={onSearch}
          corner={<ColumnsMenu shown={columns} />}
        />
        <UploadRows columns={columns.length} />
        <tbody>
          <Spacer rows={first} />
          {decks.slice(first, end).map((deck, offset) => (
            <DeckRow key={deck.id} deck={deck} index={first + offset} columns={columns} onSelect={onSelect} />
          ))}
          <Spacer rows={decks.length - end} />
        </tbody>
      </table>
      <div className="sticky left-0">{children}</div>
    </div>
  );
}

/** Stands for rows that are not in sight. */
const Spacer = ({ rows }: { readonly rows: number }) =>
  rows <= 0 ? null : (
    <tr aria-hidden>
      <td style={{ height: rows * ROW_PX }} />
    </tr>
  );

/** Scrolls to the top when something else is searched for, but not when the page is opened. */
function useStartAtTop(element: { readonly current: HTMLElement | null }, search: DecksSearch): void {
  const shown = useRef(search);
  useEffect(() => {
    if (shown.current === search) return;
    shown.current = search;
    if (element.current !== null) element.current.scrollTop = 0;
  }, [element, search]);
}

/** Width of an element, as it changes. */
function useWidth(element: { readonly current: HTMLElement | null }): number {
  const [widthPx, setWidthPx] = useState(() => document.documentElement.clientWidth);
  useEffect(() => {
    if (element.current === null) return;
    const observer = new ResizeObserver(([entry]) => setWidthPx((before) => entry?.contentRect.width ?? before));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return widthPx;
}

/** Chooses the columns; `shown` are those of now. */
function ColumnsMenu({ shown }: { readonly shown: readonly Column[] }) {
  const words = useWords(decksWords);
  const hasChosen = useHasChosenColumns();
  const names = shown.map(({ name }) => name);
  return (
    <Menu
      trigger={
        <IconButton label={words.chooseColumns}>
          <Columns3Cog size={16} aria-hidden />
        </IconButton>
      }
    >
      <MenuLabel>{words.chooseColumns}</MenuLabel>
      {COLUMNS.map(({ name }) => (
        <MenuCheck
          key={name}
          checked={names.includes(name)}
          onChange={(on) => chooseColumns(on ? [...names, name] : names.filter((each) => each !== name))}
        >
          {words.columns[name]}
        </MenuCheck>
      ))}
      {hasChosen ? (
        <>
          <MenuLine />
          <MenuItem onSelect={() => chooseColumns(null)}>{words.columnsThatFit}</MenuItem>
        </>
      ) : null}
    </Menu>
  );
}
