/** Times in raw SQL: the tables hold timestamps without a zone, in UTC. */

/** An instant as such a column takes it, to be cast with `::timestamp`. */
export const sqlTime = (atMs: number): string => new Date(atMs).toISOString().replace('T', ' ').replace('Z', '');
