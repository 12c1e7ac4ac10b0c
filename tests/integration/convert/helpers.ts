/** What the tests of conversion share: a scratch folder, short calls, and a look at the processes of this machine. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect } from 'vitest';
import { folderPerFile } from '../../../testing/per-file.ts';
import { DEFAULT_RENDER_LIMITS } from '../../../domain/decks/pdf.ts';
import type { RenderLimits } from '../../../domain/decks/pdf.ts';
import { plainText } from '../../../domain/pages/page-text.ts';
import { probeDeck } from '../../../activities/convert/render/probe.ts';
import type { DeckProbe } from '../../../activities/convert/render/probe.ts';
import { renderWindow } from '../../../activities/convert/render/window.ts';
import type { FailedPage, RenderedPage, RenderOptions } from '../../../activities/convert/render/window.ts';
import { goodDeck } from '../../fixtures/hostile/decks.ts';

/** A folder of the test file. `file` writes a deck to a new file in it and returns its path. */
export function scratchFolder() {
  const folder = folderPerFile();
  let count = 0;
  const file = (content: Buffer): string => {
    const written = path.join(folder, `deck-${count++}.pdf`);
    writeFileSync(written, content);
    return written;
  };
  return { folder, file };
}

export function probe(file: string, limits: Partial<RenderLimits> = {}): Promise<DeckProbe> {
  return probeDeck(file, { signal: new AbortController().signal, limits: { ...DEFAULT_RENDER_LIMITS, ...limits } });
}

export async function render(
  file: string,
  pages: number[],
  options: Partial<Omit<RenderOptions, 'limits'>> & { limits?: Partial<RenderLimits> } = {},
): Promise<(RenderedPage | FailedPage)[]> {
  const result = await renderWindow(file, pages, mkdtempSync(`${file}-pages-`), {
    signal: new AbortController().signal,
    renderer: 'pdf-to-img',
    ...options,
    limits: { ...DEFAULT_RENDER_LIMITS, ...options.limits },
  });
  return result.pages;
}

/** The first line of a page's text. */
export function firstLine(page: RenderedPage): string {
  return plainText(page.layout).split('\n')[0] ?? '';
}

/** Process ids of the render processes that this process (or another) has started and that still run. */
export function renderProcesses(parentPid = process.pid): number[] {
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line))
    .filter(
      (match) =>
        match !== null &&
        Number(match[2]) === parentPid &&
        !match[3]?.startsWith('Z') &&
        /render\/child\.ts/.test(match[4] ?? ''),
    )
    .map((match) => Number(match?.[1]));
}

/** True while a process exists and is not merely waiting to be collected. */
export function isRunning(pid: number): boolean {
  try {
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
      .trim()
      .startsWith('Z');
  } catch {
    // ps ends with 1 when there is no such process.
    return false;
  }
}

/** A good deck, made before the tests of a file, to be drawn beside hostile files. */
export function goodDeckBeside(scratch: ReturnType<typeof scratchFolder>) {
  let file = '';
  beforeAll(async () => {
    file = scratch.file(await goodDeck(2));
  });
  return {
    good: () => file,
    /** Does something with a hostile file while the good deck is drawn. */
    besideAGoodDeck: async <T>(hostile: Promise<T>): Promise<T> => {
      const [result, pages] = await Promise.all([hostile, render(file, [1, 2])]);
      expect(pages.map((page) => ('code' in page ? page.code : firstLine(page)))).toEqual(['Slide 1', 'Slide 2']);
      return result;
    },
  };
}
