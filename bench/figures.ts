/** The result of a benchmark: figures, most of them with an aim. */
import { availableParallelism, totalmem } from 'node:os';

/** One measured figure. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  /** `s`, `ratio`, `pages/s` … */
  readonly unit: string;
  /** Such as `<= 1.05`; null = for information only. */
  readonly aim: string | null;
  /** Null without an aim. */
  readonly met: boolean | null;
}

/** What `deckhand bench NAME --json` prints. */
export interface BenchReport {
  readonly bench: string;
  readonly startedAt: string;
  readonly machine: { readonly cores: number; readonly memGiB: number; readonly node: string };
  readonly figures: readonly Figure[];
}

/** True if `value` meets an aim such as `<= 1.05` or `>= 0.8`. @throws Error for an aim in another form */
export function meetsAim(value: number, aim: string): boolean {
  const match = /^(<=|>=)\s*(\d+(?:\.\d+)?)$/u.exec(aim);
  if (match === null) throw new Error(`an aim is written like "<= 1.05", not "${aim}"`);
  const limit = Number(match[2]);
  return match[1] === '<=' ? value <= limit : value >= limit;
}

/** Collects figures and prints each one as it is measured. */
export class Figures {
  readonly list: Figure[] = [];
  readonly #tell: (line: string) => void;

  constructor(tell: (line: string) => void) {
    this.#tell = tell;
  }

  /** Adds a figure. */
  add(name: string, value: number, unit: string, aim: string | null = null): void {
    const figure: Figure = { name, value: round(value), unit, aim, met: aim === null ? null : meetsAim(value, aim) };
    this.list.push(figure);
    this.#tell(lineOf(figure));
  }
}

/** Four significant digits. */
const round = (value: number): number => Number(value.toPrecision(4));

/** One figure as a line of text. */
export function lineOf({ name, value, unit, aim, met }: Figure): string {
  const verdict = met === null ? '' : met ? `  (aim ${aim}, met)` : `  (aim ${aim}, NOT met)`;
  return `${name}: ${value} ${unit}${verdict}`;
}

/** The machine on which the figures were measured. */
export const machineFacts = (): BenchReport['machine'] => ({
  cores: availableParallelism(),
  memGiB: Math.round(totalmem() / 1024 ** 3),
  node: process.version,
});

/** The smallest value that `share` of the values do not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}
