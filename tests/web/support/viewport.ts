/** The size of the window, and media queries over it. jsdom has neither. */

const SIZES = {
  desktop: { widthPx: 1280, heightPx: 860 },
  phone: { widthPx: 390, heightPx: 860 },
} as const;

/** Size that every element has. */
export const viewport: { widthPx: number; heightPx: number } = { ...SIZES.desktop };

/** Sets the size of the window for what is rendered from now on. */
export function setViewport(width: keyof typeof SIZES): void {
  Object.assign(viewport, SIZES[width]);
  Object.assign(window, { innerWidth: viewport.widthPx, innerHeight: viewport.heightPx });
}

/** `matchMedia` for queries of width; any other query does not match. */
export function mediaMatches(query: string): MediaQueryList {
  const [, bound, px] = /^\((?<bound>min|max)-width: (?<px>[\d.]+)px\)$/u.exec(query) ?? [];
  const isBelow = viewport.widthPx <= Number(px);
  const matches = bound === 'max' ? isBelow : bound === 'min' && viewport.widthPx >= Number(px);
  return Object.assign(new EventTarget(), {
    matches,
    media: query,
    onchange: null,
    addListener: () => undefined,
    removeListener: () => undefined,
  });
}
