/** Builds word patterns that know letters outside ASCII, which `\b` does not. */

/** Matches any of the alternatives as whole words, ignoring case. Alternatives are regular expression sources. */
export function anyOf(...alternatives: readonly string[]): RegExp {
  const source = alternatives.join('|');
  return new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${source})(?![\p{L}\p{N}])`, 'giu');
}

/** Matches what any of the patterns matches, ignoring case; a string is the source of one. */
export const either = (...patterns: readonly (RegExp | string)[]): RegExp =>
  new RegExp(patterns.map((each) => (typeof each === 'string' ? each : each.source)).join('|'), 'giu');

/** The different matches of a global pattern, in lower case. */
export function distinctMatches(text: string, pattern: RegExp): Set<string> {
  return new Set([...text.matchAll(pattern)].map((match) => match[0].toLowerCase()));
}

/** Number of different matches of a global pattern. */
export function countDistinct(text: string, pattern: RegExp): number {
  return distinctMatches(text, pattern).size;
}

/** True when the global pattern matches; unlike `test` it keeps no state. */
export function has(text: string, pattern: RegExp): boolean {
  return text.search(pattern) >= 0;
}
