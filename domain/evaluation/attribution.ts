/**
 * Attribution: whether what a review cites for a right value is where the label says that it stands, as benchmarks of answers with cited
 * regions judge it (strict attributed accuracy). Page level: the slide. Box level: the region on it.
 */
import type { ReportEvidence } from '../decks/report.ts';
import type { Box, PageState } from '../pages/page.ts';
import { hasBox, type LabelPlace } from './label-values.ts';

/** Whether a quote stands on a labelled slide, and in a labelled box of it. The second implies the first. */
export interface Attribution {
  readonly page: boolean;
  /** Null where the label has no box. */
  readonly box: boolean | null;
}

/** Size of a slide's page in points; null where that is not known. */
export type PageSizes = (slide: number) => Pick<PageState, 'widthPt' | 'heightPt'> | null;

/**
 * Least part of the smaller region, quote or labelled box, that both have in common. Not intersection over union: a quote has a box for each of
 * its lines, and a label surrounds a whole card or row, so that union is large also where the quote lies in the middle of it.
 */
const LEAST_OVERLAP = 0.5;

/** Attribution of a value with its quotes; one of them in the right place is enough. */
export function attributionOf(
  evidence: readonly Pick<ReportEvidence, 'slide' | 'boxes'>[],
  places: readonly LabelPlace[],
  sizeOf: PageSizes,
): Attribution {
  const met = evidence.flatMap((quote) =>
    places.filter(({ slide }) => slide === quote.slide).map((place) => ({ quote, place })),
  );
  return {
    page: met.length > 0,
    box: hasBox(places) ? met.some(({ quote, place }) => isInBox(quote, place, sizeOf)) : null,
  };
}

function isInBox(
  { slide, boxes }: Pick<ReportEvidence, 'slide' | 'boxes'>,
  { box }: LabelPlace,
  sizeOf: PageSizes,
): boolean {
  const size = sizeOf(slide);
  if (size === null || box === undefined) return false;
  return overlap(boxes ?? [], boxOnPage(box, size)) >= LEAST_OVERLAP;
}

const boxOnPage = ([left, top, right, bottom]: Box, { widthPt, heightPt }: NonNullable<ReturnType<PageSizes>>): Box => [
  left * widthPt,
  top * heightPt,
  right * widthPt,
  bottom * heightPt,
];

const areaOf = ([left, top, right, bottom]: Box): number => Math.max(0, right - left) * Math.max(0, bottom - top);

/** Area in common as a part of the smaller of both; the boxes of a quote are lines, which do not lie on each other. */
function overlap(quote: readonly Box[], label: Box): number {
  const sum = (areas: readonly number[]): number => areas.reduce((total, area) => total + area, 0);
  const smaller = Math.min(sum(quote.map(areaOf)), areaOf(label));
  return smaller === 0 ? 0 : sum(quote.map((box) => areaOf(intersection(box, label)))) / smaller;
}

const intersection = (a: Box, b: Box): Box => [
  Math.max(a[0], b[0]),
  Math.max(a[1], b[1]),
  Math.min(a[2], b[2]),
  Math.min(a[3], b[3]),
];
