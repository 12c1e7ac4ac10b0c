/**
 * Faults of PDF files, made in the bytes of a sound one. Each keeps the length of the file, so that the other places in it stay right.
 */

const SPACE = 0x20;

const edit = (pdf: Uint8Array, pattern: RegExp, replace: (match: string) => string): Uint8Array =>
  // One character for each byte.
  new Uint8Array(Buffer.from(Buffer.from(pdf).toString('latin1').replace(pattern, replace), 'latin1'));

/** Moves each place in the table of objects by some bytes, as a tool does that changed the file and not the table. */
export function withWrongXref(pdf: Uint8Array, shift: number): Uint8Array {
  return edit(pdf, /^\d{10}(?= \d{5} n)/gmu, (place) => String(Number(place) + shift).padStart(10, '0'));
}

/** Maps each glyph to the character that stands some places further on: what is copied out of the file is no language. */
export function withShiftedCharacterMap(pdf: Uint8Array, shift: number): Uint8Array {
  return edit(pdf, /beginbfrange\n[^]*?endbfrange/gu, (map) =>
    map.replaceAll(/\[[^\]]*\]/gu, (characters) =>
      characters.replaceAll(/<([\da-f]{4})>/giu, (whole, code: string) => {
        const point = Number.parseInt(code, 16);
        return point <= SPACE ? whole : `<${(point + shift).toString(16).padStart(4, '0')}>`;
      }),
    ),
  );
}

/** Takes the maps from glyphs to characters away. */
export function withoutCharacterMap(pdf: Uint8Array): Uint8Array {
  return edit(pdf, /\/ToUnicode \d+ 0 R/gu, (entry) => ' '.repeat(entry.length));
}
