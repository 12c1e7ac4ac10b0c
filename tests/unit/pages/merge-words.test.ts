/** Words of the text layer and words that were recognised, put together. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addLarge, mergeReadings, mergeWords } from '../../../domain/pages/merge-words.ts';
import type { Box, PageWord } from '../../../domain/pages/page.ts';
import { forAll } from '../../../testing/property.ts';
import { wordAt } from './support.ts';

const word = (text: string, box: Box, confidence: number | null = null): PageWord => wordAt(text, box, { confidence });

const coordinate = fc.integer({ min: 0, max: 200 });
const box = fc
  .tuple(coordinate, coordinate, fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 20 }))
  .map(([left, top, width, height]): Box => [left, top, left + width, top + height]);
const layerWords = fc.array(
  box.map((at) => word('layer', at)),
  { maxLength: 30 },
);
const recognisedWords = fc.array(
  box.map((at) => word('seen', at, 90)),
  { maxLength: 30 },
);

const shared = (a: Box, b: Box): number =>
  Math.max(0, Math.min(a[2], b[2]) - Math.max(a[0], b[0])) * Math.max(0, Math.min(a[3], b[3]) - Math.max(a[1], b[1]));
const area = (of: Box): number => (of[2] - of[0]) * (of[3] - of[1]);

it('every word of the layer stays, in its order and before the others', () =>
  forAll([layerWords, recognisedWords], (layer, seen) =>
    expect(mergeWords(layer, seen).slice(0, layer.length)).toEqual(layer),
  ));

it('a recognised word stays exactly when no word of the layer covers it', () =>
  forAll([layerWords, recognisedWords], (layer, seen) => {
    const added = mergeWords(layer, seen).slice(layer.length);
    const free = seen.filter((one) =>
      layer.every((other) => shared(one.box, other.box) <= 0.1 * Math.min(area(one.box), area(other.box))),
    );
    expect(added).toEqual(free);
  }));

it('merging again adds nothing', () =>
  forAll([layerWords, recognisedWords], (layer, seen) => {
    // A word overlaps itself.
    expect(mergeWords(mergeWords(layer, seen), seen)).toEqual(mergeWords(layer, seen));
  }));

it('a name in a logo is added beside the title of the layer, and the title is not said twice', () => {
  const title = word('Investors', [40, 100, 240, 140]);
  const logo = word('Acme', [40, 20, 120, 50], 93);
  expect(mergeWords([title], [logo, word('Investors', [42, 104, 238, 136], 96)])).toEqual([title, logo]);
});

it('boxes that only touch at an edge are different words', () => {
  const above = word('1,200', [40, 100, 140, 130]);
  const below = word('clinics', [40, 129, 140, 150], 91);
  expect(mergeWords([above], [below])).toEqual([above, below]);
});

it('a box without an area is dropped inside a word and kept outside', () => {
  const big = word('Acme', [0, 0, 100, 20]);
  const inside = word('x', [10, 10, 10, 15], 90);
  const outside = word('y', [110, 10, 110, 15], 90);
  expect(mergeWords([big], [inside, outside])).toEqual([big, outside]);
});

describe('two readings of one picture', () => {
  const left: Box = [40, 100, 90, 120];
  const right: Box = [95, 100, 140, 120];
  const whole: Box = [40, 100, 140, 120];

  it('the reading that is more certain of a word counts, in the place of the other', () => {
    const [money, next] = [word('MONEY', left, 95), word('today', right, 90)];
    expect(mergeReadings([word('MUNEY', left, 75), next], [money])).toEqual([money, next]);
    expect(mergeReadings([money], [word('MUNEY', left, 75)])).toEqual([money]);
  });

  it('two halves become the whole word, and a half never replaces a whole', () => {
    const name = word('DermaLine', whole, 92);
    expect(mergeReadings([word('Derma', left, 80), word('Line', right, 85)], [name])).toEqual([name]);
    expect(mergeReadings([name], [word('Derma', left, 96)])).toEqual([name]);
  });

  it('two words that were read as one are parted where the second reading is more certain of both', () => {
    const words = [word('ANGEL', left, 94), word('ROUND', right, 95)];
    expect(mergeReadings([word('ANGELROUND', whole, 91)], words)).toEqual(words);
    expect(mergeReadings([word('ANGELROUND', whole, 95)], words)).toEqual([word('ANGELROUND', whole, 95)]);
  });

  it('nothing is lost where the second reading has nothing, and an empty reading changes nothing', () =>
    forAll([recognisedWords, recognisedWords], (first, second) => {
      const merged = mergeReadings(first, second);
      const free = first.filter((one) => second.every((other) => shared(one.box, other.box) <= 0));
      expect(merged).toEqual(expect.arrayContaining(free));
      expect(mergeReadings(first, [])).toEqual(first);
    }));
});

describe('a reading of large glyphs', () => {
  const logo = word('Velhain', [100, 100, 500, 200], 90);

  it('adds a name where the other readings have none', () => {
    const tagline = word('leaks', [100, 300, 140, 320], 96);
    expect(addLarge([tagline], [logo], [])).toEqual([tagline, logo]);
  });

  it('puts a whole name together from its pieces', () => {
    const pieces = [word('Vel', [100, 100, 250, 200], 96), word('ain', [340, 100, 500, 200], 96)];
    expect(addLarge(pieces, [logo], [])).toEqual([logo]);
  });

  it('adds no word that is known, by its text layer or otherwise', () => {
    const layer = [word('VELHAIN', [600, 400, 700, 420])];
    expect(addLarge([], [logo], layer)).toEqual([]);
    expect(addLarge(layer, [logo], [])).toEqual(layer);
  });

  it('never says a word twice, and loses none that is surer', () =>
    forAll([recognisedWords, recognisedWords], (words, large) => {
      const sure = words.map((each) => ({ ...each, confidence: 99 }));
      expect(addLarge(sure, large, [])).toEqual(sure.length > 0 ? sure : large.slice(0, 1));
    }));
});
