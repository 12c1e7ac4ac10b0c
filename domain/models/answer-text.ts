/**
 * Characters in a model's answer that no page has and the database refuses: NUL, other control characters, halves of a surrogate pair.
 *
 * They come from broken escapes, such as `M\u0000fcnchen` for `M\u00fcnchen`. Where the escape that was meant is plain it is put back; what
 * stays is a fault of the answer and never stored.
 */

/** An escape that lost its place: a control character, and the hexadecimal digits that belonged to it. */
const BROKEN_ESCAPE = /\p{Cc}[0-9a-f]{1,4}/giu;
/** Windows-1252 taken for Latin-1: `\u0092` is an apostrophe. */
const C1_CONTROL = /[\u0080-\u009F]/gu;
/** Half of a character at the end of a text: the limit of its length stood within the character. */
const HALF_AT_END = /\p{Cs}+$/u;
/** Allowed of the control characters are those of white space. */
const CONTROL = /(?![\t\n\r])\p{Cc}/u;
const HALF = /\p{Cs}/u;
const LETTER = /\p{L}/u;
const REPLACEMENT = '\uFFFD';

const windows1252 = new TextDecoder('windows-1252');

/** The text with broken escapes put right as far as it is plain what they were. */
export function repairedText(text: string): string {
  // Two broken escapes may follow each other.
  let previous = { end: -1, meant: '' };
  return text
    .replaceAll(BROKEN_ESCAPE, (found, at: number) => {
      const digits = digitsOf(found);
      if (digits === null) return found;
      const meant = String.fromCodePoint(Number.parseInt(digits.code, 16));
      const end = at + 1 + digits.length;
      const before = at === previous.end ? previous.meant : text.charAt(at - 1);
      if (!isPlain(meant, digits.code, before, text.charAt(end))) return found;
      previous = { end, meant };
      return `${meant}${found.slice(1 + digits.length)}`;
    })
    .replaceAll(C1_CONTROL, (control) => windows1252.decode(Uint8Array.of(control.codePointAt(0) ?? 0)))
    .replace(HALF_AT_END, '');
}

/** The code point that an escape may have meant, in hexadecimal, and how many of its digits stand after the control character. */
function digitsOf(found: string): { readonly code: string; readonly length: number } | null {
  const digits = found.slice(1);
  switch (found.charCodeAt(0)) {
    case 0:
      return digits.length < 2 ? null : { code: digits.slice(0, 2), length: 2 };
    // A pictogram above U+FFFF, which has five digits.
    case 1:
      return /^f[0-9a-f]{3}$/iu.test(digits) ? { code: `1${digits}`, length: 4 } : null;
    case 0x0e:
    case 0x0f:
      return { code: `${found.charCodeAt(0).toString(16)}${digits.charAt(0)}`, length: 1 };
    default:
      return null;
  }
}

/**
 * True where the character is surely the one that was meant. A NUL before "2 million" or "fact" may be just a NUL: ASCII needs no escape, so
 * figures are never taken for digits of one, and at the start of a word its letters only where they make no syllable.
 */
function isPlain(meant: string, code: string, before: string, after: string): boolean {
  if (meant < '\u00A1' || meant === '\u00AD') return false;
  const isLetter = LETTER.test(meant);
  if (code.length > 2 || (isLetter && LETTER.test(before))) return true;
  if (/\d/u.test(code)) return !isLetter || LETTER.test(after);
  return isLetter && LETTER.test(after) && !/[ae]/iu.test(code);
}

/**
 * Names a character that makes an answer unusable; null = there is none.
 *
 * @param known text of the prompt: what a page really has may be repeated
 */
export function unusableCharacter(text: string, known: string): string | null {
  const control = CONTROL.exec(text)?.[0] ?? HALF.exec(text)?.[0];
  if (control !== undefined) return codePointName(control);
  return text.includes(REPLACEMENT) && !known.includes(REPLACEMENT) ? codePointName(REPLACEMENT) : null;
}

const codePointName = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** The same JSON with every string of it changed; names of properties stay. */
export function mapStrings(json: unknown, change: (text: string) => string): unknown {
  if (typeof json === 'string') return change(json);
  if (Array.isArray(json)) return json.map((item: unknown) => mapStrings(item, change));
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, mapStrings(value, change)]));
}
