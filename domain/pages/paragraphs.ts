/**
 * The lines of a block as a person reads them: the wrapped lines of a sentence are one, items of a list and lines that end before the edge
 * are apart.
 */
import { median } from './geometry.ts';
import { isBullet, isListMark } from './lines.ts';
import type { PageBlock, PageLayout, PageWord } from './page.ts';

/** Lines of a block that run on, as one. */
export interface Paragraph {
  /** NFC; without the mark of a list, with its number. */
  readonly text: string;
  /** True for an item of a list. */
  readonly listed: boolean;
  /** Indices of its words on the page, in order; with the mark of a list. */
  readonly words: readonly number[];
}

/** A word divided at the end of a line: joined without its hyphen, as the quote check reads it. */
const DIVIDED = /(\p{Ll})[-\u2010\u00AD]$/u;
/** A compound whose own hyphen ends the line: "freedom-to-" before "operate", "VPC-" before "ready". */
const COMPOUND = /(?:\p{L}[-\u2010]\p{L}+|\p{Lu})[-\u2010]$/u;
/** Words before which a hyphen stands for what follows: "Kranken- und Pflegekassen". */
const SHARES_END = /^(?:und|oder|bzw|bis|and|or|to)(?!\p{L})/u;
/** A line that cannot be the end of what it says. */
const UNFINISHED = /(?:[,(&/+–—-]|(?:^|\s)\p{Ll}{1,3})$/u;
/** Words after which a line of a card goes on in the next: "Ran 400 starts a year for a" over "Tampa builder". */
const GOES_ON =
  /\p{L}\S*\s(?:an?|the|of|in|for|to|at|and|or|by|with|from|on|und|oder|für|von|im|bei|mit|der|die|das|den|dem|des|zu|zum|zur|am|auf)$/u;
const FIGURE = /^\S*\d\S*$/u;
const OPEN = /[^.!?:;]["'”’)]*$/u;
/** Words from which a line is part of a sentence. */
const SENTENCE_WORDS = 5;
/** Space between words, in font sizes. */
const SPACE = 0.25;
/** A line of an item begins under its text, within so many font sizes. */
const HANGING = 0.35;
/** Sizes that differ by more are two styles. */
const SAME_SIZE = 1.1;

/** Lines of a block of text, label or margin. */
export function paragraphsOf(layout: PageLayout, block: PageBlock): Paragraph[] {
  const indices = block.lines.map((line) => line.flat());
  const lines = indices.map((line) => line.flatMap((index) => layout.words[index] ?? []));
  const breaks = breaksOf(lines, block.kind === 'label');
  const found: { texts: string[]; listed: boolean; words: number[]; textLeft: number | undefined }[] = [];
  for (const [i, words] of lines.entries()) {
    const own = indices[i] ?? [];
    const mark = words.length > 1 && isListMark(words[0]?.text ?? '') ? words[0]?.text : undefined;
    const text = (mark !== undefined && isBullet(mark) ? words.slice(1) : words).map((word) => word.text).join(' ');
    const last = found.at(-1);
    const goesOn = mark === undefined && last?.textLeft !== undefined && hangs(words, last.textLeft);
    if (last === undefined || mark !== undefined || (breaks[i] === true && !goesOn)) {
      found.push({
        texts: [text],
        listed: mark !== undefined,
        words: [...own],
        textLeft: mark === undefined ? undefined : words[1]?.box[0],
      });
    } else {
      last.texts.push(text);
      last.words.push(...own);
    }
  }
  return found.map(({ texts, listed, words }) => ({ text: joinLines(texts), listed, words }));
}

/** Whether a line stands under the text of an item, set in from its mark: it belongs to the item, whatever it begins with. */
const hangs = ([first]: readonly PageWord[], textLeft: number): boolean =>
  first !== undefined && first.turn === 0 && Math.abs(first.box[0] - textLeft) <= HANGING * first.sizePt;

/** Lines that run on, as one: divided words are joined. */
export function joinLines(lines: readonly string[]): string {
  return lines
    .reduce((text, line) => {
      if (text === '') return line;
      if (!/^\p{Ll}/u.test(line) || SHARES_END.test(line)) return `${text} ${line}`;
      if (COMPOUND.test(text)) return text + line;
      if (DIVIDED.test(text)) return text.replace(DIVIDED, '$1') + line;
      return `${text} ${line}`;
    }, '')
    .normalize('NFC');
}

/** For each line whether something new begins with it. */
function breaksOf(lines: readonly (readonly PageWord[])[], areLabels: boolean): boolean[] {
  const edge = Math.max(0, ...lines.map(widthOf));
  const areSentences = /[.!?]["'”’)]*$/u.test(textOf(lines.at(-1) ?? []));
  const pairs = lines.map((lower, i) => joint(lines[i - 1], lower, { edge, areLabels, areSentences }));
  const ends = pairs.slice(1).filter((pair) => pair === 'ends').length;
  const runs = pairs.filter((pair) => pair === 'runs on').length;
  const full = pairs.filter((pair) => pair === 'full').length;
  return pairs.map((pair, i) => {
    if (pair !== 'full') return pair === 'ends';
    // A full line may end or run on: as the other lines of its block do, and as its length says.
    return ends >= runs + full || (runs === 0 && !areSentences && (lines[i - 1] ?? []).length < SENTENCE_WORDS);
  });
}

/** What all lines of a block tell. */
interface BlockTraits {
  /** Length of the longest. */
  readonly edge: number;
  readonly areLabels: boolean;
  readonly areSentences: boolean;
}

/** Whether a line ends before the next, runs on, or is so full that it cannot be told. */
function joint(
  upper: readonly PageWord[] | undefined,
  lower: readonly PageWord[],
  { edge, areLabels, areSentences }: BlockTraits,
): 'ends' | 'runs on' | 'full' {
  const [first] = lower;
  if (upper === undefined || first === undefined) return 'ends';
  const above = textOf(upper);
  if (areLabels && FIGURE.test(above)) return 'ends';
  if (/^\p{Ll}/u.test(first.text) && OPEN.test(above)) return 'runs on';
  if (areLabels && GOES_ON.test(above) && isOneSize(upper, lower)) return 'runs on';
  if (areLabels || !isOneSize(upper, lower) || (!areSentences && areParallel(upper, lower))) return 'ends';
  if (UNFINISHED.test(above)) return 'runs on';
  if (!areSentences && areItems(upper, lower)) return 'ends';
  return widthOf(upper) + SPACE * first.sizePt + widthOf([first]) < edge
    ? 'ends'
    : OPEN.test(above)
      ? 'full'
      : 'runs on';
}

/**
 * Words of English alone. In German, a word with a capital in the middle of a sentence is any noun. Two lines are too short for the detection in
 * language.ts.
 */
const ENGLISH = /(?<!\p{L})(?:the|of|and|for|with|to|is|are|by|from|at|on|our|your|their|any|this|that|it)(?!\p{L})/iu;

/** True for text that is English, as far as a few words tell. */
export const isEnglish = (text: string): boolean => ENGLISH.test(text);

/** Two lines of English that begin with a capital each, and have no other: items without marks, and no sentence. */
function areItems(upper: readonly PageWord[], lower: readonly PageWord[]): boolean {
  const begins = ([first, ...others]: readonly PageWord[]): boolean =>
    first !== undefined &&
    others.length > 0 &&
    /^\p{Lu}\p{Ll}*$/u.test(first.text) &&
    others.every(({ text }) => !/^\p{Lu}/u.test(text));
  return begins(upper) && begins(lower) && isEnglish(`${textOf(upper)} ${textOf(lower)}`);
}

const textOf = (words: readonly PageWord[]): string => words.map((word) => word.text).join(' ');

/** Lines that begin with a figure both, or with the same word, or end with it, are entries of a list. */
function areParallel(upper: readonly PageWord[], lower: readonly PageWord[]): boolean {
  const figures = [upper[0], lower[0]].every((word) => /^\p{Sc}?\d/u.test(word?.text ?? ''));
  return figures || upper[0]?.text === lower[0]?.text || upper.at(-1)?.text === lower.at(-1)?.text;
}

/** Length of a line along its direction of reading. */
function widthOf(words: readonly PageWord[]): number {
  const turned = words[0]?.turn === 90 || words[0]?.turn === 270;
  const ends = words.map(({ box }) => (turned ? [box[1], box[3]] : [box[0], box[2]]) as [number, number]);
  return ends.length === 0 ? 0 : Math.max(...ends.map(([, to]) => to)) - Math.min(...ends.map(([from]) => from));
}

/** Whether two lines are set in one size. */
function isOneSize(upper: readonly PageWord[], lower: readonly PageWord[]): boolean {
  const sizes = [upper, lower].map((words) => median(words.map((word) => word.sizePt)));
  return Math.max(...sizes) <= SAME_SIZE * Math.min(...sizes);
}
