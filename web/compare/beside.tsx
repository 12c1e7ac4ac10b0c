/**
 * A table whose columns stand side by side where there is room, and below each other where there is not: then each cell begins with the name of
 * its column. The roles keep it a table for screen readers either way.
 */
import type { ReactNode } from 'react';
import { classes } from '../ui/classes.ts';
import type { Column } from './model.ts';

/** Column of the names of rows, then one per review. */
const gridOf = (columns: number): string => `minmax(8rem, 13rem) repeat(${columns}, minmax(0, 1fr))`;

/** Where tables stand: says how many columns they have, so that they know how much room they need. */
export function BesideArea({ columns, children }: { readonly columns: number; readonly children: ReactNode }) {
  return (
    <div className="@container" data-columns={columns} style={{ '--beside': gridOf(columns) } as object}>
      {children}
    </div>
  );
}

/** The letter of a column. */
export const Letter = ({ column }: { readonly column: Column }) => (
  <span
    aria-hidden
    className="inline-flex size-5 shrink-0 items-center justify-center rounded bg-accent-tint text-xs font-semibold text-accent"
  >
    {column.letter}
  </span>
);

/** A table. `corner` names the column of row names. */
export function BesideTable({
  label,
  corner,
  columns,
  children,
}: {
  readonly label: string;
  readonly corner: string;
  readonly columns: readonly Column[];
  readonly children: ReactNode;
}) {
  return (
    <div role="table" aria-label={label} className="border-t border-line">
      <div role="row" className="sr-only">
        <span role="columnheader">{corner}</span>
        {columns.map((column) => (
          <span key={column.letter} role="columnheader">
            {column.name}
          </span>
        ))}
      </div>
      {children}
    </div>
  );
}

/** A row: its name, and a cell for each column. */
export function BesideRow({
  columns,
  name,
  cells,
  isHead = false,
}: {
  readonly columns: readonly Column[];
  readonly name: ReactNode;
  readonly cells: readonly ReactNode[];
  /** True for a row that begins a part, such as a chapter. */
  readonly isHead?: boolean;
}) {
  return (
    <div
      role="row"
      className={classes(
        'border-b border-line px-3 py-2 sm:px-5 print:break-inside-avoid beside:grid beside:grid-cols-(--beside) beside:gap-x-4',
        isHead && 'bg-raised',
      )}
    >
      <div role="rowheader" className={classes('text-sm break-words', isHead ? 'font-semibold' : 'text-soft')}>
        {name}
      </div>
      {cells.map((cell, index) => {
        const column = columns[index];
        return (
          <div
            key={column?.letter}
            role="cell"
            className={classes(
              'flex min-w-0 gap-2 py-1 text-sm break-words beside:block beside:py-0',
              isHead && 'py-0.5',
            )}
          >
            {column === undefined ? null : (
              <span className="beside:hidden">
                <Letter column={column} />
              </span>
            )}
            <div className="min-w-0 grow">{cell}</div>
          </div>
        );
      })}
    </div>
  );
}
