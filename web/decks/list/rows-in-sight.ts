/** Which rows of equal height are in sight of a scrolling element, so that only those are in the document. */
import { type RefObject, useCallback, useLayoutEffect, useState } from 'react';

/** Rows beyond both edges, so that fast scrolling shows no gaps. */
const BEYOND = 6;
/** The range moves in steps, so that not every pixel draws the table again. */
const STEP = 5;

/** Rows from `first` up to, and without, `end`. */
export interface RowRange {
  readonly first: number;
  readonly end: number;
}

export interface RowsLayout {
  readonly count: number;
  readonly rowPx: number;
  /** Height of what stands above the first row inside the element, without what sticks to its top. */
  readonly abovePx: number;
  /** Height of what sticks to the top of the element. */
  readonly headPx: number;
}

/** The range, and a function that scrolls a row into sight. */
export function useRowsInSight(
  scroller: RefObject<HTMLElement | null>,
  { count, rowPx, abovePx, headPx }: RowsLayout,
): RowRange & { readonly scrollTo: (index: number) => void } {
  const [range, setRange] = useState<RowRange>({ first: 0, end: 3 * BEYOND });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const look = (): void => {
      const topRow = Math.floor((element.scrollTop - abovePx) / rowPx / STEP) * STEP;
      const rows = Math.ceil(element.clientHeight / rowPx / STEP) * STEP;
      const first = Math.max(0, topRow - BEYOND);
      const end = Math.max(0, topRow + rows + STEP + BEYOND);
      setRange((before) => (before.first === first && before.end === end ? before : { first, end }));
    };
    look();
    element.addEventListener('scroll', look, { passive: true });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => {
      element.removeEventListener('scroll', look);
      observer.disconnect();
    };
  }, [scroller, rowPx, abovePx]);
  const scrollTo = useCallback(
    (index: number): void => {
      const element = scroller.current;
      if (element === null) return;
      const top = abovePx + index * rowPx;
      const least = top + headPx + rowPx - element.clientHeight;
      element.scrollTop = Math.min(top, Math.max(least, element.scrollTop));
    },
    [scroller, rowPx, abovePx, headPx],
  );
  const first = Math.min(range.first, count);
  return { first, end: Math.max(first, Math.min(range.end, count)), scrollTo };
}
