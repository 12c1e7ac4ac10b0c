/** Small pictures of slides for a review that leaves the house. */
import type { RouteDeps } from '../../context.ts';
import { readSlides } from './rows.ts';

const WIDTH_PX = 640;
/** A page of a few megabytes still opens at once; of longer decks the slides that something refers to come first. */
const MAX_IMAGES = 80;
/** Pictures made at the same time. */
const PARALLEL = 4;

/**
 * JPEG pictures by slide number. A picture that cannot be read is left out and logged: the document stands without it.
 *
 * @param referred slides that come first where there are too many
 */
export async function slidePictures(
  { db, log, smallerImages }: Pick<RouteDeps, 'db' | 'log' | 'smallerImages'>,
  { tenantId, deckId }: { readonly tenantId: string; readonly deckId: string },
  referred: ReadonlySet<number>,
): Promise<Map<number, Uint8Array>> {
  const slides = (await readSlides(db, tenantId, deckId))
    .toSorted((a, b) => Number(referred.has(b.number)) - Number(referred.has(a.number)) || a.number - b.number)
    .slice(0, MAX_IMAGES);
  const images = new Map<number, Uint8Array>();
  const next = slides.values();
  const worker = async (): Promise<void> => {
    for (const { id, number, artefactBlobKey } of next) {
      if (artefactBlobKey === null) continue;
      try {
        images.set(number, await smallerImages.get({ id, tenantId, deckId, artefactBlobKey }, WIDTH_PX));
      } catch (error) {
        log.warn({ err: error, slide: number }, 'a slide picture is missing from the report');
      }
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  return images;
}
