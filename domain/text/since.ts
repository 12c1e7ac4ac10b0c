/**
 * A moment in the past as people write it: `2d`, `36h`, `90m`, or a date.
 */

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;
const AGO = /^(\d{1,6})\s*([mhdw])$/u;
const DATE = /^\d{4}-\d{2}-\d{2}/u;

/** The moment, or null for text that names none. A duration counts back from `nowMs`. */
export function parseSince(text: string, nowMs: number): Date | null {
  const trimmed = text.trim();
  const ago = AGO.exec(trimmed);
  if (ago !== null) return new Date(nowMs - Number(ago[1]) * UNIT_MS[ago[2] as keyof typeof UNIT_MS]);
  const atMs = DATE.test(trimmed) ? Date.parse(trimmed) : Number.NaN;
  return Number.isNaN(atMs) ? null : new Date(atMs);
}
