/** The order in which the words of a line are read, where its script runs from right to left. */

const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}]/u;
const LETTER = /\p{L}/u;

/** True for a text with letters of a script that runs from right to left. */
export const isRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(text);

/**
 * Words of a line in the order of reading. Most lines are read as they stand; one of a script that runs from right to left begins at the
 * right, and names and terms of other scripts within it keep their order.
 *
 * @param words From left to right
 */
export function inReadingDirection<W extends { readonly text: string }>(words: readonly W[]): readonly W[] {
  if (!words.some(({ text }) => RIGHT_TO_LEFT.test(text))) return words;
  const runs = runsOf(words);
  const ordered = beginsAtRight(words) ? runs.toReversed() : runs;
  return ordered.flatMap(({ leftwards, words: own }) => (leftwards ? own.toReversed() : own));
}

/** Lines begin and end in their own script as a rule; where the two ends differ, most of the letters decide. */
function beginsAtRight(words: readonly { readonly text: string }[]): boolean {
  const withLetters = words.filter(({ text }) => LETTER.test(text));
  const ends = [withLetters[0], withLetters.at(-1)].map((word) => RIGHT_TO_LEFT.test(word?.text ?? ''));
  if (ends[0] === ends[1]) return ends[0] === true;
  const letters = (leftwards: boolean): number =>
    words.reduce((sum, { text }) => (RIGHT_TO_LEFT.test(text) === leftwards ? sum + lettersIn(text) : sum), 0);
  return letters(true) >= letters(false);
}

interface Run<W> {
  leftwards: boolean;
  words: W[];
}

/** Stretches of words of one direction. Numbers and signs by themselves are read as the words around them, within a term as its words. */
function runsOf<W extends { readonly text: string }>(words: readonly W[]): Run<W>[] {
  const isTerm = ({ text }: W): boolean => LETTER.test(text) && !RIGHT_TO_LEFT.test(text);
  const runs: Run<W>[] = [];
  const nextWithLetter = nextWordsWithLetter(words);
  for (const [index, word] of words.entries()) {
    const last = runs.at(-1);
    const isNeutral = !LETTER.test(word.text);
    const next = nextWithLetter[index];
    const leftwards = isNeutral
      ? !(last?.leftwards === false && (next === undefined || isTerm(next) || isTermBefore(words, index)))
      : !isTerm(word);
    if (last?.leftwards === leftwards) last.words.push(word);
    else runs.push({ leftwards, words: [word] });
  }
  return runs;
}

/** For each word, itself or the next one after it that has a letter. */
function nextWordsWithLetter<W extends { readonly text: string }>(words: readonly W[]): (W | undefined)[] {
  let next: W | undefined;
  return words
    .toReversed()
    .map((word) => (next = LETTER.test(word.text) ? word : next))
    .toReversed();
}

/** True when the word right before is of a term: "Series 5". */
const isTermBefore = (words: readonly { readonly text: string }[], index: number): boolean => {
  const before = words[index - 1]?.text ?? '';
  return LETTER.test(before) && !RIGHT_TO_LEFT.test(before);
};

const lettersIn = (text: string): number => text.match(/\p{L}/gu)?.length ?? 0;
