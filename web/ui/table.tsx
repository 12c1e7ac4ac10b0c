/** A table in a frame, and the cells that tables share. */
import type { ComponentProps, ReactNode } from 'react';
import { classes } from './classes.ts';

/** The table; `head` are the cells of its head, `children` its rows. */
export const Table = ({
  head,
  className,
  children,
}: {
  readonly head: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
}) => (
  <div className="overflow-hidden rounded-lg border border-line bg-panel">
    <table className={classes('w-full text-sm', className)}>
      <thead className="border-b border-line bg-raised text-left text-xs text-soft">
        <tr>{head}</tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
);

/** The name of a column. */
export const ColumnHead = ({ className, ...rest }: ComponentProps<'th'>) => (
  <th scope="col" {...rest} className={classes('px-3 py-2 font-medium', className)} />
);

/** The name of a row. */
export const RowHead = ({ children }: { readonly children: ReactNode }) => (
  <th scope="row" className="px-3 py-2 text-left font-normal">
    {children}
  </th>
);
