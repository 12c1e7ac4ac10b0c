/** Standing columns in order, each of which may lead to the decks it counts. The figures are text: nothing is only drawn. */
import type { DecksSearch } from '../decks/search.ts';
import { classes } from '../ui/classes.ts';
import { DecksLink } from './decks-link.tsx';

/** One column. */
export interface Column {
  readonly key: string;
  /** Under the column; as short as it can be. */
  readonly name: string;
  /** What it counts, in words: name and figures. */
  readonly title: string;
  readonly value: number;
  /** The value as people write it. */
  readonly text: string;
  readonly search?: DecksSearch;
}

/** Names that have room beside each other, in a wide and in a narrow window. */
const WIDE_NAMES = 16;
const NARROW_NAMES = 5;
/** So few columns all keep their names. */
const NAMED_ALWAYS = 7;

const COLUMN = 'flex h-full min-w-0 flex-col justify-end rounded px-0.5 text-center text-xs';

/** The chart. */
export function Histogram({ label, columns }: { readonly label: string; readonly columns: readonly Column[] }) {
  const most = Math.max(1, ...columns.map(({ value }) => value));
  const isNamed = (index: number, names: number): boolean => index % Math.ceil(columns.length / names) === 0;
  return (
    <ol
      aria-label={label}
      className="grid h-44 grid-rows-[100%]"
      style={{ gridTemplateColumns: `repeat(${columns.length}, minmax(0, 1fr))` }}
    >
      {columns.map(({ key, name, title, value, text, search }, index) => (
        <li key={key} className="h-full min-w-0">
          <DecksLink search={search} title={title} className={COLUMN}>
            <span className="sr-only">{title}</span>
            <span aria-hidden className="tabular-nums">
              {value === 0 ? '' : text}
            </span>
            <svg
              viewBox="0 0 10 100"
              preserveAspectRatio="none"
              className="mx-auto w-4/5 max-w-14"
              style={{ height: `${(value / most) * 70}%` }}
              aria-hidden
            >
              <rect width="10" height="100" className="fill-accent" />
            </svg>
            <span aria-hidden className="flex h-5 justify-center border-t border-edge pt-0.5 text-soft">
              <span
                className={classes(
                  'whitespace-nowrap',
                  !isNamed(index, WIDE_NAMES) && 'sm:invisible',
                  !isNamed(index, NARROW_NAMES) && columns.length > NAMED_ALWAYS && 'max-sm:invisible',
                )}
              >
                {name}
              </span>
            </span>
          </DecksLink>
        </li>
      ))}
    </ol>
  );
}
