/** Zoom of the slide: by keys and buttons, by wheel and fingers, and dragging of what is larger than its view. */
import { fireEvent, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { openReview, part } from '../deck-page.ts';

/** Digits that count: widths are whole pixels, cut off. */
const WHOLE = -1;

/** The view of 1280 by 860 pixels fits a page of 960 by 540 points at 4/3: 100 %. */
const stage = (): HTMLElement => part('Slides').querySelector('[data-stage]') ?? document.body;
const widthPx = (): number => Number.parseInt((stage().firstElementChild as HTMLElement).style.width, 10);
const button = (name: string): HTMLElement => within(part('Slides')).getByRole('button', { name });
const scrolled = (): unknown => vi.spyOn(Element.prototype, 'scrollTo').mock.lastCall?.[0];

async function openStage() {
  const page = await openReview();
  await within(part('Slides')).findByRole('img', { name: /^Slide 1/u });
  await expect.poll(widthPx).toBe(1280);
  return page;
}

it('Keys and buttons zoom in steps, fit again, and show the true size', async () => {
  const { user } = await openStage();
  expect(button('Fit (F)').getAttribute('aria-pressed')).toBe('true');
  expect(button('100 %')).toBeTruthy();
  await user.keyboard('+');
  expect(widthPx()).toBeCloseTo(1600, WHOLE);
  expect(button('125 %')).toBeTruthy();
  expect(button('Fit (F)').getAttribute('aria-pressed')).toBe('false');
  await user.click(button('Zoom in (+)'));
  expect(widthPx()).toBeCloseTo(2000, WHOLE);
  await user.click(button('Zoom out (−)'));
  await user.keyboard('-');
  expect(widthPx()).toBeCloseTo(1280, WHOLE);
  await user.keyboard('-');
  await user.keyboard('0');
  expect(widthPx()).toBeCloseTo(1280, WHOLE);
  await user.keyboard('=');
  await user.click(button('Fit (F)'));
  expect(widthPx()).toBeCloseTo(1280, WHOLE);
  expect(button('Fit (F)').getAttribute('aria-pressed')).toBe('true');
});

it('The wheel zooms with Ctrl alone, and what is under the pointer stays there', async () => {
  await openStage();
  fireEvent.wheel(stage(), { deltaY: -100 });
  expect(widthPx()).toBeCloseTo(1280, WHOLE);
  fireEvent.wheel(stage(), { deltaY: -100, ctrlKey: true, clientX: 100, clientY: 50 });
  const factor = Math.exp(0.25);
  expect(widthPx()).toBeCloseTo(Math.floor(1280 * factor), WHOLE);
  expect(scrolled()).toEqual({ left: expect.closeTo(100 * factor - 100), top: expect.closeTo(50 * factor - 50) });
  // The wheel ends at the limits of the zoom.
  fireEvent.wheel(stage(), { deltaY: -9000, metaKey: true });
  expect(widthPx()).toBeCloseTo(8 * 960, WHOLE);
});

it('Two fingers zoom by the change of their distance', async () => {
  await openStage();
  fireEvent.pointerDown(stage(), { pointerId: 1, pointerType: 'touch', clientX: 100, clientY: 100 });
  fireEvent.pointerDown(stage(), { pointerId: 2, pointerType: 'touch', clientX: 200, clientY: 100 });
  fireEvent.pointerMove(window, { pointerId: 2, pointerType: 'touch', clientX: 250, clientY: 100 });
  expect(widthPx()).toBeCloseTo(1920, WHOLE);
  fireEvent.pointerUp(window, { pointerId: 2 });
  fireEvent.pointerMove(window, { pointerId: 1, pointerType: 'touch', clientX: 400, clientY: 100 });
  expect(widthPx()).toBeCloseTo(1920, WHOLE);
});

it('The mouse drags the slide, but not where it selects words', async () => {
  const { user } = await openStage();
  await user.keyboard('+');
  vi.spyOn(Element.prototype, 'scrollTo').mockClear();
  const mouse = { pointerId: 1, pointerType: 'mouse', button: 0 };
  fireEvent.pointerDown(stage(), { ...mouse, clientX: 300, clientY: 200 });
  fireEvent.pointerMove(window, { ...mouse, clientX: 250, clientY: 180 });
  expect(scrolled()).toEqual({ left: 50, top: 20 });
  fireEvent.pointerUp(window, mouse);
  vi.spyOn(Element.prototype, 'scrollTo').mockClear();
  fireEvent.pointerMove(window, { ...mouse, clientX: 200, clientY: 180 });
  const word = stage().querySelector('[data-text-layer] span') ?? document.body;
  fireEvent.pointerDown(word, { ...mouse, clientX: 300, clientY: 200 });
  fireEvent.pointerMove(window, { ...mouse, clientX: 250, clientY: 180 });
  expect(scrolled()).toBeUndefined();
});
