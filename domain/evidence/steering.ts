/**
 * Finds words on a slide that address a model instead of an investor: attempts to steer the score. They are reported as a finding; the
 * fences around deck text keep them from being instructions.
 *
 * Each slide is checked by itself: an attempt that is spread over several slides is not found.
 */
import { STEERING_PATTERNS } from './steering-patterns.ts';

/** Most findings of one slide, and the length of each. */
const MAX_FINDINGS = 5;
const MAX_FINDING_LENGTH = 300;
/** A sentence may wrap over so many lines. */
const MAX_LINES = 4;
/** A run of such characters may be text in base64; shorter ones are words. */
const ENCODED = /[A-Za-z0-9+/_-]{24,}={0,2}/gu;

const isSteering = (readable: string): boolean => STEERING_PATTERNS.some((pattern) => pattern.test(readable));

/** The lines of a slide that try to steer a model, verbatim, at most five. */
export function findSteering(slideText: string): string[] {
  const lines = slideText.normalize('NFKC').split('\n');
  const found: string[] = [];
  for (let from = 0; from < lines.length && found.length < MAX_FINDINGS;) {
    const count = linesOfAttempt(lines, from);
    if (count > 0)
      found.push(
        lines
          .slice(from, from + count)
          .map((line) => line.trim())
          .join(' ')
          .slice(0, MAX_FINDING_LENGTH),
      );
    from += Math.max(1, count);
  }
  return found;
}

/** How many lines from here on are an attempt; 0 when none begins here. */
function linesOfAttempt(lines: readonly string[], from: number): number {
  const most = Math.min(MAX_LINES, lines.length - from);
  for (let count = 1; count <= most; count++) {
    if (!isSteeringText(lines.slice(from, from + count))) continue;
    // What the later lines are by themselves begins there.
    return count === 1 || !isSteeringText(lines.slice(from + 1, from + count)) ? count : 0;
  }
  return 0;
}

function isSteeringText(lines: readonly string[]): boolean {
  const together = lines.map((line) => line.trim()).join('\n');
  // A word that is divided at the end of a line is one word.
  if (isSteering(readableForm(together.replaceAll(/(?<=\p{L})[-‐\u00ad]\n(?=\p{L})/gu, '')))) return true;
  return [together.replaceAll('\n', ' '), together.replaceAll('\n', '')]
    .flatMap((text) => text.match(ENCODED) ?? [])
    .some((text) => isSteering(readableForm(decoded(text))));
}

/** Text in base64; empty for what is none. */
function decoded(text: string): string {
  try {
    const base64 = text.replaceAll('-', '+').replaceAll('_', '/');
    const bytes = Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return '';
  }
}

/** Look-alikes that compatibility normalisation leaves as they are: each letter, and what is taken for it. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  a: 'аαɑɐᴀꭺᗅ',
  b: 'ьвβʙƄᏏ',
  c: 'сϲᴄⅽꮯƈ',
  d: 'ԁɗᴅⅾɖ',
  e: 'еєεɛᴇҽəэ',
  f: 'ғꜰƒϝ',
  g: 'ɡɢցԍǥ',
  h: 'һнʜհħ',
  i: 'іιıɪɩӏ׀∣ⅼǀ',
  j: 'јʝᴊϳ',
  k: 'кκᴋқƙ',
  l: 'ʟⅼłɭ',
  m: 'мᴍⅿɱ',
  n: 'пոηɴɲ',
  o: 'оοσөᴏօøഠ',
  p: 'рρᴘþƿ',
  q: 'ԛգզ',
  r: 'гʀᴦɾяɍ',
  s: 'ѕꜱʂƽ',
  t: 'тτᴛƭŧ',
  u: 'υսᴜʋцμ',
  v: 'ѵνᴠⅴ',
  w: 'ԝωᴡѡшա',
  x: 'хχ×ⅹ',
  y: 'уүγʏỿ',
  z: 'ᴢʐƶ',
};

const LATIN = new Map(
  Object.entries(LOOK_ALIKES).flatMap(([latin, alike]) => Array.from(alike).map((c) => [c, latin])),
);

/** Letters set one by one, such as `i g n o r e` or `i.g.n.o.r.e`. */
const SPACED_OUT = /(?<![\p{L}\p{N}])\p{L}(?:([ .·_*-])\p{L})(?:\1\p{L})+(?![\p{L}\p{N}])/gu;

/**
 * Text as a person reads it, for recognising words and never for showing them: Latin lower case without accents or invisible characters, with
 * blanks as the only white space. A text in another script comes out as nonsense.
 */
function readableForm(text: string): string {
  return (
    text
      .normalize('NFKD')
      // Zero-width characters, direction marks, soft hyphens and tags; accents; fillers that show nothing.
      .replaceAll(/[\p{Cf}\p{Mn}\u{115f}\u{1160}\u{3164}\u{ffa0}]/gu, '')
      .toLowerCase()
      .replaceAll(/[^\p{ASCII}]/gu, (character) => LATIN.get(character) ?? character)
      .replaceAll(/[‘’‛`´]/gu, "'")
      .replaceAll(/[“”„‟«»]/gu, '"')
      .replaceAll('ß', 'ss')
      .replaceAll(SPACED_OUT, (letters) => letters.replaceAll(/[^\p{L}]/gu, ''))
      .replaceAll(/\s+/gu, ' ')
      .trim()
  );
}
