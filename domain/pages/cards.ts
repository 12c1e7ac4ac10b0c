/**
 * Blocks → groups: what belongs together at one place of the page, as a heading with its text or the parts of a card.
 *
 * Groups are read as one; they grow from the smallest white space to wider ones as long as nothing else lies inside. Within a group, a
 * figure and what it counts, or a name and its role, become one block.
 */
import { SAME_EDGE, toBlock, type Block } from './blocks.ts';
import { around, byRows, sharedHeight, sharedWidth, type Rect } from './geometry.ts';
import { isFigure, isListMark } from './lines.ts';
import { haveCommonEdge, withCards, type Group } from './sibling-cards.ts';

/** White space inside a group, in font sizes of the larger block. */
const GROUP_GAP = 1.3;
/** White space between a figure and its label, in font sizes of the figure. */
const FIGURE_GAP = 1.2;
/** A figure is larger than its label by so much, or bold where the label is not. */
const FIGURE_SIZE = 1.2;
const MAX_LABEL_WORDS = 30;
/** White space between the parts of a card, in font sizes of the lower one. */
const PART_GAP = 0.8;
/** The largest words of a page are its title and no label of a figure, where they are so much larger than the smallest. */
const TITLE_SIZE = 1.6;
/** Most words of a block that is part of a card. */
const MAX_PART_WORDS = 10;
const MAX_CARD_WORDS = 30;
/** Above this many blocks a page is no slide: each block stands by itself. */
const MAX_BLOCKS = 400;

/** Groups of blocks of one turn. */
export function toGroups(blocks: readonly Block[]): Group[] {
  if (blocks.length > MAX_BLOCKS) return blocks.map(groupOf);
  const tables = blocks.filter((block) => block.rows !== undefined);
  const joined = [...withFigures(blocks.filter((block) => block.rows === undefined)), ...tables];
  const largest = Math.max(...blocks.map((block) => (isFigureOnly(block) ? 0 : block.size)));
  const titles = blocks.filter((block) => block.size > 0.95 * largest && !isFigureOnly(block));
  const title = titles.length === 1 ? titles[0] : undefined;
  return withCards(
    grow(joined).map((group) => joinParts(group, title)),
    title,
  );
}

const groupOf = (block: Block): Group => ({ ...around([block]), blocks: [block] });

const isFigureOnly = (block: Block): boolean => block.lines.length === 1 && block.lines.every(isFigure);

type Side = 'below' | 'above' | 'right' | 'left';
const SIDES: readonly Side[] = ['below', 'right', 'above', 'left'];

/** Joins each figure with its label, on the side on which most figures of the page have theirs. */
function withFigures(blocks: readonly Block[]): Block[] {
  const figures = blocks.filter(isFigureOnly);
  const found = new Map(SIDES.map((side) => [side, pairsOn(side, figures, blocks)]));
  const pairsOf = (side: Side): readonly Pair[] => found.get(side) ?? [];
  const meanGap = (side: Side): number => pairsOf(side).reduce((sum, pair) => sum + pair.gap, 0) / pairsOf(side).length;
  const joined = new Map<Block, Block>();
  const taken = new Set<Block>();
  const sides = SIDES.filter((side) => pairsOf(side).length > 0).toSorted(
    (a, b) => pairsOf(b).length - pairsOf(a).length || meanGap(a) - meanGap(b),
  );
  for (const side of sides) {
    for (const { figure, label } of pairsOf(side)) {
      if (taken.has(figure) || taken.has(label)) continue;
      const both = side === 'below' || side === 'right' ? [figure, label] : [label, figure];
      const block = toBlock(both.flatMap((part) => part.lines));
      const ink = withoutMargins(block, figure.size);
      if (blocks.some((other) => other !== figure && other !== label && overlap(other, ink))) continue;
      joined.set(figure, block);
      taken.add(figure).add(label);
    }
  }
  return blocks.flatMap((block) => joined.get(block) ?? (taken.has(block) ? [] : [block]));
}

interface Pair {
  readonly figure: Block;
  readonly label: Block;
  /** In font sizes of the figure. */
  readonly gap: number;
}

/** Figures and labels that are each other's nearest on one side. */
function pairsOn(side: Side, figures: readonly Block[], blocks: readonly Block[]): Pair[] {
  const largest = Math.max(...blocks.map((block) => (isFigureOnly(block) ? 0 : block.size)));
  const smallest = Math.min(...blocks.map((block) => block.size));
  const labels = blocks.filter(
    (block) =>
      (block.size < TITLE_SIZE * smallest || block.size < 0.95 * largest) &&
      !figures.includes(block) &&
      block.words <= MAX_LABEL_WORDS &&
      /\p{L}{2}/u.test(block.lines[0]?.text ?? ''),
  );
  const gapOf = (figure: Block, label: Block): number => gapOn(side, figure, label) / figure.size;
  return figures.flatMap((figure) => {
    const label = nearest(labels, (block) => (looksLikeLabel(figure, block) ? gapOf(figure, block) : Infinity));
    if (label === null) return [];
    const own = nearest(figures, (other) => gapOf(other, label));
    return own === figure ? [{ figure, label, gap: gapOf(figure, label) }] : [];
  });
}

const looksLikeLabel = (figure: Block, label: Block): boolean =>
  figure.size > FIGURE_SIZE * label.size || (figure.size > 0.9 * label.size && figure.bold && !label.bold);

function nearest(blocks: readonly Block[], gapOf: (block: Block) => number): Block | null {
  let best: Block | null = null;
  let least = FIGURE_GAP;
  for (const block of blocks) {
    const gap = gapOf(block);
    if (gap <= least) [best, least] = [block, gap];
  }
  return best;
}

