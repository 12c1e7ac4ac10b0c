/**
 * How the marks are read back with which prompts carry the text of a page (`page-text.ts` writes them).
 *
 * A blank line ends a block. `# ` begins the title of the page, `## ` a heading, which is a block of its own also where the text under it
 * follows at once; `- ` begins a list item; `> ` a line within a picture; a line between bars is the row of a table.
 * A line of the deck that would be taken for a mark has a backslash before it.
 */

/** A block of a page, as its marks tell. */
export interface MarkedBlock {
  readonly kind: 'title' | 'heading' | 'text' | 'table' | 'picture';
  /** Lines without their marks: sentences that run on are one line. The rows of a table have tabs between their cells. */
  readonly lines: readonly MarkedLine[];
}

export interface MarkedLine {
  readonly text: string;
  /** True for an item of a list. */
  readonly item: boolean;
}

const unescaped = (line: string): string => (line.startsWith('\\') ? line.slice(1) : line);
const ROW = /^\|(?<cells>.*)\|$/u;

/**
 * The blocks of a marked text, in order; nothing for a text without letters.
 *
 * @example readMarkup('# Ask\n\n- €2M') // [{kind: 'title', lines: [{text: 'Ask', item: false}]}, {kind: 'text', lines: [{text: '€2M', item: true}]}]
 */
export function readMarkup(markup: string): MarkedBlock[] {
  return markup
    .split(/\n\s*\n/u)
    .map((block) => block.split('\n').filter((line) => line.trim() !== ''))
    .filter((lines) => lines.length > 0)
    .flatMap(readBlocks);
}

/** The title or headings at the beginning, each a block, and what stands under them. */
function readBlocks(lines: readonly string[]): MarkedBlock[] {
  const marked = lines.findIndex((line) => !/^#{1,2} /u.test(line));
  const count = marked < 0 ? lines.length : marked;
  const heads = lines.slice(0, count).map((line): MarkedBlock => {
    const kind = line.startsWith('# ') ? 'title' : 'heading';
    return { kind, lines: [{ text: line.replace(/^#+ /u, '').trim(), item: false }] };
  });
  const rest = lines.slice(count);
  return rest.length === 0 ? heads : [...heads, bodyBlock(rest)];
}

function bodyBlock(lines: readonly string[]): MarkedBlock {
  if (lines.every((line) => ROW.test(line))) {
    return { kind: 'table', lines: lines.map((line) => ({ text: cellsOf(line).join('\t'), item: false })) };
  }
  if (lines.every((line) => line.startsWith('> ')))
    return { kind: 'picture', lines: lines.map((line) => ({ text: line.slice(2).trim(), item: false })) };
  return {
    kind: 'text',
    lines: lines.map((line) => (line.startsWith('- ') ? { text: line.slice(2).trim(), item: true } : plain(line))),
  };
}

const plain = (line: string): MarkedLine => ({ text: unescaped(line).trim(), item: false });

const cellsOf = (line: string): string[] =>
  (ROW.exec(line)?.groups?.['cells'] ?? '').split(' | ').map((cell) => cell.trim());
