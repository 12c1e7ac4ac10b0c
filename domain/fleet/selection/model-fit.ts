/**
 * Whether the models of a pool fit into the graphics memory of a machine.
 */
import { DeckhandError } from '../../errors.ts';
import type { ModelNeed } from './ladder.ts';

/** Part of the sum that is added for what is neither weights nor cache: compute buffers, driver, fragmentation. */
export const RESERVE_SHARE = 0.1;

/** Graphics memory that all models need together, GiB: weights, and one cache per parallel call, plus 10 %. */
export function neededVramGib(models: readonly ModelNeed[], slots: number): number {
  const sum = models.reduce((total, m) => total + m.weightsGib + m.kvCacheGibPerSlot * slots, 0);
  return sum * (1 + RESERVE_SHARE);
}

/** Parallel calls for which there is room in so much graphics memory; 0 when not even one fits. Infinity for models without a cache. */
export function mostSlots(models: readonly ModelNeed[], vramGib: number): number {
  const free = vramGib / (1 + RESERVE_SHARE) - models.reduce((total, m) => total + m.weightsGib, 0);
  const perSlot = models.reduce((total, m) => total + m.kvCacheGibPerSlot, 0);
  if (free < 0) return 0;
  return perSlot === 0 ? Number.POSITIVE_INFINITY : Math.floor(free / perSlot);
}

/** A type that is allowed, with its memory. */
interface SizedType {
  readonly instanceType: string;
  readonly vramGib: number;
}

/** @throws DeckhandError `model_fits_no_offer` when none of the allowed types is large enough; with what is needed and the largest allowed */
export function assertModelFits(
  allowed: readonly SizedType[],
  models: readonly ModelNeed[],
  slots: number,
  selector: string,
): void {
  const needed = neededVramGib(models, slots);
  const largest = allowed.toSorted((a, b) => b.vramGib - a.vramGib)[0];
  if (largest === undefined || largest.vramGib >= needed) return;
  const names = models.map((m) => m.modelName).join(' and ');
  throw new DeckhandError(
    'model_fits_no_offer',
    `${needed} GiB needed, ${largest.vramGib} GiB is the largest allowed`,
    {
      userMessage: `${names} with ${slots} parallel calls need ${needed.toFixed(1)} GiB of graphics memory; the largest type that ${selector} allows, ${largest.instanceType}, has ${largest.vramGib} GiB.`,
      hint: 'Choose a selector with larger GPUs, fewer parallel calls (DECKHAND_MODEL_CONCURRENCY), or give the classes a pool each.',
    },
  );
}
