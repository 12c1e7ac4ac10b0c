/**
 * Identity of a model, which is pinned and stored with its results.
 *
 * A server that knows the files of a model shows their digest. Others show a name and what they say of it; a model behind a name may be
 * replaced without a sign, so such an identity is marked as weak wherever it stands: in pins, content keys, provenance and lists.
 */
/** Stands before the digest of a weak identity. */
const WEAK = 'by-name:';

/** A digest as models have it: of files, or weak. */
export const DIGEST_PATTERN = /^(?:by-name:)?[0-9a-f]{64}$/;

/** The weak identity of this hash. @param sha256 hex */
export const weakDigest = (sha256: string): string => `${WEAK}${sha256}`;

/** Letters of a digest that tell models apart. */
const SHOWN_CHARS = 12;

/**
 * A digest for people: its begin, and whether it rests on a name alone, such as `0123456789ab (by name only)`.
 *
 * @param byName those words in the reader's language
 */
export function shownDigest(digest: string, byName = 'by name only'): string {
  const begin = digest.replace(/^(?:sha256:|by-name:)/u, '').slice(0, SHOWN_CHARS);
  return digest.startsWith(WEAK) ? `${begin} (${byName})` : begin;
}
