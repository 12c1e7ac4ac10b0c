/** Finds the name that was probably meant. */

/** Names that differ in more than this share of their letters are no guess. */
const MAX_DIFFERENT_SHARE = 0.4;

/** The first candidate that begins like that, else the one with the fewest letters to change; null when none is near. */
export function closestName(text: string, candidates: readonly string[]): string | null {
  const wanted = text.toLowerCase();
  const longer = wanted === '' ? undefined : candidates.find((name) => name.toLowerCase().startsWith(wanted));
  if (longer !== undefined) return longer;
  let best: { readonly name: string; readonly distance: number } | null = null;
  for (const name of candidates) {
    const distance = editDistance(wanted, name.toLowerCase());
    if (best === null || distance < best.distance) best = { name, distance };
  }
  return best !== null && best.distance <= Math.max(text.length, best.name.length) * MAX_DIFFERENT_SHARE
    ? best.name
    : null;
}

/** Levenshtein distance: insertions, deletions and replacements from one text to the other. */
export function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 0; i < from.length; i += 1) {
    const row = [i + 1];
    for (let j = 0; j < to.length; j += 1) {
      const replaced = (previous[j] ?? 0) + (from[i] === to[j] ? 0 : 1);
      row.push(Math.min(replaced, (previous[j + 1] ?? 0) + 1, (row[j] ?? 0) + 1));
    }
    previous = row;
  }
  return previous[to.length] ?? 0;
}
