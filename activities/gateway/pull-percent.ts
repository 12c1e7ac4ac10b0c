/** How far a pull is: Ollama reports each layer of a model by itself and says a layer's size only when it begins. */
import type { PullProgress } from '../models/client/model-server.ts';

/** Sums the layers of one pull. */
export class PullPercent {
  readonly #layers = new Map<string, { completed: number; total: number }>();

  /** 0 to 100; never more than what is known of. */
  get value(): number {
    let completed = 0;
    let total = 0;
    for (const layer of this.#layers.values()) {
      completed += layer.completed;
      total += layer.total;
    }
    return total === 0 ? 0 : Math.round((1000 * completed) / total) / 10;
  }

  /** Steps without sizes (manifest, checksum) change nothing. */
  add(progress: PullProgress): void {
    if (progress.totalBytes === null || progress.totalBytes === 0) return;
    this.#layers.set(progress.status, { completed: progress.completedBytes ?? 0, total: progress.totalBytes });
  }
}
