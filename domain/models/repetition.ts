/**
 * Detects an answer that loops: the same phrase again and again, or whitespace without end.
 *
 * Both happen under a JSON grammar, where the model may not stop although it has nothing to add; left alone they burn the whole
 * output limit. The watch reads the text as it streams and only ever looks at its tail, so its cost per token is constant.
 */

/** What is wrong with the text so far. */
export type LoopFault =
  | { readonly kind: 'whitespace'; readonly length: number }
  | { readonly kind: 'repetition'; readonly phrase: string; readonly times: number };

/** A run of whitespace longer than this is a loop: pretty-printed JSON never indents that deep. */
export const WHITESPACE_LIMIT = 64;
/** A repeated phrase counts once it covers this many characters: dotted lines and table rules in a transcript stay below. */
export const REPEATED_SPAN = 240;
/** … and occurs at least this often. */
export const REPEATED_TIMES = 4;
/** The longest phrase that is recognised, in characters. */
export const LONGEST_PHRASE = 300;

const TAIL = LONGEST_PHRASE * REPEATED_TIMES;
/** New characters between two looks at the tail. */
const STRIDE = 32;

/** Watches one streamed answer. */
export class LoopWatch {
  #tail = '';
  #unchecked = 0;

  /** Takes the next piece of text; returns the fault once there is one. */
  push(text: string): LoopFault | null {
    this.#tail = (this.#tail + text).slice(-Math.max(TAIL, text.length));
    this.#unchecked += text.length;
    const whitespace = trailingWhitespace(this.#tail);
    if (whitespace > WHITESPACE_LIMIT) return { kind: 'whitespace', length: whitespace };
    if (this.#unchecked < STRIDE) return null;
    this.#unchecked = 0;
    return findRepetition(this.#tail);
  }
}

function trailingWhitespace(text: string): number {
  return text.length - text.trimEnd().length;
}

/**
 * The phrase that the end of `text` repeats, if it covers {@link REPEATED_SPAN} characters at least {@link REPEATED_TIMES} times.
 *
 * Uses the prefix function of the reversed tail: a prefix of length n with border b has period n − b.
 */
export function findRepetition(text: string): LoopFault | null {
  const reversed = Array.from({ length: Math.min(text.length, TAIL) }, (_, i) => text.charCodeAt(text.length - 1 - i));
  const border = new Int32Array(reversed.length);
  for (let i = 1, b = 0; i < reversed.length; i += 1) {
    while (b > 0 && reversed[i] !== reversed[b]) b = border[b - 1] ?? 0;
    if (reversed[i] === reversed[b]) b += 1;
    border[i] = b;
    const span = i + 1;
    const period = span - b;
    if (span >= REPEATED_SPAN && period * REPEATED_TIMES <= span && period <= LONGEST_PHRASE) {
      return { kind: 'repetition', phrase: text.slice(-period), times: Math.floor(span / period) };
    }
  }
  return null;
}
