/** Which pages are recognised. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COVER_LETTERS, FEW_LETTERS, needsOcr, type PageEvidence } from '../../../domain/pages/needs-ocr.ts';
import { MIN_READABLE_SHARE } from '../../../domain/pages/readable.ts';
import { forAll } from '../../../testing/property.ts';

/** An ordinary slide: a text layer, a photo of a third of the page, some lines. */
const SLIDE: PageEvidence = {
  letters: 240,
  readableShare: 1,
  doubtfulWords: 0,
  pictureShare: 0.33,
  paths: 12,
  isFirstPage: false,
  blank: false,
};

const evidence: fc.Arbitrary<PageEvidence> = fc.record({
  letters: fc.nat({ max: 2000 }),
  doubtfulWords: fc.constant(0),
  readableShare: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  pictureShare: fc.double({ min: 0, max: 1, noNaN: true }),
  paths: fc.nat({ max: 5000 }),
  isFirstPage: fc.boolean(),
  blank: fc.boolean(),
});

describe('a page that is left alone', () => {
  it.each([
    ['an ordinary slide', SLIDE],
    ['a full photo under text', { ...SLIDE, pictureShare: 1 }],
    ['a diagram of many shapes with labels', { ...SLIDE, paths: 4000 }],
    ['a section title', { ...SLIDE, letters: 8, pictureShare: 0.2 }],
    ['a cover of nothing but text', { ...SLIDE, isFirstPage: true, pictureShare: 0, paths: 1 }],
    ['a first page full of text', { ...SLIDE, letters: COVER_LETTERS, isFirstPage: true, pictureShare: 0.2 }],
    ['a page with nothing drawn', { ...SLIDE, letters: 0, readableShare: null, pictureShare: 0, paths: 0 }],
  ])('%s', (_, page) => expect(needsOcr(page)).toBe('none'));

  it('a blank page, whatever else is known of it', () =>
    forAll([evidence], (page) => needsOcr({ ...page, blank: true }) === 'none'));

  it('any page after the first with enough text that can be read', () =>
    forAll([evidence, fc.integer({ min: FEW_LETTERS, max: 5000 })], (page, letters) => {
      const readableShare = Math.max(MIN_READABLE_SHARE, page.readableShare ?? 1);
      return needsOcr({ ...page, letters, readableShare, isFirstPage: false }) === 'none';
    }));
});

describe('a page whose text is what is recognised', () => {
  it.each([
    ['a scan', { ...SLIDE, letters: 0, readableShare: null, pictureShare: 1, paths: 0 }],
    ['text drawn as shapes', { ...SLIDE, letters: 0, readableShare: null, pictureShare: 0, paths: 900 }],
    ['a text layer without a usable character map', { ...SLIDE, readableShare: 0.1 }],
    ['a cover with such a text layer', { ...SLIDE, readableShare: 0.1, isFirstPage: true }],
  ])('%s', (_, page) => expect(needsOcr(page)).toBe('replace'));

  it('never a page whose text layer can be read', () =>
    forAll([evidence, fc.integer({ min: 1, max: 5000 })], (page, letters) => {
      const readableShare = Math.max(MIN_READABLE_SHARE, page.readableShare ?? 1);
      return needsOcr({ ...page, letters, readableShare }) !== 'replace';
    }));
});

it.each([
  ['a cover with a logo', { ...SLIDE, letters: 60, isFirstPage: true, pictureShare: 0.01 }],
  ['a cover with a logo of a few shapes', { ...SLIDE, letters: 60, isFirstPage: true, pictureShare: 0, paths: 6 }],
  ['a page number over a full picture', { ...SLIDE, letters: 2, pictureShare: 0.98 }],
  ['a page number beside text drawn as shapes', { ...SLIDE, letters: 2, pictureShare: 0, paths: 900 }],
])('a page whose text is added to: %s', (_, page) => expect(needsOcr(page)).toBe('add'));

it('more pictures never take recognition away', () =>
  forAll([evidence, fc.double({ min: 0, max: 1, noNaN: true })], (page, more) => {
    const before = needsOcr(page);
    return before === 'none' || needsOcr({ ...page, pictureShare: Math.max(page.pictureShare, more) }) === before;
  }));
