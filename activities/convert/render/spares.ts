/**
 * Render processes kept ready: each does one job only, but none makes a deck wait for Node and its libraries to load.
 *
 * A spare that was taken is replaced a moment later, so that starting the next one does not slow the very page that is waited for.
 */
import type { RendererName } from './renderer.ts';
import { RenderProcess, type Purpose } from './render-process.ts';

/** Of each purpose: a deck that arrives asks at once for its probe and its first pages, and the next one may be right behind it. */
const SPARES = 2;
/** Longer than a probe and a first page take together. */
const REPLACE_AFTER_MS = 300;

let spares: RenderProcess[] = [];
const starting = new Set<Purpose>();
const replacing = new Map<Purpose, NodeJS.Timeout>();

/** Starts the spares for a renderer and for probes, so that the first deck finds them ready. */
export function prepareRenderer(renderer: RendererName): void {
  prepare('probe');
  prepare(renderer);
}

/** One after the other, because starting them all at once would take every core from the work that is going on. */
function prepare(purpose: Purpose): void {
  if (starting.has(purpose)) return;
  spares = spares.filter((process) => process.alive);
  if (spares.filter((process) => process.purpose === purpose).length >= SPARES) return;
  const spare = new RenderProcess(purpose);
  spares.push(spare);
  starting.add(purpose);
  void spare.started.then((ready) => {
    starting.delete(purpose);
    // One that cannot start is not tried again until it is needed: then its error is heard.
    if (ready) prepare(purpose);
  });
}

/** A process for one job: a spare if there is one. */
export function takeProcess(purpose: Purpose): RenderProcess {
  const taken = spares.find((process) => process.alive && process.purpose === purpose) ?? new RenderProcess(purpose);
  spares = spares.filter((process) => process !== taken);
  if (!replacing.has(purpose)) {
    const replace = (): void => {
      replacing.delete(purpose);
      prepare(purpose);
    };
    replacing.set(purpose, setTimeout(replace, REPLACE_AFTER_MS).unref());
  }
  return taken;
}

/** Ends all spares; jobs under way end by their own signals. A later job starts over. */
export function closeRenderer(): void {
  for (const timer of replacing.values()) clearTimeout(timer);
  replacing.clear();
  starting.clear();
  for (const process of spares) process.kill();
  spares = [];
}
