/** Finds which amounts of a slide are sums of others. */

interface Sized {
  readonly size: number;
}

export interface Sum<T extends Sized> {
  readonly total: T;
  /** All amounts that belong to some group of two or more with this sum. */
  readonly parts: readonly T[];
}

/** Among more amounts than this sums are found by chance. */
const MOST_AMOUNTS = 10;
const TOLERANCE = 0.005;

/** The amounts that are the sum of two or more smaller ones; nothing for a slide full of amounts. */
export function findSums<T extends Sized>(amounts: readonly T[]): Sum<T>[] {
  if (amounts.length > MOST_AMOUNTS) return [];
  return amounts.flatMap((total) => {
    const smaller = amounts.filter((amount) => amount.size < total.size);
    const parts = new Set<T>();
    for (let chosen = 1; chosen < 2 ** smaller.length; chosen += 1) {
      const group = smaller.filter((_, index) => Math.floor(chosen / 2 ** index) % 2 === 1);
      const sum = group.reduce((so, part) => so + part.size, 0);
      if (group.length >= 2 && Math.abs(sum - total.size) <= TOLERANCE * total.size)
        for (const part of group) parts.add(part);
    }
    return parts.size === 0 ? [] : [{ total, parts: [...parts] }];
  });
}
