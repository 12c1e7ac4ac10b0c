/** Scores from 0 to 7, or counts of questions, as bars with their names, readable on a phone. A mark shows the machine's score where people gave another one. */
import { memo } from 'react';
import { MAX_SCORE } from '../../domain/decks/scoring.ts';

/** One bar. */
export interface ScoreBar {
  readonly key: string;
  readonly name: string;
  /** Null: no score, and no bar. */
  readonly value: number | null;
  /** Where the bar is full; the best score by default. */
  readonly max?: number;
  /** The score as people write it. */
  readonly text: string;
  /** The machine's score where it is another one. */
  readonly before: number | null;
}

const percent = (value: number, max: number): number => (100 * value) / max;

/** The chart. `onChoose` is told the key of a bar that is clicked. */
export const ScoreBars = memo(function ScoreBars({
  label,
  bars,
  onChoose,
}: {
  readonly label: string;
  readonly bars: readonly ScoreBar[];
  readonly onChoose: (key: string) => void;
}) {
  return (
    <ul aria-label={label} className="mb-2 px-1">
      {bars.map(({ key, name, value, max = MAX_SCORE, text, before }) => (
        <li key={key}>
          <button
            type="button"
            onClick={() => onChoose(key)}
            className="grid w-full grid-cols-[minmax(7rem,11rem)_minmax(0,1fr)_2.5rem] items-center gap-2 rounded px-2 py-1 text-left text-sm hover:bg-raised"
          >
            <span className="truncate">{name}</span>
            <svg viewBox="0 0 100 10" preserveAspectRatio="none" className="h-2.5 w-full" aria-hidden>
              <rect width="100" height="10" className="fill-line" />
              {value === null ? null : <rect width={percent(value, max)} height="10" className="fill-accent" />}
              {before === null ? null : (
                <rect x={percent(before, max) - 0.4} width="0.8" height="10" className="fill-ink" />
              )}
            </svg>
            <span className="text-right font-medium tabular-nums">{text}</span>
          </button>
        </li>
      ))}
    </ul>
  );
});
