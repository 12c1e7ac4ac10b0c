/** Real decks through real render processes, with both renderers. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { closeRenderer } from '../../../activities/convert/render/window.ts';
import type { FailedPage, RenderedPage } from '../../../activities/convert/render/window.ts';
import { RENDERER_NAMES } from '../../../activities/convert/render/renderer.ts';
import { plainText } from '../../../domain/pages/page-text.ts';
import { goodDeck, handMade, onePage, stream } from '../../fixtures/hostile/decks.ts';
import { probe, render, scratchFolder } from './helpers.ts';

const scratch = scratchFolder();
afterAll(() => closeRenderer());

function rendered(pages: (RenderedPage | FailedPage)[]): RenderedPage[] {
  return pages.map((page) => {
    if ('code' in page) return expect.fail(`page ${page.number} failed: ${page.code} ${page.message}`);
    return page;
  });
}

/** Red, green and blue at a place given in fractions of the image. */
async function colourAt(file: string, x: number, y: number): Promise<number[]> {
  const { data, info } = await sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * 3;
  return [...data.subarray(at, at + 3)].map((value) => (value > 128 ? 1 : 0));
}

const RED = [1, 0, 0];
const BLUE = [0, 0, 1];
const WHITE = [1, 1, 1];

it('probing a good deck tells pages, sizes, title and that there is text', async () => {
  const file = scratch.file(await goodDeck(3));
  expect(await probe(file)).toEqual({
    pageCount: 3,
    pages: [1, 2, 3].map((number) => ({ number, widthPt: 960, heightPt: 540 })),
    hazards: [],
    hasTextLayer: true,
    title: 'Good deck',
  });
});

it('probing a good deck sees that a scan has no text, and measures pages in real points', async () => {
  const file = scratch.file(onePage('/MediaBox[0 0 200 100]/UserUnit 3/Rotate 90', '1 0 0 rg 0 0 50 50 re f'));
  const found = await probe(file);
  expect(found.hasTextLayer).toBe(false);
  expect(found.pages).toEqual([{ number: 1, widthPt: 300, heightPt: 600 }]);
});

