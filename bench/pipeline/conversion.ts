/** Pages per second of conversion, against poppler's pdftoppm at the same pixel size. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  closeRenderer,
  DEFAULT_RENDER_LIMITS,
  renderWindow,
  type RendererName,
} from '../../activities/convert/render/window.ts';
import { ARTEFACT_WIDTH_PX, JPEG_QUALITY, planWindows } from '../../domain/decks/pdf.ts';

/** Pages per second of our conversion: two images and the text of each page, every window a process of its own. */
export async function ourPagesPerSecond(pdf: Uint8Array, pageCount: number, renderer: RendererName): Promise<number> {
  return inScratch(pdf, async (file, dir) => {
    const startedAtMs = performance.now();
    for (const [index, pages] of planWindows(pageCount).entries()) {
      const options = { signal: AbortSignal.timeout(300_000), limits: DEFAULT_RENDER_LIMITS, renderer };
      const { pages: done } = await renderWindow(file, pages, path.join(dir, String(index)), options);
      const failed = done.find((p) => 'code' in p);
      if (failed !== undefined) throw new Error(`page ${failed.number} was not rendered`);
    }
    closeRenderer();
    return pageCount / ((performance.now() - startedAtMs) / 1000);
  });
}

/** Pages per second of `pdftoppm -jpeg` for the larger of our two images. */
export async function pdftoppmPagesPerSecond(pdf: Uint8Array, pageCount: number): Promise<number> {
  return inScratch(pdf, async (file, dir) => {
    const startedAtMs = performance.now();
    const args = [
      '-jpeg',
      '-jpegopt',
      `quality=${JPEG_QUALITY}`,
      '-scale-to-x',
      String(ARTEFACT_WIDTH_PX),
      '-scale-to-y',
      '-1',
      file,
      path.join(dir, 'page'),
    ];
    const [code] = (await once(spawn('pdftoppm', args, { stdio: 'inherit' }), 'exit')) as [number];
    if (code !== 0) throw new Error(`pdftoppm ended with ${code}`);
    return pageCount / ((performance.now() - startedAtMs) / 1000);
  });
}

async function inScratch<T>(pdf: Uint8Array, work: (file: string, dir: string) => Promise<T>): Promise<T> {
  await using dir = await mkdtempDisposable(path.join(tmpdir(), 'deckhand-bench-'));
  const file = path.join(dir.path, 'deck.pdf');
  await writeFile(file, pdf);
  return await work(file, dir.path);
}
