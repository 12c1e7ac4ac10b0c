/**
 * Text as a person reads it: letters that only look like Latin ones become Latin, invisible characters go, accents and case are dropped.
 * For recognising words, never for showing them.
 */

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

/** Latin lower case without accents, with blanks as the only white space. A text in another script comes out as nonsense. */
export function readableForm(text: string): string {
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