describe.each(RENDERER_NAMES)('rendering with %s', (renderer) => {
  it('rendering writes both images and the text of every page, and announces each page once', async () => {
    const file = scratch.file(await goodDeck(3));
    const announced: number[] = [];
    const pages = rendered(await render(file, [1, 2, 3], { renderer, onPage: (page) => announced.push(page.number) }));
    expect(announced.toSorted((a, b) => a - b)).toEqual([1, 2, 3]);
    for (const page of pages) {
      expect(page).toMatchObject({ widthPx: 1344, heightPx: 756, renderer });
      expect(plainText(page.layout)).toBe(`Slide ${page.number}\n\nRevenue grew to ${page.number} million euros.`);
      const model = await readFile(page.modelPath);
      expect(await sharp(page.artefactPath).metadata()).toMatchObject({
        format: 'jpeg',
        width: 1344,
        height: 756,
        chromaSubsampling: '4:4:4',
      });
      expect(await sharp(model).metadata()).toMatchObject({
        format: 'jpeg',
        width: 896,
        height: 504,
        chromaSubsampling: '4:4:4',
      });
      expect(page.modelSha256).toBe(createHash('sha256').update(model).digest('hex'));
      expect(await colourAt(page.artefactPath, 0.9, 0.9)).toEqual(WHITE);
      expect(await colourAt(page.artefactPath, 0.9, 0.05)).toEqual([0, 0, 0]);
    }
  });

  it('rendering draws the same page to the same bytes every time', async () => {
    const file = scratch.file(await goodDeck(1));
    const [first] = rendered(await render(file, [1], { renderer }));
    const [second] = rendered(await render(file, [1], { renderer }));
    expect(second?.modelSha256).toBe(first?.modelSha256);
  });

  it("rendering pads the model's image of a banner and leaves the page as it is", async () => {
    const file = scratch.file(onePage('/MediaBox[0 0 1920 60]', '1 0 0 rg 0 0 1920 60 re f'));
    const [page] = rendered(await render(file, [1], { renderer }));
    expect(page).toMatchObject({ widthPx: 1344, heightPx: 42 });
    expect(page?.layout).toMatchObject({ widthPt: 1920, heightPt: 60 });
    expect(await sharp(page?.modelPath).metadata()).toMatchObject({ width: 896, height: 128 });
    expect(await colourAt(page?.modelPath ?? '', 0.99, 0.5)).toEqual(RED);
    for (const y of [0.1, 0.9]) expect(await colourAt(page?.modelPath ?? '', 0.99, y)).toEqual(WHITE);
  });

  it('rendering turns a rotated page the right way up', async () => {
    // Unrotated: red at the bottom left, blue at the top right. Turned clockwise by 90 degrees, red comes to the top left.
    const file = scratch.file(
      onePage('/MediaBox[0 0 400 200]/Rotate 90', '1 0 0 rg 0 0 100 100 re f 0 0 1 rg 300 100 100 100 re f'),
    );
    const [page] = rendered(await render(file, [1], { renderer }));
    expect(page).toMatchObject({ widthPx: 1344, heightPx: 2688 });
    expect(await colourAt(page?.artefactPath ?? '', 0.25, 0.1)).toEqual(RED);
    expect(await colourAt(page?.artefactPath ?? '', 0.75, 0.9)).toEqual(BLUE);
    expect(await colourAt(page?.artefactPath ?? '', 0.75, 0.1)).toEqual(WHITE);
  });

  it('rendering shows only the crop box', async () => {
    const file = scratch.file(
      onePage(
        '/MediaBox[0 0 1000 1000]/CropBox[500 500 700 600]',
        '1 0 0 rg 0 0 1000 1000 re f 0 0 1 rg 600 500 400 500 re f',
      ),
    );
    const [page] = rendered(await render(file, [1], { renderer }));
    expect(page).toMatchObject({ widthPx: 1344, heightPx: 672 });
    expect(await colourAt(page?.artefactPath ?? '', 0.25, 0.5)).toEqual(RED);
    expect(await colourAt(page?.artefactPath ?? '', 0.75, 0.5)).toEqual(BLUE);
  });

  it('rendering draws pages of very different sizes within the limits and names those that cannot be shown', async () => {
    const sizes = ['[0 0 14400 14400]', '[0 0 14400 10]', '[0 0 3 4]', '[0 0 100 5000]'];
    const deck = handMade([
      '<</Type/Catalog/Pages 2 0 R>>',
      `<</Type/Pages/Kids[${sizes.map((_, index) => `${4 + index} 0 R`).join(' ')} 8 0 R]/Count 5>>`,
      stream('', Buffer.from('1 0 0 rg 0 0 14400 14400 re f')),
      ...sizes.map((size) => `<</Type/Page/Parent 2 0 R/Contents 3 0 R/MediaBox${size}>>`),
      '<</Type/Page/Parent 2 0 R/Contents 3 0 R/MediaBox[0 0 14400 8100]/UserUnit 75>>',
    ]);
    const file = scratch.file(deck);
    const pages = await render(file, [1, 2, 3, 4, 5], { renderer });
    expect(
      pages.map((page) => ('code' in page ? page.code : `${page.widthPx}×${page.heightPx} ${page.renderer}`)),
    ).toEqual([
      `1344×1344 ${renderer}`,
      'page_too_large',
      `1344×1792 ${renderer}`,
      `163×8150 ${renderer}`,
      `1344×756 ${renderer}`,
    ]);
    for (const page of pages) {
      if (!('code' in page)) expect(await colourAt(page.modelPath, 0.5, 0.5)).toEqual(RED);
    }
  });

  it('rendering draws what is in form fields', async () => {
    const file = scratch.file(
      handMade([
        '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[5 0 R]>>>>',
        '<</Type/Pages/Kids[3 0 R]/Count 1>>',
        '<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 200]/Contents 4 0 R/Annots[5 0 R]>>',
        stream('', Buffer.from('1 1 1 rg 0 0 400 200 re f')),
        '<</Type/Annot/Subtype/Widget/FT/Tx/T(f)/F 4/Rect[0 0 200 200]/AP<</N 6 0 R>>>>',
        stream('/Type/XObject/Subtype/Form/BBox[0 0 200 200]', Buffer.from('1 0 0 rg 0 0 200 200 re f')),
      ]),
    );
    const [page] = rendered(await render(file, [1], { renderer }));
    expect(await colourAt(page?.artefactPath ?? '', 0.25, 0.5)).toEqual(RED);
    expect(await colourAt(page?.artefactPath ?? '', 0.75, 0.5)).toEqual(WHITE);
  });
});
