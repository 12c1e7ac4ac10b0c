/** A chart with its title, and its figures as a table on demand. */
import { type ReactNode, useId } from 'react';
import { Disclosure } from '../ui/disclosure.tsx';
import { classes } from '../ui/classes.ts';
import { useWords } from '../words/language.ts';
import { portfolioWords } from './words.ts';

/** The figures of a chart. The first column has names, the others have figures. */
export interface ChartTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The card. */
export function ChartCard({
  title,
  lead,
  table,
  isWide = false,
  children,
}: {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly table: ChartTable;
  /** True for a chart that takes the whole width. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}) {
  const words = useWords(portfolioWords);
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className={classes(
        'flex min-w-0 flex-col gap-2 rounded-lg border border-line bg-panel p-4 print:break-inside-avoid',
        isWide && 'lg:col-span-2',
      )}
    >
      <h2 id={id} className="font-semibold">
        {title}
      </h2>
      {lead === undefined ? null : <p className="text-sm text-soft">{lead}</p>}
      {table.rows.length === 0 ? <p className="text-sm text-soft">{words.nothing}</p> : children}
      {table.rows.length === 0 ? null : (
        <Disclosure title={words.table} className="no-print mt-auto">
          <Figures label={title} table={table} />
        </Disclosure>
      )}
    </section>
  );
}

function Figures({ label, table: { head, rows } }: { readonly label: string; readonly table: ChartTable }) {
  return (
    <table aria-label={label} className="w-full text-sm">
      <thead className="border-b border-line text-left text-xs text-soft">
        <tr>
          {head.map((name, index) => (
            <th key={name} scope="col" className={classes('py-1 font-medium', index > 0 && 'text-right')}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row[0]} className="border-b border-line last:border-0">
            {row.map((cell, index) =>
              index === 0 ? (
                <th key={head[index]} scope="row" className="py-1 text-left font-normal">
                  {cell}
                </th>
              ) : (
                <td key={head[index]} className="py-1 text-right tabular-nums">
                  {cell}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
