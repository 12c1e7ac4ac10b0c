/**
 * Fits a deck's text into a model's fixed window: how many tokens the deck may take, and how texts are shortened so that they fit.
 */

export interface ContextWindow {
  readonly numCtx: number;
  readonly numPredict: number;
  /** Tokens of everything but the deck: system message, question, criteria. */
  readonly overheadTokens: number;
}

/** Tokens kept free for chat-template markers. */
const TEMPLATE_TOKENS = 64;

/** Tokens of deck text that fit beside the answer and the instructions; 0 when nothing fits. */
export function deckTokenLimit(input: ContextWindow): number {
  return Math.max(0, input.numCtx - input.numPredict - TEMPLATE_TOKENS - input.overheadTokens);
}

/**
 * Shortens texts so that together they fit `totalChars`: short ones are kept whole, the rest share what is left evenly, each cut at the
 * end of a line where possible.
 */
export function clipToTotal(texts: readonly string[], totalChars: number): string[] {
  const order = texts.map((_, i) => i).sort((a, b) => (texts[a]?.length ?? 0) - (texts[b]?.length ?? 0));
  const allowed = Array.from<number>({ length: texts.length }).fill(0);
  let left = Math.max(0, totalChars);
  order.forEach((index, rank) => {
    const share = Math.floor(left / (order.length - rank));
    const take = Math.min(texts[index]?.length ?? 0, share);
    allowed[index] = take;
    left -= take;
  });
  return texts.map((text, i) => {
    const limit = allowed[i] ?? 0;
    if (text.length <= limit) return text;
    const cut = text.slice(0, limit);
    const line = cut.lastIndexOf('\n');
    return line > limit / 2 ? cut.slice(0, line) : cut;
  });
}
