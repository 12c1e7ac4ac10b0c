/**
 * Render processes kept ready: each does one job only, but none makes a deck wait for Node and its libraries to load.
 *
 * A spare is replaced as soon as it is taken, so the next window finds one too.
 */
import type { RendererName } from './renderer.ts';
import { RenderProcess } from './render-process.ts';

/** A deck asks for a probe and its first page at once; windows after that leave time to start another. */
const SPARES = 2;

let spares: RenderProcess[] = [];

/** Starts the spares for a renderer, so that the first deck finds them ready. */
export function prepareRenderer(renderer: RendererName): void {
  spares = spares.filter((process) => process.alive);
  const missing = SPARES - spares.filter((process) => process.renderer === renderer).length;
  for (let count = 0; count < missing; count++) spares.push(new RenderProcess(renderer));
}

/** A process for one job with the named renderer: a spare if there is one. */
export function takeProcess(renderer: RendererName): RenderProcess {
  const taken = spares.find((process) => process.alive && process.renderer === renderer) ?? new RenderProcess(renderer);
  spares = spares.filter((process) => process !== taken);
  prepareRenderer(renderer);
  return taken;
}

/** A process for a job that draws nothing: any spare, whichever renderer it has loaded. */
export function takeAnyProcess(): RenderProcess {
  return takeProcess(spares.find((process) => process.alive)?.renderer ?? 'pdfium');
}

/** Ends all spares; jobs under way end by their own signals. A later job starts over. */
export function closeRenderer(): void {
  for (const process of spares) process.kill();
  spares = [];
}
