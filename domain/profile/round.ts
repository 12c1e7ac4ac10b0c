/** Financing rounds by the words that decks use for them. Without a library at run time: the pages of the workspace import it. */

/** Rounds, the earliest first. */
export const ROUNDS = ['pre_seed', 'seed', 'series_a', 'series_b', 'series_c', 'later'] as const;
export type Round = (typeof ROUNDS)[number];

/** No letter or digit may stand beside a word of a round. */
const word = (pattern: string): RegExp => new RegExp(String.raw`(?<![\p{L}\d])(?:${pattern})(?![\p{L}\d])`, 'giu');

const SERIES = String.raw`(?:series|serie)[\s-]*`;
/** Compounds of German, such as "Seed-Runde" and "Seedrunde", name a round too. */
const RUNDE = String.raw`(?:[\s-]*(?:runde|phase|finanzierung))?`;

/** In the order of the search: words of one are not looked for in what an earlier one has taken. */
const WORDS: readonly (readonly [Round, RegExp])[] = [
  ['pre_seed', word(String.raw`pre[\s-]*seed${RUNDE}`)],
  ['seed', word(`seed${RUNDE}`)],
  ['series_a', word(`${SERIES}a`)],
  ['series_b', word(`${SERIES}b`)],
  ['series_c', word(`${SERIES}c`)],
  ['later', word(`${SERIES}[d-h]`)],
];

/**
 * The round that the words of a stage name; null where they name none, or several.
 *
 * @param text such as `Pre-Seed`, `raising our Series A`, `Seed-Runde`
 */
export function roundOf(text: string): Round | null {
  let rest = text;
  const named = WORDS.filter(([, words]) => {
    const before = rest;
    rest = rest.replaceAll(words, ' ');
    return rest !== before;
  }).map(([round]) => round);
  return named.length === 1 ? (named[0] ?? null) : null;
}
