/**
 * A page as text: with marks, as prompts carry it, and without.
 *
 * Marks: a blank line ends a block, `# ` stands before the title, `## ` before a heading, `- ` before an item of a list, `> ` before a line
 * within a picture, and a row of a table stands between bars. A line of the deck that begins like a mark gets a backslash before it.
 */
import type { PageBlock, PageLayout } from './page.ts';
import { joinLines, paragraphsOf } from './paragraphs.ts';

const MARK = /^(?:#{1,2} |[->] |\||\\)/u;

/**
 * The page with marks.
 * @param running Indices of blocks that are left out because they come back on other pages.
 */
export function pageMarkup(layout: PageLayout, running: ReadonlySet<number> = new Set()): string {
  const parts: string[] = [];
  let afterHeading = false;
  for (const [index, block] of layout.blocks.entries()) {
    const text = running.has(index) ? '' : markup(layout, block);
    if (text === '') continue;
    const last = parts.length - 1;
    if (afterHeading && block.kind !== 'heading' && block.kind !== 'title') parts[last] = `${parts[last]}\n${text}`;
    else parts.push(text);
    afterHeading = block.kind === 'heading';
  }
  return parts.join('\n\n');
}

/** The page without marks: blocks separated by a blank line, cells of a table by tabs. */
export function plainText(layout: PageLayout): string {
  return layout.blocks
    .map((block) =>
      block.kind === 'table'
        ? tableRows(layout, block)
            .map((row) => row.join('\t'))
            .join('\n')
        : paragraphsOf(layout, block)
            .map((p) => p.text)
            .join('\n'),
    )
    .filter((text) => text !== '')
    .join('\n\n');
}

function markup(layout: PageLayout, block: PageBlock): string {
  switch (block.kind) {
    case 'title':
      return `# ${joinLines(lineTexts(layout, block))}`;
    case 'heading':
      return `## ${joinLines(lineTexts(layout, block))}`;
    case 'table':
      return tableRows(layout, block)
        .map((row) => `| ${row.map((cell) => cell.replaceAll('|', '¦')).join(' | ')} |`)
        .join('\n');
    case 'picture':
      return lineTexts(layout, block)
        .map((line) => `> ${line}`)
        .join('\n');
    case 'text':
    case 'label':
    case 'margin':
      return paragraphsOf(layout, block)
        .map(({ text, listed }) => (listed ? `- ${text}` : text.replace(MARK, String.raw`\$&`)))
        .join('\n');
  }
}

const lineTexts = (layout: PageLayout, block: PageBlock): string[] =>
  block.lines.map((line) => cellText(layout, line.flat()));

const cellText = (layout: PageLayout, cell: readonly number[]): string =>
  cell
    .map((index) => layout.words[index]?.text ?? '')
    .join(' ')
    .normalize('NFC');

const tableRows = (layout: PageLayout, block: PageBlock): string[][] =>
  block.lines.map((line) => line.map((cell) => cellText(layout, cell)));
