/**
 * A cautious guess of how many tokens a prompt takes, made before it is sent.
 *
 * The models' tokenizers differ and live on the server, so this counts on the high side: a prompt that is estimated to fit does fit, and
 * one that does not is condensed before it is refused. The measured count of each answer is stored with its result.
 */

/** Tokens of one image on the models that use most of them at 896 px. */
export const TOKENS_PER_IMAGE = 768;
/** Tokens of the chat template around each message. */
const TOKENS_PER_MESSAGE = 16;

/** An upper guess of the tokens of a text: a word costs one token per four letters, each digit, symbol and line break costs one. */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(/[\p{Script=Latin}\p{M}]+|[^\S\n]+|[\s\S]/gu)) {
    if (/^[^\S\n]/u.test(piece)) tokens += piece.length > 1 ? 1 : 0;
    else tokens += Math.ceil(piece.length / 4);
  }
  return tokens;
}

/** An upper guess of a whole prompt: system and user message, and its images. */
export function estimatePromptTokens(prompt: {
  readonly system: string;
  readonly user: string;
  readonly images?: number;
  readonly tokensPerImage?: number;
}): number {
  const images = (prompt.images ?? 0) * (prompt.tokensPerImage ?? TOKENS_PER_IMAGE);
  return estimateTokens(prompt.system) + estimateTokens(prompt.user) + images + 2 * TOKENS_PER_MESSAGE;
}
