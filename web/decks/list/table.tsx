/** The decks as a table, for wide windows. Only the rows in sight are in the document, so that thousands of decks scroll smoothly. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { classes } from '../../ui/classes.ts';
import { useWords } from '../../words/language.ts';
import { useUploadCount } from '../uploads/queue.ts';
import { UploadRows } from '../uploads/rows.tsx';
import { decksWords } from '../words.ts';
import { ColumnsMenu } from './columns-menu.tsx';
import { NAME_PX, SIDE_PX, useColumns } from './columns.ts';
import { useRowKeys } from './keys.ts';
import type { ListProps } from './props.ts';
import { DeckRow, ROW_PX } from './row.tsx';
import { TableHead } from './table-head.tsx';

const HEAD_PX = 40;
const OVERSCAN = 8;

/** The table. */
export function DeckTable({ decks, total, search, onSearch, onSelect, onNear, isStale, end }: ListProps) {
  const words = useWords(decksWords);
  const scroller = useRef<HTMLDivElement>(null);
  const widthPx = useWidth(scroller);
  const columns = useColumns(widthPx);
  const uploads = useUploadCount();
  const virtualizer = useVirtualizer({
    count: decks.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: useCallback((index: number) => decks[index]?.id ?? index, [decks]),
    overscan: OVERSCAN,
    scrollMargin: HEAD_PX + uploads * ROW_PX,
    scrollPaddingStart: HEAD_PX,
  });
  useRowKeys(decks, (index) => virtualizer.scrollToIndex(index), onSelect);
  const rows = virtualizer.getVirtualItems();
  const lastIndex = rows.at(-1)?.index ?? 0;
  useEffect(() => onNear(lastIndex), [lastIndex, onNear]);
  const beforePx = rows.length === 0 ? 0 : (rows[0]?.start ?? 0) - virtualizer.options.scrollMargin;
  const afterPx = virtualizer.getTotalSize() - beforePx - rows.length * ROW_PX;
  const leastPx = NAME_PX + 2 * SIDE_PX + columns.reduce((sum, column) => sum + column.widthPx, 0);
  return (
    <div ref={scroller} className="relative min-h-0 grow overflow-auto rounded-lg border border-line bg-panel">
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
          <Spacer heightPx={beforePx} />
          {rows.map(({ index, key }) => {
            const deck = decks[index];
            return deck === undefined ? null : (
              <DeckRow key={key} deck={deck} index={index} columns={columns} onSelect={onSelect} />
            );
          })}
          <Spacer heightPx={afterPx} />
        </tbody>
      </table>
      <div className="sticky left-0">{end}</div>
    </div>
  );
}

/** Stands for rows that are not in sight. */
function Spacer({ heightPx }: { readonly heightPx: number }): ReactNode {
  return heightPx <= 0 ? null : (
    <tr aria-hidden>
      <td style={{ height: heightPx }} />
    </tr>
  );
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
