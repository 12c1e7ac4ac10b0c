/** Keeps what a rule found in a deck: 34 questions are asked of the same text. */
import type { ReadSlide } from './prompt.ts';

/**
 * The same function, evaluated once for each deck that {@link readPrompt} keeps.
 * @param find Depends on the slides alone.
 */
export function oncePerDeck<P extends { readonly slides: readonly ReadSlide[] }, T>(
  find: (prompt: P) => T,
): (prompt: P) => T {
  const known = new WeakMap<readonly ReadSlide[], { readonly value: T }>();
  return (prompt) => {
    let found = known.get(prompt.slides);
    if (found === undefined) known.set(prompt.slides, (found = { value: find(prompt) }));
    return found.value;
  };
}
