/** Checks that the need of a model is known before a machine is rented or set up for it, and whether it was right. */
import { DeckhandError } from '../../errors.ts';

/** The configured need of a model. A need of 0 counts as not known, except for a model that needs no GPU at all: the built-in reader's. */
export interface ConfiguredNeed {
  readonly name: string;
  /** By which machines hold it; null = not known. */
  readonly digest: string | null;
  readonly weightsGib: number | null;
  /** Of one parallel call with a full window. */
  readonly kvCacheGibPerSlot: number | null;
}

const isKnown = (gib: number | null): boolean => gib !== null && gib > 0;

/** Words for what is not known of a model; empty where a machine may be rented for it. */
export function missingOf({ digest, weightsGib, kvCacheGibPerSlot }: ConfiguredNeed): readonly string[] {
  if (weightsGib === 0 && kvCacheGibPerSlot === 0) return [];
  return [
    ...(digest === null || digest === '' ? ['its digest'] : []),
    ...(isKnown(weightsGib) ? [] : ['the size of its weights']),
    ...(isKnown(kvCacheGibPerSlot) ? [] : ['the cache of a call']),
  ];
}

/** Refuses a model of which too little is known. @throws DeckhandError `model_not_configured` with its name, what is missing, and how to say it */
export function assertNeedsKnown(models: readonly ConfiguredNeed[]): void {
  for (const model of models) {
    const missing = missingOf(model);
    if (missing.length > 0) throw needUnknown(model.name, missing);
  }
}

/** The refusal of one model. @param missing words of {@link missingOf} */
export function needUnknown(name: string, missing: readonly string[]): DeckhandError {
  const listed =
    missing.length < 2 ? missing.join('') : `${missing.slice(0, -1).join(', ')} and ${missing.at(-1) ?? ''}`;
  return new DeckhandError('model_not_configured', `${name}: ${listed} not known`, {
    userMessage: `No machine is rented or set up for ${name}: ${listed} ${missing.length === 1 ? 'is' : 'are'} not known.`,
    hint: `\`./deckhand models add ${name} --pool\` asks the registry; or say it: --digest, --weights, --cache.`,
  });
}

const GIB = 1024 ** 3;
/** Memory that is neither weights nor cache (buffers, driver) is within this; a pool adds a tenth of its own. */
const MOST_DIFFERENCE = 0.15;

/** Memory of a loaded model as its server reports it. */
export interface MeasuredNeed {
  /** All of it, wherever it is. */
  readonly sizeBytes: number;
  /** Of that in graphics memory. */
  readonly vramBytes: number;
  /** Parallel calls that it was loaded for. */
  readonly slots: number;
}

/** A model that needs another amount of memory than is configured. */
export interface NeedFinding {
  readonly name: string;
  readonly neededGib: number;
  readonly measuredGib: number;
  /** For people: one sentence, and what to do. */
  readonly message: string;
}

/**
 * Compares the need of a model with what it takes once it is loaded; null = they agree within 15 %, or nothing can be said.
 *
 * Where a part is outside of graphics memory the whole is compared: that it does not fit is what the need should have said.
 */
export function checkNeed(need: ConfiguredNeed, measured: MeasuredNeed): NeedFinding | null {
  const { name, weightsGib, kvCacheGibPerSlot } = need;
  const measuredGib = Math.max(measured.sizeBytes, measured.vramBytes) / GIB;
  if (!isKnown(weightsGib) || !isKnown(kvCacheGibPerSlot) || measured.vramBytes <= 0) return null;
  const neededGib = (weightsGib ?? 0) + measured.slots * (kvCacheGibPerSlot ?? 0);
  const difference = measuredGib / neededGib - 1;
  if (Math.abs(difference) <= MOST_DIFFERENCE) return null;
  const percent = Math.round(Math.abs(difference) * 100);
  const calls = `${measured.slots} parallel call${measured.slots === 1 ? '' : 's'}`;
  const outside = (measured.sizeBytes - measured.vramBytes) / GIB;
  const rest = outside > 0.05 ? `, of which ${outside.toFixed(1)} GiB are not in graphics memory` : '';
  return {
    name,
    neededGib,
    measuredGib,
    message: `${name} takes ${measuredGib.toFixed(1)} GiB with ${calls}${rest}; ${neededGib.toFixed(1)} GiB are configured, ${percent} % ${difference > 0 ? 'too little' : 'too much'}. Correct --weights and --cache of \`deckhand models add ${name}\`.`,
  };
}
