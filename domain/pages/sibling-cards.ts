/**
 * Cards that are told by their siblings: a label, a figure and its caption, or a name and what is said of the person, are one card where
 * several places of a page show the same parts under each other.
 */
import { SAME_EDGE, toBlock, type Block } from './blocks.ts';
import { around, byRows, centreX, sharedWidth, type Rect } from './geometry.ts';
import { isFigure, isListMark, type Line } from './lines.ts';
import { isPeriod } from './periods.ts';
import { isPersonName } from './person-names.ts';

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
/** White space between a name and what stands below it, in font sizes. */
const NAME_GAP = 2.5;
/** A role is a line of so many words that ends within this share of the width of what follows. */
const MAX_ROLE_WORDS = 5;
const ROLE_WIDTH = 0.75;

/** The groups with the parts of each card joined. */
export function withCards(groups: readonly Group[], title: Block | undefined): Group[] {
  const joined = joinFigures(groups, title);
  const alike = joinAlike(joined, title);
  const people = new Set(alike.flatMap(({ blocks }) => blocks.filter(isNamed).map(lookOf)));
  return alike.map((group) => joinPeople(group, title, people));
}

/** Joins a name with all that stands below it, where several names of the page have the same below them. */
function joinAlike(groups: readonly Group[], title: Block | undefined): Group[] {
  const below = lonelyNames(groups, title);
  const taken = new Set(below.values());
  const places = groups
    .filter((group) => !taken.has(group))
    .map((group) => {
      const parts = [group, below.get(group)].filter((part) => part !== undefined);
      return { parts, chunks: atNames(parts.flatMap(({ blocks }) => blocks)) };
    });
  const cards = places.flatMap(({ chunks }) => chunks).filter((chunk) => isPersonCard(chunk, title));
  const siblings = Map.groupBy(cards, cardLook);
  const isJoined = (chunk: readonly Block[]): boolean =>
    isPersonCard(chunk, title) && (siblings.get(cardLook(chunk))?.length ?? 0) >= MIN_SIBLINGS;
  return places.flatMap(({ parts, chunks }) => {
    if (!chunks.some(isJoined)) return parts;
    const blocks = chunks.flatMap((chunk) =>
      isJoined(chunk) ? [toBlock(chunk.flatMap(({ lines }) => lines))] : chunk,
    );
    return [{ ...around(blocks), blocks }];
  });
}

/** Names that stand alone, each with the group right below it. */
function lonelyNames(groups: readonly Group[], title: Block | undefined): Map<Group, Group> {
  const below = new Map<Group, Group>();
  for (const group of groups.toSorted(byRows)) {
    const [name] = group.blocks;
    if (name === undefined || name === title || !isName(name) || [...below.values()].includes(group)) continue;
    const next = group.blocks.length > 1 ? undefined : nearestBelow(name, groups);
    if (next !== undefined && ![...below.values()].includes(next)) below.set(group, next);
  }
  return below;
}

/** Blocks from each name to the next. */
function atNames(blocks: readonly Block[]): Block[][] {
  const chunks: Block[][] = [];
  for (const block of blocks) {
    const last = chunks.at(-1);
    if (last === undefined || isName(block)) chunks.push([block]);
    else last.push(block);
  }
  return chunks;
}

/** A name, with the role below it where the two are joined already. */
const isName = ({ lines }: Block): boolean => lines.length <= MAX_NAME_LINES && isPersonName(lines[0]?.text ?? '');
/** Lines of a name with its role. */
const MAX_NAME_LINES = 2;

const isPersonCard = ([name, ...below]: readonly Block[], title: Block | undefined): boolean =>
  name !== undefined &&
  below.length > 0 &&
  isName(name) &&
  isRole(name.lines[1] ?? below[0]?.lines[0]) &&
  below.every((part) => part !== title && isPlain(part)) &&
  below.reduce((sum, part) => sum + part.words, name.words) <= MAX_CARD_WORDS;

/** Words on a person: a few, and no sentence. */
const isRole = (line: Line | undefined): boolean =>
  line !== undefined &&
  line.words.length <= MAX_PERSON_WORDS &&
  !isFigure(line) &&
  !/[.!?:;]$/u.test(line.text) &&
  !STATES.test(line.text);
const MAX_PERSON_WORDS = 8;
/** Begins a statement. */
const STATES =
  /^(?:we|you|they|it|this|these|the|an?|wir|sie|ihr|er|es|dies\p{L}*|das|die|der|ein\p{L}*|kein\p{L}*|jed\p{L}+|every|each|no)\s/iu;

function nearestBelow(name: Block, groups: readonly Group[]): Group | undefined {
  const under = groups.filter(
    ({ blocks: [first] }) =>
      first !== undefined && first !== name && first.top > name.top && haveCommonEdge(name, first),
  );
  const [nearest] = under.toSorted((a, b) => a.top - b.top);
  return nearest !== undefined && nearest.top - name.bottom <= NAME_GAP * name.size ? nearest : undefined;
}

/** Whether two blocks have an edge or their centre in common, or a list mark's width apart. */
export function haveCommonEdge(upper: Block, lower: Block): boolean {
  const near = SAME_EDGE * 1.5 * Math.max(upper.size, lower.size);
  return (
    sharedWidth(upper, lower) > 0 &&
    (Math.abs(upper.left - lower.left) < near ||
      Math.abs(centreX(upper) - centreX(lower)) < near ||
      Math.abs(upper.right - lower.right) < near)
  );
}

/** A figure with its caption and a time with what happens then are cards alike. */
const isFigureOrPeriod = (line: Line): boolean => isFigure(line) || isPeriod(line.text);

/** Looks of lines that follow each other, without repetition. */
const looksOf = (lines: readonly Line[]): string[] =>
  lines
    .map((line) => `${Math.round(line.size)} ${line.weight}${isFigureOrPeriod(line) ? ' figure' : ''}`)
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

const isLabel = (block: Block): boolean => block.words <= MAX_LABEL_WORDS || block.lines.some(isFigureOrPeriod);

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

/** A name over lines in another style. */
const isNamed = (block: Block): boolean => isPersonName(block.lines[0]?.text ?? '') && lookOf(block).includes('|');

/** Whether the lines below a name begin with a role, or look as those of another person of the page. */
function isPerson(name: Block, below: Block, people: ReadonlySet<string>): boolean {
  const [first] = name.lines;
  const [role, ...others] = below.lines;
  if (first === undefined || role === undefined || name.lines.length > 1 || !isPlain(below)) return false;
  const differs = name.size > 1.05 * below.size || (name.bold && !below.bold);
  if (!differs || !isPersonName(first.text) || name.words + below.words > MAX_CARD_WORDS) return false;
  if (people.has(cardLook([name, below]))) return true;
  const widest = Math.max(...others.map((line) => line.right - line.left));
  return (
    others.length > 0 &&
    role.words.length <= MAX_ROLE_WORDS &&
    !/[.!?:;,]$/u.test(role.text) &&
    role.right - role.left <= ROLE_WIDTH * widest
  );
}
