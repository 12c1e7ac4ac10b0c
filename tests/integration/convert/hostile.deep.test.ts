/** Hostile files that take much memory or time, and pages that break the process in which another page is drawn or recognised at that moment. */
import { afterAll, describe, expect, it } from 'vitest';
import { RENDERER_NAMES } from '../../../activities/convert/render/renderer.ts';
import { closeRenderer } from '../../../activities/convert/render/window.ts';
import { bombImage, drawingThenBlank, endlessThenGood, handMade, stream } from '../../fixtures/hostile/decks.ts';
import { goodDeckBeside, probe, render, scratchFolder } from './helpers.ts';

const scratch = scratchFolder();
const { besideAGoodDeck } = goodDeckBeside(scratch);
afterAll(() => closeRenderer());

describe.each(RENDERER_NAMES)('pages are drawn with %s while another one is recognised', (renderer) => {
  it('one that breaks the process fails alone', async () => {
    const limits = { maxMemoryBytes: 400 * 1024 * 1024, pageTimeoutMs: 120_000 };
    const file = scratch.file(drawingThenBlank(1, { endless: true }));
    expect(await render(file, [1, 2, 3], { renderer, limits })).toMatchObject([
      { number: 1, renderer, ocrFault: null, layout: { ocr: 'done' } },
      { number: 2, code: 'page_render_memory' },
      { number: 3, renderer },
    ]);
  });

  it('one whose recognition breaks the process fails alone', async () => {
    const limits = { maxMemoryBytes: 210 * 1024 * 1024 };
    expect(await render(scratch.file(drawingThenBlank(2)), [1, 2, 3], { renderer, limits })).toMatchObject([
      { number: 1, code: 'page_render_memory' },
      { number: 2, renderer },
      { number: 3, renderer },
    ]);
  });
});

// Several pages, so that no machine is through with them in this time, in which every machine has opened the file.
it.each([
  ['time', { pageTimeoutMs: 4000, maxMemoryBytes: 8 * 1024 ** 3 }],
  ['memory', { maxMemoryBytes: 280 * 1024 * 1024 }],
])('a search for text that breaks the limit of %s leaves open whether there is text', async (_limit, limits) => {
  const found = await besideAGoodDeck(probe(scratch.file(endlessThenGood(1, 5)), limits));
  expect(found).toMatchObject({ pageCount: 6, hasTextLayer: null, hazards: [] });
  expect(found.pages).toHaveLength(6);
});

it('an image bomb is drawn within the limits or refused by name', async () => {
  const bomb = bombImage();
  expect(bomb.length).toBeLessThan(1_500_000);
  const file = scratch.file(bomb);
  expect((await probe(file)).pageCount).toBe(1);
  const [page] = await besideAGoodDeck(render(file, [1]));
  if (page !== undefined && 'code' in page) expect(['page_render_memory', 'page_render_timeout']).toContain(page.code);
  else expect(page).toMatchObject({ widthPx: 1344, heightPx: 756 });
});

it('a page above the memory limit is ended and named', async () => {
  const limits = { maxMemoryBytes: 260 * 1024 * 1024, pageTimeoutMs: 60_000 };
  const file = scratch.file(endlessThenGood(1));
  const [page, next] = await besideAGoodDeck(render(file, [1, 2], { limits }));
  expect(page).toMatchObject({ number: 1, code: 'page_render_memory' });
  expect(next).toMatchObject({ number: 2, widthPx: 1344 });
});

it('a page that never finishes is ended and named, and the pages after it are drawn', async () => {
  const limits = { pageTimeoutMs: 2000, maxMemoryBytes: 8 * 1024 ** 3 };
  const file = scratch.file(endlessThenGood(2));
  const pages = await besideAGoodDeck(render(file, [1, 2, 3], { limits }));
  expect(pages[0]).toMatchObject({ number: 1, code: 'page_render_timeout' });
  expect(pages.slice(1)).toMatchObject([
    { number: 2, widthPx: 1344 },
    { number: 3, widthPx: 1344 },
  ]);
});

it('the size of a file does not count against the memory of its pages', async () => {
  const file = scratch.file(
    handMade([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 960 540]/Contents 4 0 R>>',
      stream('', Buffer.from('0 0 1 rg 1 1 9 9 re f')),
      stream('', Buffer.alloc(90 * 1024 * 1024, 'x')),
    ]),
  );
  const [page] = await render(file, [1], { renderer: 'pdfium', limits: { maxMemoryBytes: 400 * 1024 * 1024 } });
  expect(page).toMatchObject({ number: 1, renderer: 'pdfium', widthPx: 1344 });
});

it('a deck that has used up its time ends with every page accounted for', async () => {
  const limits = { documentTimeoutMs: 1500, maxMemoryBytes: 8 * 1024 ** 3 };
  const pages = await render(scratch.file(endlessThenGood(2)), [1, 2, 3], { limits });
  expect(pages.map((page) => page.number)).toEqual([1, 2, 3]);
  expect(pages[0]).toMatchObject({ code: 'page_render_timeout' });
});
