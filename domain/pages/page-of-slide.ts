/**
 * The page of a stored slide. One that could not be drawn has no layout.
 */
import { findSteering } from '../evidence/steering.ts';
import type { PageLayout } from './page.ts';
import { pageLayoutSchema } from './page-schemas.ts';
import { pageOfText } from './page-of-text.ts';
import { withoutSteering } from './without-steering.ts';

interface StoredSlide {
  readonly text: string;
  readonly layout: unknown;
}

/** The layout that is stored with a slide, without words that try to steer a score; of a slide without one, its text on a grid. */
export function pageOfSlide(slide: StoredSlide): PageLayout {
  return slide.layout === null ? pageOfText(slide.text) : withoutSteering(pageLayoutSchema.parse(slide.layout)).layout;
}

/** Words of a stored slide that try to steer a score, hidden ones included. */
export function steeringOnSlide(slide: StoredSlide): readonly string[] {
  return slide.layout === null
    ? findSteering(slide.text)
    : withoutSteering(pageLayoutSchema.parse(slide.layout)).steering;
}
