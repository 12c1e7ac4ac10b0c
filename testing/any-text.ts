/** Strings of any code points. */
import fc from 'fast-check';

const SURROGATES_FROM = 0xd800;
const SURROGATES = 0x800;

/**
 * Any code point but halves of surrogate pairs. The same as fast-check's unit `binary`, which first fills a table of all 1.1 million of them:
 * that takes longer than most tests.
 */
export const codePoint: fc.Arbitrary<string> = fc.integer({ min: 0, max: 0x10ffff - SURROGATES }).map(
  (index) => String.fromCodePoint(index < SURROGATES_FROM ? index : index + SURROGATES),
  (text) => {
    const code = typeof text === 'string' ? text.codePointAt(0) : undefined;
    if (code === undefined || text !== String.fromCodePoint(code)) throw new Error('not one code point');
    if (code >= SURROGATES_FROM && code < SURROGATES_FROM + SURROGATES) throw new Error('half of a pair');
    return code < SURROGATES_FROM ? code : code - SURROGATES;
  },
);
