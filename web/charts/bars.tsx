/** Lying bars with their names and figures, each of which may lead to the decks it counts. The figures are text: nothing is only drawn. */
import type { DecksSearch } from '../decks/search.ts';
import { DecksLink } from './decks-link.tsx';

/** One bar. */
export interface Bar {
  readonly key: string;
  readonly name: string;
  readonly value: number;
  /** The value as people write it. */
  readonly text: string;
  /** A second figure, such as a mean; null where there is none. */
  readonly note?: string | null;
  /** The decks it counts, in the list; undefined where the list cannot show them. */
  readonly search?: DecksSearch;
}

/** All rows have the columns of the list, so that bars of the same value have the same length. */
const SUBGRID = 'col-span-full grid grid-cols-subgrid items-center';
const ROW = `${SUBGRID} rounded px-2 py-1 text-sm`;

/** The chart. `noteName` says what the second figures are. */
export function Bars({
  label,
  bars,
  noteName,
}: {
  readonly label: string;
  readonly bars: readonly Bar[];
  readonly noteName?: string;
}) {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  return (
    <ul
      aria-label={label}
      className="-mx-2 grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 sm:grid-cols-[minmax(0,5fr)_minmax(0,6fr)_auto]"
    >
      {bars.map((bar) => (
        <li key={bar.key} className={SUBGRID}>
          <DecksLink search={bar.search} className={ROW}>
            <span className="break-words max-sm:col-span-full">{bar.name}</span>
            <svg viewBox="0 0 100 10" preserveAspectRatio="none" className="h-3 w-full" aria-hidden>
              <rect width={(100 * bar.value) / most} height="10" rx="1" className="fill-accent" />
            </svg>
            <span className="text-right tabular-nums">
              <span className="font-medium">{bar.text}</span>
              {bar.note === undefined || bar.note === null ? null : (
                <span className="text-soft" title={noteName}>
                  {' '}
                  · Ø {bar.note}
                </span>
              )}
            </span>
          </DecksLink>
        </li>
      ))}
    </ul>
  );
}
