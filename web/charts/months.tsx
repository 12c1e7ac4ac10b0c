/** Decks by month as columns, with a mean of theirs as a line below. */
import { type Column, Histogram } from './histogram.tsx';

/** One month. */
export interface Month extends Column {
  /** As a share of what can be reached; null where no deck of the month has the figure. */
  readonly mean: number | null;
  /** The mean as people write it. */
  readonly meanText: string;
}

/** The chart. */
export function Months({
  label,
  meanLabel,
  months,
}: {
  readonly label: string;
  readonly meanLabel: string;
  readonly months: readonly Month[];
}) {
  const step = 100 / Math.max(1, months.length);
  const points = months.flatMap(({ key, mean, meanText }, index) =>
    mean === null ? [] : [{ key, meanText, x: (index + 0.5) * step, y: 100 - mean * 100 }],
  );
  return (
    <div className="flex flex-col gap-3">
      <Histogram label={label} columns={months} />
      <div aria-hidden>
        <p className="text-xs text-soft">{meanLabel}</p>
        <div className="relative mt-4 mb-1 h-16 border-b border-edge">
          <svg viewBox="0 0 100 100" preserveAspectRatio="none" className="absolute inset-0 h-full w-full">
            <polyline
              points={points.map(({ x, y }) => `${x},${y}`).join(' ')}
              className="fill-none stroke-accent"
              strokeWidth="2"
              vectorEffect="non-scaling-stroke"
            />
          </svg>
          {points.map(({ key, meanText, x, y }) => (
            <span
              key={key}
              className="absolute flex -translate-x-1/2 flex-col items-center text-xs tabular-nums"
              style={{ left: `${x}%`, bottom: `calc(${100 - y}% - 0.25rem)` }}
            >
              {meanText}
              <span className="size-2 rounded-full bg-accent" />
            </span>
          ))}
        </div>
      </div>
    </div>
  );
}
