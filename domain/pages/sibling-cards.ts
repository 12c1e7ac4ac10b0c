/**
 * Cards that are told by their siblings: a label, a figure and its caption, or a name and what is said of the person, are one card where
 * several places of a page show the same parts under each other.
 */
import { toBlock, type Block } from './blocks.ts';
import type { Rect } from './geometry.ts';
import { isFigure, isListMark } from './lines.ts';

/** Blocks that are read one after the other. */
export interface Group extends Rect {
  readonly blocks: readonly Block[];
}

const MAX_CARD_WORDS = 30;
/** Words of a part of a card that is no caption: a label, a name. */
const MAX_LABEL_WORDS = 6;
/** Cards of a figure have two or three parts, and there are so many of them at least. */
const PART_COUNTS = [2, 3];
const MIN_SIBLINGS = 2;
/** A role is a line of so many words that ends within this share of the width of what follows. */
const MAX_ROLE_WORDS = 5;
const ROLE_WIDTH = 0.75;

/** The groups with the parts of each card joined. */
export function withCards(groups: readonly Group[], title: Block | undefined): Group[] {
  return joinFigures(groups, title).map((group) => joinPeople(group, title));
}

/** A block as it looks; one with a figure has that as well. */
const lookOf = (block: Block): string =>
  `${Math.round(block.size)}${block.bold ? 'b' : ''}${block.lines.some(isFigure) ? ' figure' : ''}`;

/** Parts of a group that repeat the look of the first `count` ones; null where they do not, or are no cards of one figure each. */
function chunksOf({ blocks }: Group, count: number, title: Block | undefined): (readonly Block[])[] | null {
  if (blocks.length < count || blocks.length % count !== 0) return null;
  const looks = blocks.map(lookOf);
  if (looks.some((look, i) => look !== looks[i % count])) return null;
  if (looks.slice(0, count).filter((look) => look.endsWith('figure')).length !== 1) return null;
  const chunks = Array.from({ length: blocks.length / count }, (_, i) => blocks.slice(i * count, (i + 1) * count));
  return chunks.every((chunk) => isFigureCard(chunk, title)) ? chunks : null;
}

/** A caption stands last; what stands before is a label or a figure. */
const isFigureCard = (chunk: readonly Block[], title: Block | undefined): boolean =>
  chunk.every((part, i) => part !== title && isPlain(part) && (i === chunk.length - 1 || isLabel(part))) &&
  chunk.reduce((sum, part) => sum + part.words, 0) <= MAX_CARD_WORDS;

const isPlain = (block: Block): boolean =>
  block.rows === undefined && !block.lines.some((line) => isListMark(line.words[0]?.text ?? ''));

const isLabel = (block: Block): boolean => block.words <= MAX_LABEL_WORDS || block.lines.some(isFigure);

/** Joins labels, figures and captions where several groups, or several parts of one, show the same. */
function joinFigures(groups: readonly Group[], title: Block | undefined): Group[] {
  let left = [...groups];
  for (const count of PART_COUNTS) {
    const found = new Map(left.map((group) => [group, chunksOf(group, count, title)]));
    const looks = Map.groupBy(
      [...found.values()].flatMap((chunks) => chunks ?? []),
      (chunk) => chunk.map(lookOf).join('|'),
    );
    left = left.map((group) => {
      const chunks = found.get(group) ?? null;
      const siblings = looks.get(chunks?.[0]?.map(lookOf).join('|') ?? '')?.length ?? 0;
      if (chunks === null || siblings < MIN_SIBLINGS) return group;
      return { ...group, blocks: chunks.map((chunk) => toBlock(chunk.flatMap((part) => part.lines))) };
    });
  }
  return left;
}

/** Joins a name with the role and the lines on the person below it. */
function joinPeople(group: Group, title: Block | undefined): Group {
  const blocks: Block[] = [];
  for (const block of group.blocks) {
    const name = blocks.at(-1);
    if (name !== undefined && name !== title && block !== title && isPerson(name, block))
      blocks[blocks.length - 1] = toBlock([...name.lines, ...block.lines]);
    else blocks.push(block);
  }
  return { ...group, blocks };
}

const NAME =
  /^(?:(?:Dr|Prof|Dipl|Ing|Mag)\.[\p{L}-]*\.?\s)*\p{Lu}[\p{L}.'’-]*(?:\s(?:\p{Lu}[\p{L}.'’-]*|von|van|de|der|zu)){1,4}$/u;

function isPerson(name: Block, below: Block): boolean {
  const [first] = name.lines;
  const [role, ...others] = below.lines;
  if (first === undefined || role === undefined || name.lines.length > 1 || !isPlain(below)) return false;
  const differs = name.size > 1.05 * below.size || (name.bold && !below.bold);
  const widest = Math.max(...others.map((line) => line.right - line.left));
  return (
    differs &&
    NAME.test(first.text) &&
    name.words + below.words <= MAX_CARD_WORDS &&
    others.length > 0 &&
    role.words.length <= MAX_ROLE_WORDS &&
    !/[.!?:;,]$/u.test(role.text) &&
    role.right - role.left <= ROLE_WIDTH * widest
  );
}
