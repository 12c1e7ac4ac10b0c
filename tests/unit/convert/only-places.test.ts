/** The picture of a page with some of its places alone. */
import { expect, it } from 'vitest';
import { onlyPlaces } from '../../../activities/convert/render/only-places.ts';

it('a place with more pixels than a call takes arguments is dark on white', () => {
  const [widthPx, heightPx] = [1000, 400];
  const rgb = new Uint8Array(widthPx * heightPx * 3).fill(40);
  const at = (x: number, y: number): number => (y * widthPx + x) * 3;
  rgb.fill(240, at(500, 200), at(520, 200));
  const picture = onlyPlaces({ widthPx, heightPx, rgb }, [[10, 10, 990, 390]], 1);
  expect(picture.rgb[at(510, 200)]).toBe(0);
  expect(picture.rgb[at(300, 200)]).toBe(255);
});
