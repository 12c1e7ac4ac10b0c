/**
 * Render processes kept ready: each does one job only, but none makes a deck wait for Node and its libraries to load.
 *
 * A spare that was taken is replaced a moment later, so that starting the next one does not slow the very page that is waited for.
 */
import type { RendererName } from './renderer.ts';
import { RenderProcess } from './render-process.ts';

/** A deck that arrives asks at once for its probe, its first page and its next pages. */
const SPARES = 3;
/** Longer than a probe and a first page take together. */
const REPLACE_AFTER_MS = 300;

let spares: RenderProcess[] = [];
const starting = new Set<RendererName>();
const replacing = new Map<RendererName, NodeJS.Timeout>();

/**
 * Starts the spares for a renderer, so that the first deck finds them ready: one after the other, because starting them all at once would
 * take every core from the work that is going on.
 */
export function prepareRenderer(renderer: RendererName): void {
  if (starting.has(renderer)) return;
  spares = spares.filter((process) => process.alive);
  if (spares.filter((process) => process.renderer === renderer).length >= SPARES) return;
  const spare = new RenderProcess(renderer);
  spares.push(spare);
  starting.add(renderer);
  void spare.started.then((ready) => {
    starting.delete(renderer);
    // One that cannot start is not tried again until it is needed: then its error is heard.
    if (ready) prepareRenderer(renderer);
  });
}

/** A process for one job with the named renderer: a spare if there is one. */
export function takeProcess(renderer: RendererName): RenderProcess {
  const taken = spares.find((process) => process.alive && process.renderer === renderer) ?? new RenderProcess(renderer);
  spares = spares.filter((process) => process !== taken);
  if (!replacing.has(renderer)) {
    const replace = (): void => {
      replacing.delete(renderer);
      prepareRenderer(renderer);
    };
    replacing.set(renderer, setTimeout(replace, REPLACE_AFTER_MS).unref());
  }
  return taken;
}

/** A process for a job that draws nothing: any spare, whichever renderer it has loaded. */
export function takeAnyProcess(): RenderProcess {
  return takeProcess(spares.find((process) => process.alive)?.renderer ?? 'pdf-to-img');
}

/** Ends all spares; jobs under way end by their own signals. A later job starts over. */
export function closeRenderer(): void {
  for (const timer of replacing.values()) clearTimeout(timer);
  replacing.clear();
  starting.clear();
  for (const process of spares) process.kill();
  spares = [];
}
