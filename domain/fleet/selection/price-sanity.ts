/**
 * A gate against misprints in a catalogue: prices of zero, or far from what the same GPU costs elsewhere in it or cost before.
 */

/** A price this many times the usual one, or this fraction of it, is taken for a mistake. */
const ABSURD_FACTOR = 5;
/** With only one other type of the same GPU it is not known which of the two prices is wrong. */
const MIN_PEERS = 2;

/** What a price is held against. All per hour and GPU, USD. */
export interface UsualPrices {
  /** Of other types with the same GPU on the same market. */
  readonly peers: readonly number[];
  /** Last price of this very type that was accepted; null when there is none. */
  readonly lastGood: number | null;
}

/** What is wrong with a price per GPU and hour, as the end of a sentence; null when it is plausible. */
export function whyImplausible(usdPerGpuHour: number, usual: UsualPrices): string | null {
  if (!Number.isFinite(usdPerGpuHour) || usdPerGpuHour <= 0) return 'the catalogue has no price for it';
  const { lastGood, peers } = usual;
  if (lastGood !== null && isAbsurd(usdPerGpuHour, lastGood)) return jump(usdPerGpuHour, lastGood, 'it cost before');
  const sorted = peers.filter((p) => Number.isFinite(p) && p > 0).toSorted((a, b) => a - b);
  if (sorted.length < MIN_PEERS) return null;
  const median = sorted[Math.floor(sorted.length / 2)] ?? usdPerGpuHour;
  return isAbsurd(usdPerGpuHour, median) ? jump(usdPerGpuHour, median, 'other types with this GPU cost') : null;
}

/** True for a price that cannot be what was meant. @param usual what it was said to be, or was before */
export const isAbsurd = (price: number, usual: number): boolean =>
  price > usual * ABSURD_FACTOR || price < usual / ABSURD_FACTOR;

const jump = (price: number, usual: number, what: string): string =>
  `the catalogue's $${price.toFixed(2)} per GPU and hour is far from the $${usual.toFixed(2)} that ${what}`;
