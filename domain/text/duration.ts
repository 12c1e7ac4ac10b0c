/**
 * Durations in words, for reasons that people read.
 */

/** `0 s`, `45 s`, `3 min 10 s`, `2 h 5 min`. */
export function durationWords(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return twoParts(Math.floor(seconds / 60), 'min', seconds % 60, 's');
  const minutes = Math.round(seconds / 60);
  return twoParts(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
}

const twoParts = (large: number, largeUnit: string, small: number, smallUnit: string): string =>
  small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
