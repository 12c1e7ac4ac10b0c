/** How far people are from the machine: a bar to the left where the machine scores higher, to the right where people do. */
import { MAX_SCORE } from '../../domain/decks/scoring.ts';
import { useLanguage } from '../words/language.ts';
import { formatSigned } from '../format.ts';

const WIDTH = 120;
const HEIGHT = 16;
/** Larger differences are drawn as long as this one: scores rarely differ by more. */
const FULL = Math.ceil(MAX_SCORE / 2);

/** The bar with its number; a dash where nothing can be compared. */
export function DifferenceBar({ difference }: { readonly difference: number | null }) {
  const language = useLanguage();
  const length = (Math.min(FULL, Math.abs(difference ?? 0)) / FULL) * (WIDTH / 2);
  return (
    <span className="flex items-center gap-2">
      <span className="w-10 shrink-0 text-right font-medium tabular-nums">{formatSigned(difference, language)}</span>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden className="h-4 w-16 sm:w-30" preserveAspectRatio="none">
        <line
          x1={WIDTH / 2}
          x2={WIDTH / 2}
          y1={0}
          y2={HEIGHT}
          className="stroke-edge"
          vectorEffect="non-scaling-stroke"
        />
        <rect
          x={(difference ?? 0) < 0 ? WIDTH / 2 - length : WIDTH / 2}
          y={3}
          width={length}
          height={HEIGHT - 6}
          className="fill-accent"
        />
      </svg>
    </span>
  );
}
