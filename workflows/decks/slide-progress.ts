/** How far each slide is while its calls run, so that the tally of slides stays right also when a failed slide is tried again. */
import type { Tally } from './run-details.ts';

/** Slides of one run. What an earlier run of the same analysis finished is known by the tally alone. */
export class SlideProgress {
  readonly #tally: Tally;
  readonly #slides = new Map<number, { open: number; failed: number }>();

  constructor(tally: Tally) {
    this.#tally = tally;
  }

  /** A slide has one more call to run. */
  begin(page: number): void {
    const slide = this.#slides.get(page) ?? { open: 0, failed: 0 };
    this.#slides.set(page, { ...slide, open: slide.open + 1 });
  }

  /** One of its calls ended; with the last one the slide is counted. */
  ended(page: number, isStored: boolean): void {
    const slide = this.#slides.get(page);
    if (slide === undefined) return;
    slide.open--;
    if (!isStored) slide.failed++;
    if (slide.open > 0) return;
    if (slide.failed === 0) this.#tally.done++;
    else this.#tally.failed++;
  }

  /** So many of its failed calls are tried again; of a page that could not be drawn, all. */
  again(page: number, calls: number): void {
    const slide = this.#slides.get(page) ?? { open: 0, failed: calls };
    // Counted as failed when its last call ended; while others go on it has not been counted yet.
    if (slide.open === 0) this.#tally.failed--;
    slide.open += calls;
    slide.failed = Math.max(0, slide.failed - calls);
    this.#slides.set(page, slide);
  }
}
