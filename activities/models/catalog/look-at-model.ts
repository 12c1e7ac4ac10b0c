/** Makes the catalogue entry of a model from the description by a server, a registry or a file. */
import { DeckhandError } from '../../../domain/errors.ts';
import { modelSchema, SMALLEST_WINDOW, type Model } from '../../../domain/models/catalog/catalog.ts';
import { upToTenth } from '../../../domain/models/footprint/footprint.ts';
import { findFootprint, type FootprintSource } from '../footprint/find.ts';
import { shownDigest } from '../../../domain/models/identity.ts';

/** Window that a model gets where none is asked for, tokens: enough for a deck of usual length, at half the memory of 32,768. */
const USUAL_WINDOW = 16_384;

/** Settings of a model that its files decide: they are those of one digest. */
const OF_FILES = ['digest', 'seesPictures', 'weightsGib', 'kvCacheGibPerSlot'] as const;

/** Facts of a model that are known before it is looked at. */
interface Known {
  /** Said by the user now; it counts before all else. */
  readonly said: Partial<Model>;
  /** The entry as it is configured. It counts before what is found, unless that is another version or another window is asked for. */
  readonly configured: Partial<Model>;
}

/**
 * The entry of a model.
 *
 * @throws DeckhandError of `findFootprint`; `invalid_request` for a window that the model was not trained for
 */
export async function lookAtModel(
  name: string,
  source: FootprintSource,
  { said, configured }: Known,
  signal: AbortSignal,
): Promise<{ readonly model: Model; readonly notes: readonly string[] }> {
  const found = await findFootprint(source, signal);
  const { trainedWindow, sees, thinks, followsInstructions } = found;
  if (trainedWindow !== null && said.window !== undefined && said.window > trainedWindow) {
    const message = `${name} was trained for a window of ${trainedWindow} tokens; ${said.window} were asked for.`;
    throw new DeckhandError('invalid_request', message, {
      userMessage: message,
      hint: `Ask for ${trainedWindow} or less, or leave the window out.`,
    });
  }
  const usual = Math.min(configured.window ?? USUAL_WINDOW, trainedWindow ?? Infinity);
  const window = said.window ?? Math.max(SMALLEST_WINDOW, usual);
  const cacheGib = found.kvCacheGibPerSlot(window);
  const facts = {
    digest: found.digest,
    seesPictures: sees,
    weightsGib: found.weightsGib === null ? null : upToTenth(found.weightsGib),
    kvCacheGibPerSlot: cacheGib === null ? null : upToTenth(cacheGib),
  };
  const before = configured.digest ?? null;
  const isOtherVersion = found.digest !== null && before !== null && found.digest !== before;
  const isOtherWindow = configured.window !== undefined && configured.window !== window;
  // False is also what a model has of which nobody said it.
  const kept: Partial<typeof facts> = { ...configured, seesPictures: configured.seesPictures === true ? true : null };
  const ofFiles = OF_FILES.map((what) => {
    const isStale = isOtherVersion || (what === 'kvCacheGibPerSlot' && isOtherWindow);
    return [what, (isStale ? facts[what] : (kept[what] ?? facts[what])) ?? undefined] as const;
  });
  const model = modelSchema.parse({ ...configured, ...Object.fromEntries(ofFiles), ...said, window, name });
  const memory =
    model.weightsGib === null || model.kvCacheGibPerSlot === null
      ? 'its need of memory is not known, so no machine is rented for it'
      : `${model.weightsGib} GiB of memory and ${model.kvCacheGibPerSlot} GiB for each parallel call`;
  return {
    model,
    notes: [
      ...(isOtherVersion && said.digest === undefined
        ? [
            `${name} is another version than before: its digest was ${shownDigest(before)}, now it is ${shownDigest(found.digest)}.`,
          ]
        : []),
      `${name}: ${model.seesPictures ? 'sees pictures' : 'sees no pictures'}; window ${window} tokens${trainedWindow === null ? '' : ` of ${trainedWindow} that it was trained for`}; ${memory}; digest ${model.digest === null ? 'not known' : shownDigest(model.digest)}.`,
      ...(thinks === true ? [`${name} thinks before it answers; it is asked not to.`] : []),
      ...(followsInstructions === false
        ? [`${name} has no template of a conversation: a base model goes on writing instead of answering.`]
        : []),
    ],
  };
}
