/**
 * A cautious guess of how many tokens a prompt takes, made before it is sent.
 *
 * The models' tokenizers differ and live on the server, so this counts on the high side: a prompt that is estimated to fit does fit, and
 * one that does not is condensed before it is refused. The measured count of each answer is stored with its result.
 */

/** An upper guess of the tokens of a text: a word costs one token per four letters, each digit, symbol and line break costs one. */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(/[\p{Script=Latin}\p{M}]+|[^\S\n]+|[\s\S]/gu)) {
    if (/^[^\S\n]/u.test(piece)) tokens += piece.length > 1 ? 1 : 0;
    else tokens += Math.ceil(piece.length / 4);
  }
  return tokens;
}
