/** Pages that break the process in which another page is drawn or recognised at that moment, with each renderer. */
import { afterAll, describe, expect, it } from 'vitest';
import { RENDERER_NAMES } from '../../../activities/convert/render/renderer.ts';
import { closeRenderer } from '../../../activities/convert/render/window.ts';
import { drawingThenBlank } from '../../fixtures/hostile/decks.ts';
import { render, scratchFolder } from './helpers.ts';

const scratch = scratchFolder();
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
