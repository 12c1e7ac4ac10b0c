/** The search of the deck list: what people type, as a query of Postgres' full-text search. */

/** Words of a search that count; more than anybody types. */
const MOST_WORDS = 20;
/** Characters without width, which stand inside of words. */
const WITHOUT_WIDTH = /[\u00AD\u200B-\u200D\uFEFF]/gu;
const BETWEEN_WORDS = /[^\p{L}\p{N}\p{M}]+/u;

/**
 * A query that finds what has a word beginning with each of the typed ones. Typed texts are cut into words as `deck_words` of the database
 * cuts the texts of decks, and nothing of them but letters and digits is left, so that no input is a wrong query.
 *
 * @returns such as `'med':* & 'tech':*`; null where nothing of it is a word
 */
export function searchQuery(typed: string): string | null {
  const words = typed.normalize('NFKC').replaceAll(WITHOUT_WIDTH, '').split(BETWEEN_WORDS);
  const asked = [...new Set(words.filter((word) => word !== ''))].slice(0, MOST_WORDS);
  return asked.length === 0 ? null : asked.map((word) => `'${word}':*`).join(' & ');
}
