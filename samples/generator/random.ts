/**
 * Seeded random numbers (mulberry32), so that a seed gives the same deck, or the same benchmark, on every machine.
 *
 * Everything random in the generator comes from here; it reads neither `Math.random` nor the clock.
 */

/** Seeded choices. Each call advances the one stream of the source. */
export interface Random {
  /** A number in [0, 1). */
  next(): number;
  /** A whole number between both bounds, both included. */
  int(low: number, high: number): number;
  /** True with the given probability. */
  chance(probability: number): boolean;
  /** One item of a list that is not empty. */
  pick<T>(items: readonly T[]): T;
  /** `count` different items (all of them when the list is shorter), in random order. */
  sample<T>(items: readonly T[], count: number): T[];
  /** A shuffled copy. */
  shuffle<T>(items: readonly T[]): T[];
}

function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
}

/** A source of numbers in [0, 1), the same for the same seed (an unsigned 32-bit number). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The random source of a seed. Sources with different seeds are independent. */
export function randomFrom(seed: number | string): Random {
  const next = seededRandom(hash(`deckhand:${seed}`));
  const int = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  const shuffle = <T>(items: readonly T[]): T[] => {
    const rest = [...items];
    const shuffled: T[] = [];
    while (rest.length > 0) shuffled.push(...rest.splice(int(0, rest.length - 1), 1));
    return shuffled;
  };
  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick: (items) => {
      const item = items[int(0, items.length - 1)];
      if (item === undefined) throw new RangeError('cannot pick from an empty list');
      return item;
    },
    sample: (items, count) => shuffle(items).slice(0, count),
    shuffle,
  };
}
