/** Work of decks that is foreseen before its calls are planned. */
import { describe, expect, it } from 'vitest';
import { classesAhead, comingSeconds, USUAL_SECONDS, type DeckAhead } from '../../../domain/fleet/pool/foreseen.ts';
import type { GpuClass } from '../../../domain/models/model-tasks.ts';

const deck: DeckAhead = {
  taskType: null,
  isReadingSlides: true,
  announcedPages: 10,
  plannedPages: 4,
  openPages: 4,
  isTextPlanned: false,
  fillsGaps: false,
  hasUnseenTextModel: false,
};
const FIRST_TEXT_SECONDS = 6 + 4 + 5 + 4 + 25;
const coming = (changes: Partial<DeckAhead>, gpuClass: GpuClass): number =>
  comingSeconds({ ...deck, ...changes }, [gpuClass], USUAL_SECONDS);

it('foreseen visual work is the announced pages that are not planned yet, each with its two calls', () => {
  expect(coming({}, 'gpu-visual')).toBe(6 * (15 + 8));
  expect(coming({ plannedPages: 12 }, 'gpu-visual')).toBe(0);
  expect(coming({ taskType: 'slide_feedback' }, 'gpu-visual')).toBe(6 * 8);
});

it('foreseen visual work ends with the slides', () =>
  expect(coming({ isReadingSlides: false, hasUnseenTextModel: true }, 'gpu-visual')).toBe(0));

describe('foreseen text work', () => {
  it('is the first text calls, from the announcement of a deck on', () => {
    expect(coming({ plannedPages: 0, openPages: 0 }, 'gpu-text')).toBe(FIRST_TEXT_SECONDS);
    expect(coming({ taskType: 'specialized_science' }, 'gpu-text')).toBe(20);
  });

  it('is none of visual tasks alone', () => {
    expect(coming({ taskType: 'visual_analysis' }, 'gpu-text')).toBe(0);
    expect(coming({ taskType: 'slide_feedback', isReadingSlides: false, hasUnseenTextModel: true }, 'gpu-text')).toBe(
      0,
    );
  });

  it('is none of a deck whose slides are all known', () =>
    expect(coming({ announcedPages: 0, plannedPages: 0, openPages: 0 }, 'gpu-text')).toBe(0));

  it('of a long deck begins when what is left of its slides is about a boot', () => {
    const long = { announcedPages: 300, plannedPages: 64 };
    expect(coming({ ...long, openPages: 64 }, 'gpu-text')).toBe(0);
    expect(coming({ announcedPages: 300, plannedPages: 300, openPages: 66 }, 'gpu-text')).toBe(0);
    expect(coming({ announcedPages: 300, plannedPages: 300, openPages: 65 }, 'gpu-text')).toBe(FIRST_TEXT_SECONDS);
  });

  it('lasts until text calls are planned, also between the slides and the planning', () => {
    expect(coming({ isReadingSlides: false, openPages: 0 }, 'gpu-text')).toBe(FIRST_TEXT_SECONDS);
    expect(coming({ isReadingSlides: false, isTextPlanned: true }, 'gpu-text')).toBe(0);
  });

  it('is none of a replay that fills gaps', () => expect(coming({ fillsGaps: true }, 'gpu-text')).toBe(0));

  it('is there for every text stage while a text model was never seen, whatever else is planned or known', () => {
    const waiting = { isReadingSlides: false, hasUnseenTextModel: true };
    expect(coming({ ...waiting, announcedPages: 0 }, 'gpu-text')).toBe(FIRST_TEXT_SECONDS);
    expect(coming({ ...waiting, isTextPlanned: true }, 'gpu-text')).toBe(FIRST_TEXT_SECONDS);
    expect(coming({ ...waiting, fillsGaps: true }, 'gpu-text')).toBe(FIRST_TEXT_SECONDS);
    // Before its slides are read it is not known that there is anything to ask.
    expect(coming({ hasUnseenTextModel: true, announcedPages: 0 }, 'gpu-text')).toBe(0);
  });
});

it('a deck with missing pages announces text calls only where its scope has text tasks', () => {
  expect([...classesAhead(null)]).toEqual(['gpu-visual', 'gpu-text']);
  expect([...classesAhead('visual_analysis')]).toEqual(['gpu-visual']);
  expect([...classesAhead('specialized_clinical')]).toEqual(['gpu-visual', 'gpu-text']);
});
