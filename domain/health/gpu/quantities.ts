/**
 * The figures in what `nvidia-smi` and `df` print: a number with its unit, or one of many ways to say that there is none.
 */

const MIB = 1024 * 1024;
/** Characters of the longest text that may be a figure. */
const LONGEST_FIGURE = 60;
/** Bytes of the units of memory that nvidia-smi uses. */
const MEMORY_UNITS: Readonly<Record<string, number>> = { B: 1, KiB: 1024, MiB: MIB, GiB: 1024 * MIB };

/**
 * The number a text begins with, in whatever unit follows it; null for `N/A`, `[Not Supported]`, `Unknown Error`, `ERR!`, `GPU is lost` and
 * everything else that is no number.
 */
export function numberIn(text: string | null): number | null {
  // Figures are short; a longer text would take the expression below for ever.
  if (text === null || text.length > LONGEST_FIGURE) return null;
  const match = /^\s*(-?\d+(?:\.\d+)?)(?:\s*[A-Za-z%/]*)?\s*$/u.exec(text);
  if (match === null) return null;
  const value = Number(match[1]);
  return Number.isFinite(value) ? value : null;
}

/** A number that counts something: whole and not negative. */
export function countIn(text: string | null): number | null {
  const value = numberIn(text);
  return value !== null && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** Bytes of `81920 MiB`. */
export function bytesIn(text: string | null): number | null {
  const value = numberIn(text);
  if (value === null || value < 0) return null;
  const unit = /[A-Za-z]+\s*$/u.exec(text ?? '')?.[0].trim() ?? 'B';
  const factor = MEMORY_UNITS[unit];
  if (factor === undefined) return null;
  const bytes = value * factor;
  return bytes <= Number.MAX_SAFE_INTEGER ? Math.round(bytes) : null;
}

/** Share of `37 %`, 0 to 1. */
export function ratioIn(text: string | null): number | null {
  const value = numberIn(text);
  return value !== null && value >= 0 && value <= 100 ? value / 100 : null;
}

/** The two words nvidia-smi has for a switch; null for all others. */
export function switchIn(text: string | null): boolean | null {
  switch (text?.trim().toLowerCase()) {
    case 'yes':
    case 'enabled':
    case 'active':
      return true;
    case 'no':
    case 'disabled':
    case 'not active':
      return false;
    default:
      return null;
  }
}
