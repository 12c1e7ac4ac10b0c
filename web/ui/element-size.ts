/** Size of an element, followed while it is shown. */
import { useCallback, useState, type RefCallback } from 'react';

/** In CSS pixels, without padding. */
export interface ElementSize {
  readonly width: number;
  readonly height: number;
}

/** @example const [ref, size] = useElementSize(); <div ref={ref}>…</div> */
export function useElementSize<E extends Element>(): readonly [RefCallback<E>, ElementSize] {
  const [size, setSize] = useState<ElementSize>({ width: 0, height: 0 });
  const ref = useCallback((element: E | null) => {
    if (element === null) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry === undefined) return;
      const { width, height } = entry.contentRect;
      setSize((before) => (before.width === width && before.height === height ? before : { width, height }));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, size];
}
