/** Size of a slide in points. */
import type { SlideFile } from '../queries.ts';
import type { Size } from './zoom.ts';

/** Points of a page of unknown size, by the pixels of its picture. */
const POINTS_PER_PIXEL = 72 / 96;
const UNKNOWN: Size = { width: 960, height: 540 };

/** Size of a slide in points; of one that no size is known of, in the proportions of its picture. */
export function pageSize(slide: SlideFile | undefined): Size {
  if (slide === undefined) return UNKNOWN;
  const { widthPt, heightPt, widthPx, heightPx } = slide;
  if (widthPt !== null && heightPt !== null) return { width: widthPt, height: heightPt };
  if (widthPx !== null && heightPx !== null) {
    return { width: widthPx * POINTS_PER_PIXEL, height: heightPx * POINTS_PER_PIXEL };
  }
  return UNKNOWN;
}
