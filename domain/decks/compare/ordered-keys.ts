/** The keys of several lists as one list. */

/** Each key once, by its earliest position in any of the lists, so that the order of the lists does not matter. */
export function orderedKeys(lists: readonly (readonly { readonly key: string }[])[]): string[] {
  const place = new Map<string, number>();
  for (const list of lists) {
    for (const [index, { key }] of list.entries()) place.set(key, Math.min(index, place.get(key) ?? index));
  }
  return [...place]
    .toSorted(([keyA, placeA], [keyB, placeB]) => placeA - placeB || (keyA < keyB ? -1 : 1))
    .map(([key]) => key);
}
