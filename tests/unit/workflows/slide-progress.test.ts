/** A slide is counted once, when its last call ended, also when failed calls are tried again while others go on. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SlideProgress } from '../../../workflows/decks/slide-progress.ts';
import { forAll } from '../../../testing/property.ts';

const slidesOf = () => {
  const tally = { done: 0, failed: 0, total: 0 };
  return { tally, slides: new SlideProgress(tally) };
};

it('the tally of slides counts a slide when all its calls have ended, and as failed when one failed', () => {
  const { tally, slides } = slidesOf();
  for (const page of [1, 1, 2, 2]) slides.begin(page);
  slides.ended(1, true);
  slides.ended(2, false);
  expect(tally).toMatchObject({ done: 0, failed: 0 });
  slides.ended(1, true);
  slides.ended(2, true);
  expect(tally).toMatchObject({ done: 1, failed: 1 });
});

it('the tally of slides takes a failed slide back when it is tried again, while its other call goes on or after it', () => {
  for (const otherEndsFirst of [true, false]) {
    const { tally, slides } = slidesOf();
    slides.begin(1);
    slides.begin(1);
    slides.ended(1, false);
    if (otherEndsFirst) slides.ended(1, true);
    slides.again(1, 1);
    expect(tally).toMatchObject({ done: 0, failed: 0 });
    if (!otherEndsFirst) slides.ended(1, true);
    slides.ended(1, true);
    expect(tally).toMatchObject({ done: 1, failed: 0 });
  }
});

it('the tally of slides knows of a slide that an earlier run, or the conversion, counted as failed', () => {
  const { tally, slides } = slidesOf();
  tally.failed = 1;
  slides.again(7, 2);
  slides.ended(7, true);
  slides.ended(7, true);
  expect(tally).toMatchObject({ done: 1, failed: 0 });
});

it('the tally of slides comes out as the last try of each call did, however often and whenever calls are tried again', async () => {
  const tries = fc.array(fc.boolean(), { minLength: 1, maxLength: 4 });
  await forAll([fc.array(fc.array(tries, { minLength: 1, maxLength: 2 }), { maxLength: 6 })], (pages) => {
    const { tally, slides } = slidesOf();
    for (const [page, calls] of pages.entries()) for (let n = 0; n < calls.length; n++) slides.begin(page);
    for (const [page, calls] of pages.entries()) {
      // A call that succeeded is not tried again.
      const ends = calls.map((call) => (call.includes(true) ? call.slice(0, call.indexOf(true) + 1) : call));
      for (let round = 0; round < 4; round++) {
        for (const call of ends) {
          const isStored = call[round];
          if (isStored === undefined) continue;
          if (round > 0) slides.again(page, 1);
          slides.ended(page, isStored);
        }
      }
    }
    const done = pages.filter((calls) => calls.every((call) => call.includes(true))).length;
    expect(tally).toMatchObject({ done, failed: pages.length - done });
  });
});
