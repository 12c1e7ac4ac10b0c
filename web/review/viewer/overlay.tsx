/** The lit words of a slide: the rest is dimmed a little, so that the place is seen on light and dark slides alike. In coordinates of the page. */
import { memo, useId } from 'react';
import type { Box } from '../../../domain/pages/page.ts';
import type { Size } from './zoom.ts';

/** Space around the words, as a share of the width of the page. */
const MARGIN_SHARE = 0.004;

const rectOf = ([left, top, right, bottom]: Readonly<Box>, margin: number) => ({
  x: left - margin,
  y: top - margin,
  width: Math.max(0, right - left) + 2 * margin,
  height: Math.max(0, bottom - top) + 2 * margin,
  rx: margin,
});

/** The overlay. `lit` is the quote that is shown, `others` are further quotes of the same claim on this slide. */
export const Overlay = memo(function Overlay({
  page,
  lit,
  others,
}: {
  readonly page: Size;
  readonly lit: readonly Readonly<Box>[];
  readonly others: readonly Readonly<Box>[];
}) {
  const id = useId();
  if (lit.length === 0 && others.length === 0) return null;
  const margin = page.width * MARGIN_SHARE;
  const rects = (boxes: readonly Readonly<Box>[]) =>
    boxes.map((box) => <rect key={box.join(' ')} {...rectOf(box, margin)} />);
  const outside = (boxes: readonly Readonly<Box>[], name: string) => (
    <mask id={`${id}-${name}`} maskUnits="userSpaceOnUse" x={0} y={0} width={page.width} height={page.height}>
      <rect width={page.width} height={page.height} fill="white" />
      <g fill="black">{rects(boxes)}</g>
    </mask>
  );
  return (
    <svg
      viewBox={`0 0 ${page.width} ${page.height}`}
      className="pointer-events-none absolute inset-0 size-full"
      aria-hidden
      data-lit={lit.length}
    >
      <defs>
        {outside(lit, 'lit')}
        {outside([...lit, ...others], 'all')}
      </defs>
      <rect width={page.width} height={page.height} fill="black" opacity={0.16} mask={`url(#${id}-all)`} />
      <g
        stroke="var(--mark)"
        fill="none"
        strokeWidth={margin}
        strokeDasharray={`${2 * margin}`}
        mask={`url(#${id}-all)`}
      >
        {rects(others)}
      </g>
      <g opacity={0.28} fill="var(--mark)">
        {rects(lit)}
      </g>
      <g stroke="#e0a800" fill="none" strokeWidth={1.6 * margin} mask={`url(#${id}-lit)`}>
        {rects(lit)}
      </g>
    </svg>
  );
});
