/** Checks words that come from a database column or a query against a list. */

/** The value as one of the members, or null when it is none of them. */
export function memberOf<T extends string>(members: readonly T[], value: string | null): T | null {
  return members.find((member) => member === value) ?? null;
}

/** True for the name of a row of a table. */
export const isNameIn = <K extends string>(table: Readonly<Record<K, unknown>>, name: string): name is K =>
  Object.hasOwn(table, name);
