/** Render processes are killed from outside, cancelled, and orphaned. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { closeRenderer, prepareRenderer } from '../../../activities/convert/render/window.ts';
import { drawingThenBlank, endlessPage, goodDeck } from '../../fixtures/hostile/decks.ts';
import { firstLine, isRunning, render, renderProcesses, scratchFolder } from './helpers.ts';

const scratch = scratchFolder();
afterAll(() => closeRenderer());

/** True when a child's end was noticed by this process. */
function isReaped(pid: number): boolean {
  try {
    return !process.kill(pid, 0);
  } catch {
    return true;
  }
}

/** Waits until something is so; the test's own time limit is the limit. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(50);
}

it('a render process that is killed from outside is replaced, and every page of the window is drawn', async () => {
  const file = scratch.file(await goodDeck(8));
  let killed = 0;
  const pages = await render(file, [1, 2, 3, 4, 5, 6, 7, 8], {
    onPage: ({ number }) => {
      if (number !== 2) return;
      for (const pid of renderProcesses()) {
        process.kill(pid, 'SIGKILL');
        killed++;
      }
    },
  });
  expect(killed).toBeGreaterThan(0);
  expect(pages.map((page) => ('code' in page ? page.code : firstLine(page)))).toEqual(
    [1, 2, 3, 4, 5, 6, 7, 8].map((number) => `Slide ${number}`),
  );
});

it('a render process that is killed while it recognises a page is replaced, and every page of the window is drawn', async () => {
  let killed = 0;
  const pages = await render(scratch.file(drawingThenBlank(3)), [1, 2, 3, 4], {
    renderer: 'pdfium',
    onPage: ({ number }) => {
      if (number !== 2 || killed > 0) return;
      for (const pid of renderProcesses()) killed += Number(process.kill(pid, 'SIGKILL'));
    },
  });
  expect(killed).toBeGreaterThan(0);
  expect(pages).toMatchObject([1, 2, 3, 4].map((number) => ({ number, renderer: 'pdfium', ocrFault: null })));
  expect(pages[0]).toMatchObject({ layout: { ocr: 'done' } });
});

it('spares that are killed before they begin a page cost no page its renderer', async () => {
  closeRenderer();
  prepareRenderer('pdfium');
  let isOver = false;
  const killEach = async (): Promise<void> => {
    // The process that was taken is replaced: then two spares die, one after the other.
    await until(() => isOver || renderProcesses().length >= 5);
    const pids = renderProcesses();
    // One that is stopped begins no page when its turn comes.
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    for (const pid of pids) {
      process.kill(pid, 'SIGKILL');
      // Only once its end was noticed is the next one taken.
      await until(() => isReaped(pid));
    }
  };
  let killed: Promise<void> | undefined;
  const onPage = (): void => void (killed ??= killEach());
  // Two spares of the renderer, and two for probes.
  await until(() => renderProcesses().length >= 4);
  const pages = await render(scratch.file(drawingThenBlank(3)), [1, 2, 3, 4], { renderer: 'pdfium', onPage });
  isOver = true;
  await killed;
  expect(pages).toMatchObject([1, 2, 3, 4].map((number) => ({ number, renderer: 'pdfium', ocrFault: null })));
});

it('cancelling ends the process that draws and rejects with the reason of the signal', async () => {
  closeRenderer();
  const controller = new AbortController();
  const reason = new Error('the analysis was cancelled');
  const running = render(scratch.file(endlessPage()), [1], {
    renderer: 'pdfium',
    signal: controller.signal,
    limits: { maxMemoryBytes: Infinity },
  });
  const outcome = running.catch((error: unknown) => error);
  await until(() => renderProcesses().length > 0);
  await sleep(1000);
  const pids = renderProcesses();
  controller.abort(reason);
  expect(await outcome).toBe(reason);
  closeRenderer();
  await until(() => pids.every((pid) => !isRunning(pid)));
});

it('cancelling starts nothing when it is cancelled already', async () => {
  const reason = new Error('too late');
  await expect(render(scratch.file(await goodDeck(1)), [1], { signal: AbortSignal.abort(reason) })).rejects.toBe(
    reason,
  );
});

it('spare render processes are started ahead, used for one job only, and ended on closing', async () => {
  closeRenderer();
  await until(() => renderProcesses().length === 0);
  prepareRenderer('pdfium');
  const before = renderProcesses();
  expect(before.length).toBeGreaterThan(0);
  await render(scratch.file(await goodDeck(1)), [1], { renderer: 'pdfium' });
  await until(() => before.some((pid) => !isRunning(pid)));
  closeRenderer();
  await until(() => renderProcesses().length === 0);
});

it('a parent that is killed leaves no render process behind, not even one that is stuck in a page', async () => {
  const script = fileURLToPath(new URL('../../fixtures/hostile/render-forever.ts', import.meta.url));
  const parent = spawn(process.execPath, [script, scratch.file(endlessPage()), `${scratch.folder}/orphan`], {
    stdio: 'ignore',
  });
  const pid = parent.pid ?? 0;
  await until(() => renderProcesses(pid).length > 1);
  // By now the page is being drawn, in one call into WebAssembly that looks at no message.
  await sleep(2500);
  const children = renderProcesses(pid);
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  await until(() => children.every((child) => !isRunning(child)));
});
