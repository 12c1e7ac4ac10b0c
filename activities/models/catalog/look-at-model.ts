/** Makes the catalogue entry of a model from the description by a server, a registry or a file. */
import { DeckhandError } from '../../../domain/errors.ts';
import { modelSchema, SMALLEST_WINDOW, type Model } from '../../../domain/models/catalog/catalog.ts';
import { upToTenth } from '../../../domain/models/footprint/footprint.ts';
import { findFootprint, type FootprintSource } from '../footprint/find.ts';

/** Window that a model gets where none is asked for, tokens: enough for a deck of usual length, at half the memory of 32,768. */
const USUAL_WINDOW = 16_384;

/**
 * The entry of a model.
 *
 * @param known what is configured already, or said by the user; it counts before what is found
 * @throws DeckhandError of `findFootprint`; `invalid_request` for a window that the model was not trained for
 */
export async function lookAtModel(
  name: string,
  source: FootprintSource,
  known: Partial<Model>,
  signal: AbortSignal,
): Promise<{ readonly model: Model; readonly notes: readonly string[] }> {
  const found = await findFootprint(source, signal);
  const { trainedWindow, sees, thinks, followsInstructions } = found;
  if (trainedWindow !== null && known.window !== undefined && known.window > trainedWindow) {
    const message = `${name} was trained for a window of ${trainedWindow} tokens; ${known.window} were asked for.`;
    throw new DeckhandError('invalid_request', message, {
      userMessage: message,
      hint: `Ask for ${trainedWindow} or less, or leave the window out.`,
    });
  }
  const window = known.window ?? Math.max(SMALLEST_WINDOW, Math.min(USUAL_WINDOW, trainedWindow ?? USUAL_WINDOW));
  const cacheGib = found.kvCacheGibPerSlot(window);
  const model = modelSchema.parse({
    digest: found.digest,
    seesPictures: sees ?? false,
    weightsGib: found.weightsGib === null ? null : upToTenth(found.weightsGib),
    kvCacheGibPerSlot: cacheGib === null ? null : upToTenth(cacheGib),
    ...known,
    window,
    name,
  });
  const memory =
    model.weightsGib === null || model.kvCacheGibPerSlot === null
      ? 'its need of memory is not known, so no machine is rented for it'
      : `${model.weightsGib} GiB of memory and ${model.kvCacheGibPerSlot} GiB for each parallel call`;
  return {
    model,
    notes: [
      `${name}: ${model.seesPictures ? 'sees pictures' : 'sees no pictures'}; window ${window} tokens${trainedWindow === null ? '' : ` of ${trainedWindow} that it was trained for`}; ${memory}; digest ${model.digest?.slice(0, 12) ?? 'not known'}.`,
      ...(thinks === true ? [`${name} thinks before it answers; it is asked not to.`] : []),
      ...(followsInstructions === false
        ? [`${name} has no template of a conversation: a base model goes on writing instead of answering.`]
        : []),
    ],
  };
}
