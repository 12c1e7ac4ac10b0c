/** Times in raw SQL: the columns are timestamps without a time zone, in UTC. */

/** An instant for such a column, to be cast with `::timestamp`. */
export const sqlTime = (atMs: number): string => new Date(atMs).toISOString().replace('T', ' ').replace('Z', '');
