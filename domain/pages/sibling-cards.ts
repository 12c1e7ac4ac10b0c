/**
 * Cards that are told by their siblings: a label, a figure and its caption, or a name and what is said of the person, are one card where
 * several places of a page show the same parts under each other.
 */
import { toBlock, type Block } from './blocks.ts';
import type { Rect } from './geometry.ts';
import { isFigure, isListMark, type Line } from './lines.ts';

/** Blocks that are read one after the other. */
export interface Group extends Rect {
  readonly blocks: readonly Block[];
}

const MAX_CARD_WORDS = 30;
/** Words of a part of a card that is no caption: a label, a name. */
const MAX_LABEL_WORDS = 6;
/** Cards of a figure have so many parts, and there are so many of them at least. */
const PART_COUNTS = [1, 2, 3];
const MIN_SIBLINGS = 2;
/** A role is a line of so many words that ends within this share of the width of what follows. */
const MAX_ROLE_WORDS = 5;
const ROLE_WIDTH = 0.75;

/** The groups with the parts of each card joined. */
export function withCards(groups: readonly Group[], title: Block | undefined): Group[] {
  const joined = joinFigures(groups, title);
  const people = new Set(joined.flatMap(({ blocks }) => blocks.filter(isNamed).map(lookOf)));
  return joined.map((group) => joinPeople(group, title, people));
}

/** Looks of lines that follow each other, without repetition. */
const looksOf = (lines: readonly Line[]): string[] =>
  lines
    .map((line) => `${Math.round(line.size)} ${line.weight}${isFigure(line) ? ' figure' : ''}`)
    .filter((look, i, all) => look !== all[i - 1]);

const lookOf = ({ lines }: Block): string => looksOf(lines).join('|');
const cardLook = (parts: readonly Block[]): string => looksOf(parts.flatMap(({ lines }) => lines)).join('|');

/** Parts of a group that are cards of one figure each and look alike; null where they are none. */
function chunksOf({ blocks }: Group, count: number, title: Block | undefined): (readonly Block[])[] | null {
  if (blocks.length < count || blocks.length % count !== 0) return null;
  const chunks = Array.from({ length: blocks.length / count }, (_, i) => blocks.slice(i * count, (i + 1) * count));
  const [look = ''] = chunks.map(cardLook);
  if (look.split(' figure').length !== 2 || chunks.some((chunk) => cardLook(chunk) !== look)) return null;
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
  const chunked = groups.map((group) => {
    const found = PART_COUNTS.map((count) => chunksOf(group, count, title));
    return { group, chunks: found.find((chunks) => chunks !== null) ?? null };
  });
  const siblings = Map.groupBy(
    chunked.flatMap(({ chunks }) => chunks ?? []),
    cardLook,
  );
  return chunked.map(({ group, chunks }) => {
    const count = siblings.get(cardLook(chunks?.[0] ?? []))?.length ?? 0;
    if (chunks === null || count < MIN_SIBLINGS) return group;
    return {
      ...group,
      blocks: chunks
        .map((chunk) => (chunk.length === 1 ? chunk : [toBlock(chunk.flatMap(({ lines }) => lines))]))
        .flat(),
    };
  });
}

/** Joins a name with the role and the lines on the person below it. */
function joinPeople(group: Group, title: Block | undefined, people: ReadonlySet<string>): Group {
  const blocks: Block[] = [];
  for (const block of group.blocks) {
    const name = blocks.at(-1);
    if (name !== undefined && name !== title && block !== title && isPerson(name, block, people))
      blocks[blocks.length - 1] = toBlock([...name.lines, ...block.lines]);
    else blocks.push(block);
  }
  return { ...group, blocks };
}

const NAME =
  /^(?:(?:Dr|Prof|Dipl|Ing|Mag)\.[\p{L}-]*\.?\s)*\p{Lu}[\p{L}.'’-]*(?:\s(?:\p{Lu}[\p{L}.'’-]*|von|van|de|der|zu)){1,4}$/u;

/** A name over lines in another style. */
const isNamed = (block: Block): boolean => NAME.test(block.lines[0]?.text ?? '') && lookOf(block).includes('|');

/** Whether the lines below a name begin with a role, or look as those of another person of the page. */
function isPerson(name: Block, below: Block, people: ReadonlySet<string>): boolean {
  const [first] = name.lines;
  const [role, ...others] = below.lines;
  if (first === undefined || role === undefined || name.lines.length > 1 || !isPlain(below)) return false;
  const differs = name.size > 1.05 * below.size || (name.bold && !below.bold);
  if (!differs || !NAME.test(first.text) || name.words + below.words > MAX_CARD_WORDS) return false;
  if (people.has(cardLook([name, below]))) return true;
  const widest = Math.max(...others.map((line) => line.right - line.left));
  return (
    others.length > 0 &&
    role.words.length <= MAX_ROLE_WORDS &&
    !/[.!?:;,]$/u.test(role.text) &&
    role.right - role.left <= ROLE_WIDTH * widest
  );
}
