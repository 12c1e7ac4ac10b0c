/**
 * Words of a question's subject: words that answer it, words that help, headings under which the answer usually is, and words that
 * mean something else. English and German.
 */

/** Words of one question. */
export interface Topic {
  /** One of these, and the sentence speaks of the question. */
  readonly strong: RegExp;
  /** Support a sentence that stands under a fitting heading or has a strong word. */
  readonly weak: RegExp | null;
  /** Headings of slides where the answer usually stands. */
  readonly heading: RegExp | null;
  /** What stands under such a heading answers even without any of the words: everything, or what carries a figure; null = no. */
  readonly underHeading: 'any' | 'figure' | null;
  /** The sentence means something else. */
  readonly avoid: RegExp | null;
  /** True when an answer without a number is only half of one. */
  readonly figure: boolean;
}

/** A topic from its strong words and whatever else it has. */
export const topic = (strong: RegExp, rest: Partial<Omit<Topic, 'strong'>> = {}): Topic => ({
  strong,
  weak: null,
  heading: null,
  underHeading: null,
  avoid: null,
  figure: false,
  ...rest,
});