/** White space from a figure to a label on its side; infinite where the label is not there. */
function gapOn(side: Side, figure: Rect, label: Rect): number {
  const beside = side === 'right' || side === 'left';
  const shared = beside ? sharedHeight(figure, label) : sharedWidth(figure, label);
  const least = beside
    ? Math.min(figure.bottom - figure.top, label.bottom - label.top)
    : Math.min(figure.right - figure.left, label.right - label.left);
  if (shared < 0.5 * least) return Infinity;
  const gap = {
    below: label.top - figure.bottom,
    above: figure.top - label.bottom,
    right: label.left - figure.right,
    left: figure.left - label.right,
  }[side];
  // Boxes of large letters reach into those of their neighbours.
  return gap < -0.35 * (figure.bottom - figure.top) ? Infinity : Math.max(0, gap);
}

/** Boxes of large letters reach above and below them. */
const LETTER_MARGIN = 0.15;
const withoutMargins = ({ left, top, right, bottom }: Rect, size: number): Rect => ({
  left,
  top: top + LETTER_MARGIN * size,
  right,
  bottom: bottom - LETTER_MARGIN * size,
});

const overlap = (a: Rect, b: Rect): boolean =>
  sharedWidth(a, b) > 0 && sharedHeight(a, b) > 0.25 * Math.min(a.bottom - a.top, b.bottom - b.top);

/** Joins blocks under each other, those with the least white space between them first. */
function grow(blocks: readonly Block[]): Group[] {
  const groupsOf = new Map(blocks.map((block) => [block, groupOf(block)]));
  const pairs = blocks.flatMap((upper) =>
    blocks.flatMap((lower) => {
      const gap = lower.top - upper.bottom;
      return lower !== upper &&
        lower.top > upper.top &&
        gap <= GROUP_GAP * Math.max(upper.size, lower.size) &&
        haveCommonEdge(upper, lower) &&
        !standsOverRow(upper, lower, blocks)
        ? [{ upper, lower, gap }]
        : [];
    }),
  );
  for (const { upper, lower } of pairs.toSorted(
    (a, b) => a.gap - b.gap || a.upper.left - b.upper.left || a.upper.top - b.upper.top,
  )) {
    const [a, b] = [groupsOf.get(upper), groupsOf.get(lower)];
    if (a === undefined || b === undefined || a === b) continue;
    const rect = around([a, b]);
    const inside = new Set([...a.blocks, ...b.blocks]);
    if (blocks.some((other) => !inside.has(other) && overlap(other, rect))) continue;
    const group: Group = { ...rect, blocks: [...inside].toSorted(byRows) };
    for (const block of inside) groupsOf.set(block, group);
  }
  return [...new Set(groupsOf.values())];
}

/** A heading over a row of alike blocks belongs to all of them. */
function standsOverRow(upper: Block, lower: Block, blocks: readonly Block[]): boolean {
  const hasBeside = (block: Block): boolean =>
    blocks.some(
      (other) =>
        other !== block &&
        sameStyle(other, block) &&
        Math.abs(other.top - block.top) < SAME_EDGE * block.size &&
        sharedWidth(other, block) <= 0,
    );
  return hasBeside(lower) && !hasBeside(upper);
}

/**
 * Joins the parts of a card, such as a name and a role: short blocks that differ in style, up to the next that looks like the first. The title of the page is
 * no part of one, and a figure has its label already.
 */
function joinParts(group: Group, title: Block | undefined): Group {
  const runs: Block[][] = [];
  for (const block of group.blocks) {
    const run = runs.at(-1);
    if (run !== undefined && run[0] !== title && block !== title && isOfCard(run, block)) run.push(block);
    else runs.push([block]);
  }
  return {
    ...group,
    blocks: runs.map((run) => (run.length === 1 ? (run[0] as Block) : toBlock(run.flatMap((part) => part.lines)))),
  };
}

/** Whether a block is the next part of a card. */
function isOfCard(run: readonly Block[], block: Block): boolean {
  const [first, last] = [run[0], run.at(-1)];
  if (first === undefined || last === undefined) return false;
  if (goesOnIn(last, block)) return true;
  return (
    isFigureOnly(first) <= isFigureOnly(block) &&
    isPart(first) &&
    isPart(block) &&
    !sameStyle(first, block) &&
    block.top - last.bottom <= PART_GAP * block.size &&
    first.size >= 0.9 * block.size &&
    run.reduce((sum, part) => sum + part.words, block.words) <= MAX_CARD_WORDS
  );
}

/** A large line that begins with a figure, over the rest of its sentence: "1 in 2 patients" over "leaves without the medicine". */
function goesOnIn(upper: Block, lower: Block): boolean {
  const [line, ...others] = upper.lines;
  return (
    line !== undefined &&
    others.length === 0 &&
    /^\d.*[\p{L}\d%]$/u.test(line.text) &&
    !isListMark(line.words[0]?.text ?? '') &&
    /^\p{Ll}/u.test(lower.lines[0]?.text ?? '') &&
    upper.size > FIGURE_SIZE * lower.size &&
    lower.words <= MAX_LABEL_WORDS &&
    lower.top - upper.bottom <= FIGURE_GAP * upper.size
  );
}

const isPart = (block: Block): boolean =>
  block.rows === undefined &&
  block.words <= MAX_PART_WORDS &&
  block.lines.length <= 3 &&
  !block.lines.some((line) => line.words.length > 1 && isListMark(line.words[0]?.text ?? ''));

const sameStyle = (a: Block, b: Block): boolean =>
  Math.max(a.size, b.size) < 1.05 * Math.min(a.size, b.size) && a.bold === b.bold;
