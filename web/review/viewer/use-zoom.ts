/** Zoom and position of the slide in its view: fit, steps, wheel with Ctrl, two fingers, and dragging. */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Box } from '../../../domain/pages/page.ts';
import { useElementSize } from '../../ui/element-size.ts';
import { ACTUAL_SCALE, fitScale, limitedScale, scrollKeeping, scrollToBox, stepScale, type Size } from './zoom.ts';

/** How much a turn of the wheel changes the scale. */
const WHEEL_RATE = 0.0025;

/** A point in the view. */
interface Point {
  readonly x: number;
  readonly y: number;
}

/** What the view and its controls need. */
export interface Zoom {
  readonly viewRef: (element: HTMLDivElement | null) => (() => void) | undefined;
  /** CSS pixels per point. */
  readonly scale: number;
  readonly isFit: boolean;
  readonly zoomIn: () => void;
  readonly zoomOut: () => void;
  readonly fit: () => void;
  readonly actualSize: () => void;
  /** Brings a box of the page into the middle of the view, where the page is larger than the view. */
  readonly reveal: (box: Readonly<Box>) => void;
}

/** Follows the zoom of a page. */
export function useZoom(page: Size): Zoom {
  const [sizeRef, view] = useElementSize<HTMLDivElement>();
  const [chosen, setChosen] = useState<number | null>(null);
  const element = useRef<HTMLDivElement | null>(null);
  const scroll = useRef<{ readonly left: number; readonly top: number } | null>(null);
  const fitted = fitScale(page, view);
  const scale = chosen ?? fitted;
  const current = useRef(scale);
  useLayoutEffect(() => {
    current.current = scale;
    if (scroll.current !== null) element.current?.scrollTo(scroll.current);
    scroll.current = null;
  }, [scale]);

  const zoomTo = useCallback((next: number, at: Point | null): void => {
    const target = element.current;
    if (target === null) return;
    const { x, y } = at ?? { x: target.clientWidth / 2, y: target.clientHeight / 2 };
    const factor = next / current.current;
    scroll.current = {
      left: scrollKeeping(target.scrollLeft, x, factor),
      top: scrollKeeping(target.scrollTop, y, factor),
    };
    setChosen(next);
  }, []);

  const viewRef = useCallback(
    (target: HTMLDivElement | null) => {
      element.current = target;
      if (target === null) return undefined;
      const stopSize = sizeRef(target);
      const stopGestures = followGestures(target, () => current.current, zoomTo);
      return () => {
        stopGestures();
        if (typeof stopSize === 'function') stopSize();
      };
    },
    [sizeRef, zoomTo],
  );

  const reveal = useCallback((box: Readonly<Box>): void => {
    const target = element.current;
    if (target === null) return;
    target.scrollTo(scrollToBox(box, current.current, { width: target.clientWidth, height: target.clientHeight }));
  }, []);

  // A view that became so small that nothing can be seen begins to fit again.
  useEffect(() => {
    if (view.width > 0 && chosen !== null && chosen < fitted / 4) setChosen(null);
  }, [view.width, chosen, fitted]);

  return {
    viewRef,
    scale,
    isFit: chosen === null,
    zoomIn: useCallback(() => zoomTo(stepScale(current.current, 'in'), null), [zoomTo]),
    zoomOut: useCallback(() => zoomTo(stepScale(current.current, 'out'), null), [zoomTo]),
    fit: useCallback(() => setChosen(null), []),
    actualSize: useCallback(() => zoomTo(ACTUAL_SCALE, null), [zoomTo]),
    reveal,
  };
}

/** Follows wheel, fingers and dragging in a view. */
function followGestures(
  target: HTMLDivElement,
  scaleNow: () => number,
  zoomTo: (scale: number, at: Point) => void,
): () => void {
  const pointers = new Map<number, Point>();
  let pinch: { readonly distance: number; readonly scale: number } | null = null;
  let drag: (Point & { readonly left: number; readonly top: number }) | null = null;

  const inView = ({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }): Point => {
    const { left, top } = target.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  };
  const onWheel = (event: WheelEvent): void => {
    if (!event.ctrlKey && !event.metaKey) return;
    // Else the browser zooms the whole page.
    event.preventDefault();
    zoomTo(limitedScale(scaleNow() * Math.exp(-event.deltaY * WHEEL_RATE)), inView(event));
  };
  const onDown = (event: PointerEvent): void => {
    pointers.set(event.pointerId, inView(event));
    const [first, second] = [...pointers.values()];
    if (first !== undefined && second !== undefined) {
      pinch = { distance: distanceOf(first, second), scale: scaleNow() };
      return;
    }
    const isText = event.target instanceof HTMLSpanElement;
    if (event.pointerType !== 'mouse' || event.button !== 0 || isText) return;
    drag = { ...inView(event), left: target.scrollLeft, top: target.scrollTop };
  };
  const onMove = (event: PointerEvent): void => {
    const at = inView(event);
    if (pointers.has(event.pointerId)) pointers.set(event.pointerId, at);
    const [first, second] = [...pointers.values()];
    if (pinch !== null && first !== undefined && second !== undefined) {
      const middle = { x: (first.x + second.x) / 2, y: (first.y + second.y) / 2 };
      zoomTo(limitedScale((pinch.scale * distanceOf(first, second)) / Math.max(1, pinch.distance)), middle);
    } else if (drag !== null) {
      target.scrollTo({ left: drag.left + drag.x - at.x, top: drag.top + drag.y - at.y });
    }
  };
  const onUp = (event: PointerEvent): void => {
    pointers.delete(event.pointerId);
    pinch = null;
    drag = null;
  };

  target.addEventListener('wheel', onWheel, { passive: false });
  target.addEventListener('pointerdown', onDown);
  // A pointer that leaves the view goes on dragging.
  globalThis.addEventListener('pointermove', onMove);
  globalThis.addEventListener('pointerup', onUp);
  globalThis.addEventListener('pointercancel', onUp);
  return () => {
    target.removeEventListener('wheel', onWheel);
    target.removeEventListener('pointerdown', onDown);
    globalThis.removeEventListener('pointermove', onMove);
    globalThis.removeEventListener('pointerup', onUp);
    globalThis.removeEventListener('pointercancel', onUp);
  };
}

const distanceOf = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);
