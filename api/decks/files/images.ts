/**
 * Smaller images of slides: each is made once, at its first request, and kept beside the image it was made from, so that a deletion of the
 * deck removes it too.
 */
import sharp from 'sharp';
import { asDeckhandError } from '../../../domain/errors.ts';
import { smallerImageKey } from '../../../platform/blobs.ts';
import type { ApiDeps } from '../../deps.ts';
import type { ImageWidthPx } from './schemas.ts';

/** JPEG quality: a small image is looked at, not read. */
const QUALITY = 75;
/** Made at the same time. Each takes a thread of the pool that reads files too. */
const PARALLEL = 2;

/** A slide that was drawn. */
export interface DrawnSlide {
  readonly id: string;
  readonly tenantId: string;
  readonly deckId: string;
  readonly artefactBlobKey: string;
}

type Parts = Pick<ApiDeps, 'db' | 'blobs' | 'log'>;

/** Makes and keeps them; one for all requests of a process. */
export class SmallerImages {
  readonly #parts: Parts;
  /** In the making, by key of the blob. */
  readonly #making = new Map<string, Promise<Uint8Array>>();
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The image as a JPEG, at most this wide. @throws DeckhandError `not_found` when the image of the slide is gone */
  async get(slide: DrawnSlide, widthPx: ImageWidthPx): Promise<Uint8Array> {
    const { blobs } = this.#parts;
    const key = smallerImageKey(slide.artefactBlobKey, slide.id, widthPx);
    const ongoing = this.#making.get(key);
    if (ongoing !== undefined) return ongoing;
    const making = (async () =>
      (await blobs.has(key)) ? blobs.get(key) : this.#inTurn(() => this.#make(slide, widthPx, key)))();
    this.#making.set(key, making);
    try {
      return await making;
    } finally {
      this.#making.delete(key);
    }
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= PARALLEL) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running += 1;
    try {
      return await work();
    } finally {
      // The next one takes over the place.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  async #make(slide: DrawnSlide, widthPx: number, key: string): Promise<Uint8Array> {
    const { db, blobs, log } = this.#parts;
    const made = await sharp(await blobs.get(slide.artefactBlobKey))
      .resize({ width: widthPx, withoutEnlargement: true })
      .jpeg({ quality: QUALITY })
      .toBuffer();
    try {
      await blobs.put(key, made);
    } catch (error) {
      // It can be shown all the same; the next request makes it again.
      if (asDeckhandError(error).code !== 'storage_full') throw error;
      log.warn({ err: error, deckId: slide.deckId }, 'a smaller image could not be kept');
      return made;
    }
    // A deletion that began meanwhile may have looked for images already. One that begins later finds this one.
    const isThere = { id: slide.deckId, tenantId: slide.tenantId, deletingAt: null };
    if ((await db.deck.count({ where: isThere })) === 0) await blobs.delete(key);
    return made;
  }
}
