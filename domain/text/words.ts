/** Counts, durations and amounts of money as text for people, and the times that people write. */
import { Decimal } from 'decimal.js';

/** `1 slide`, `2 slides`; `many` is the plural where it is not formed with an s. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** A duration in its two largest units: `0 s`, `45 s`, `3 min 10 s`, `2 h 5 min`. */
export function durationWords(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return twoParts(Math.floor(seconds / 60), 'min', seconds % 60, 's');
  const minutes = Math.round(seconds / 60);
  return twoParts(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
}

const twoParts = (large: number, largeUnit: string, small: number, smallUnit: string): string =>
  small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;

/** `$1,234.56`; amounts below a dollar with four places or two significant digits, because a call costs fractions of a cent. */
export function usdText(usd: Decimal.Value): string {
  const amount = new Decimal(usd);
  const places = !amount.isZero() && amount.abs().lessThan(1) ? Math.max(4, 1 - amount.e) : 2;
  const [whole = '0', fraction = ''] = amount.abs().toFixed(places).split('.');
  const sign = amount.isNegative() && !amount.isZero() ? '−' : '';
  return `${sign}$${whole.replaceAll(/\B(?=(?:\d{3})+$)/gu, ',')}.${fraction}`;
}

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
const AGO = /^(\d{1,6})\s*([mhdw])$/u;
const DATE = /^\d{4}-\d{2}-\d{2}/u;

/** A past time as people write it (`2d`, `36h`, `90m`, `1w`, or a date); null for other text. A duration counts back from `nowMs`. */
export function parseSince(text: string, nowMs: number): Date | null {
  const trimmed = text.trim();
  const ago = AGO.exec(trimmed);
  if (ago !== null) return new Date(nowMs - Number(ago[1]) * UNIT_MS[ago[2] as keyof typeof UNIT_MS]);
  const atMs = DATE.test(trimmed) ? Date.parse(trimmed) : Number.NaN;
  return Number.isNaN(atMs) ? null : new Date(atMs);
}
