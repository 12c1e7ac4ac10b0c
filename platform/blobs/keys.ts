/**
 * Names of blobs, and the rule that keeps every key inside its store.
 *
 * A key is made of ids, hashes and numbers of ours, never of a file name that somebody chose.
 */
import { DeckhandError } from '../../domain/errors.ts';

/** `artefact`: the image people look at; `model`: the smaller one models get. */
type SlideImageKind = 'artefact' | 'model';

const SEGMENT = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/;

/**
 * The key unchanged if it is safe: segments of letters, digits, `.`, `_` and `-`, none of them starting with a dot.
 *
 * @throws DeckhandError `internal`: a key is made by our own code, so a bad one is a defect
 */
export function checkedKey(key: string): string {
  if (key.length > 512 || !key.split('/').every((segment) => SEGMENT.test(segment))) {
    throw new DeckhandError('internal', `unsafe blob key ${JSON.stringify(key)}`);
  }
  return key;
}

const join = (...segments: readonly (string | number)[]): string => checkedKey(segments.join('/'));

/** The PDF of a deck. */
export const deckPdfKey = (tenantId: string, sha256: string): string => join(tenantId, 'decks', `${sha256}.pdf`);

/** Everything rendered of one deck. */
export const deckImagesPrefix = (tenantId: string, deckId: string): string => join(tenantId, 'slides', deckId);

/** Everything rendered of one deck under one set of render parameters. */
export const slidesPrefix = (tenantId: string, deckId: string, renderKey: string): string =>
  join(tenantId, 'slides', deckId, renderKey);

/**
 * One image of one slide.
 *
 * @param number 1-based page
 */
export const slideImageKey = (
  tenantId: string,
  deckId: string,
  renderKey: string,
  number: number,
  kind: SlideImageKind,
): string => join(tenantId, 'slides', deckId, renderKey, `${number}-${kind}.jpg`);
