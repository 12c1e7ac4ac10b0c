/**
 * A document as Markdown, for people and for other tools.
 *
 * Texts are untrusted: everything that Markdown or HTML would act on is escaped, so slide text stays text.
 */
import {
  type Block,
  type Document,
  DOCUMENT_WORDS,
  type Entry,
  type Line,
  lineOf,
  type Section,
  type Span,
  type Table,
} from './blocks.ts';
import { chartTable } from './chart.ts';

type Words = (typeof DOCUMENT_WORDS)[Document['language']];

/** One line of text that Markdown shows as it is. */
export function escaped(text: string): string {
  return (
    text
      .replaceAll(/\s+/gu, ' ')
      .trim()
      // Parentheses act only behind brackets, and a hyphen only where a line begins.
      .replaceAll(/[\\`*_{}[\]#+!|~>]/gu, String.raw`\$&`)
      .replace(/^-/u, String.raw`\-`)
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      // Addresses would become links by themselves.
      .replaceAll(/(https?|ftp|mailto|javascript|data)(:)/giu, '$1&#58;')
      .replaceAll(/\bwww\./giu, 'www&#46;')
      .replaceAll('@', '&#64;')
      .replace(/^(\d{1,9})([.)])(?=\s|$)/u, String.raw`$1\$2`)
  );
}

/** A text with the spaces around it, which {@link escaped} takes away. */
function escapedInLine(text: string): string {
  const within = escaped(text);
  if (within === '') return text === '' ? '' : ' ';
  return `${/^\s/u.test(text) ? ' ' : ''}${within}${/\s$/u.test(text) ? ' ' : ''}`;
}

/** A text between marks such as `_`, which have to stand at its letters. */
function marked(text: string, mark: string): string {
  const within = escaped(text);
  return within === '' ? '' : escapedInLine(text).replace(within, () => `${mark}${within}${mark}`);
}

function spanText(span: Span, words: Words): string {
  if (typeof span === 'string') return escapedInLine(span);
  if ('strong' in span) return marked(span.strong, '**');
  if ('soft' in span) return marked(span.soft, '_');
  if ('absent' in span) return marked(span.absent, '_');
  if ('removed' in span) return marked(span.removed, '~~');
  if ('quote' in span) return words.quoted(escaped(span.quote));
  if ('slides' in span) return `(${span.slides.map((slide) => `${words.slide} ${slide}`).join(', ')})`;
  if ('link' in span) return `[${escaped(span.link)}](<${encodeURI(span.href)}>)`;
  return `(${escaped(span.mark)})`;
}

const lineText = (line: Line, words: Words): string =>
  line
    .map((span) => spanText(span, words))
    .join('')
    .trim();

/** A list item with what is said on it. */
const item = (head: string, lines: readonly Line[], words: Words): string[] => [
  `- ${head}`,
  ...lines.map((line) => `  - ${lineText(line, words)}`),
];

function factItem({ head, lines }: Entry, words: Words): string[] {
  const [first = [], ...more] = lines;
  return item(`**${lineText(head, words)}**: ${lineText(first, words)}`, more, words);
}

function tableLines({ head, rows, words: leading }: Table, words: Words): string[] {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    row(head.map(escaped)),
    row(head.map((_, column) => (column < leading ? '---' : '--:'))),
    ...rows.map((cells) => row(cells.map((cell) => lineText(lineOf(cell), words)))),
    '',
  ];
}

function blockLines(block: Block, words: Words): string[] {
  switch (block.is) {
    case 'line':
      return [lineText(block.line, words), ''];
    case 'notice':
      return [`> ${lineText(block.line, words)}`, ''];
    case 'list':
      return [...block.entries.flatMap(({ head, lines }) => item(lineText(head, words), lines, words)), ''];
    case 'facts':
      return [...block.facts.flatMap((fact) => factItem(fact, words)), ''];
    case 'groups':
      return block.groups.flatMap(({ title, aside, blocks }) => [
        `### ${escaped(title)} ${lineText(aside, words)}`.trimEnd(),
        '',
        ...blocks.flatMap((each) => blockLines(each, words)),
      ]);
    case 'slides':
      return block.slides.flatMap(({ number, title, lines }) => [
        `### ${`${number}. ${escaped(title)}`.trimEnd()}`,
        '',
        ...lines.flatMap((line) => [lineText(line, words), '']),
      ]);
    case 'table':
      return tableLines(block, words);
    case 'chart':
      return tableLines(chartTable(block), words);
  }
}

const sectionLines = ({ title, blocks }: Section, words: Words): string[] => [
  `## ${escaped(title)}`,
  '',
  ...blocks.flatMap((block) => blockLines(block, words)),
];

/** The document as one Markdown text. */
export function renderMarkdown({ language, title, head, sections }: Document): string {
  const words = DOCUMENT_WORDS[language];
  const { first = null, figure, blocks } = head;
  const total =
    figure === null
      ? []
      : [
          `${escaped(figure.name)}: **${escaped([figure.value, figure.unit].filter((each) => each !== null).join(' '))}**`,
          '',
          ...figure.lines.map((line) => `- ${lineText(line, words)}`),
          '',
        ];
  return [
    `# ${escaped(title)}`,
    '',
    ...(first === null ? [] : blockLines(first, words)),
    ...total,
    ...blocks.flatMap((block) => blockLines(block, words)),
    ...sections.flatMap((each) => sectionLines(each, words)),
  ]
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n');
}
