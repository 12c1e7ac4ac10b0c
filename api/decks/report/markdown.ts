/**
 * A review as Markdown, for people and for other tools.
 *
 * Words of the deck are untrusted: everything that Markdown or HTML would act on is escaped, so slide text stays text.
 */
import type { Block, Entry, Line, ReviewDocument, Section, Span } from './document/blocks.ts';
import { formatScore } from './format.ts';
import { type Labels, labelsOf } from './labels.ts';

/** One line of text that Markdown shows as it is. */
export function escaped(text: string): string {
  return (
    text
      .replaceAll(/\s+/gu, ' ')
      .trim()
      .replaceAll(/[\\`*_{}[\]()#+!|~>-]/gu, String.raw`\$&`)
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      // Addresses would become links by themselves.
      .replaceAll(/(https?|ftp|mailto|javascript|data)(:)/giu, '$1&#58;')
      .replaceAll(/\bwww\./giu, 'www&#46;')
      .replaceAll('@', '&#64;')
      .replace(/^(\d{1,9})([.)])/u, String.raw`$1\$2`)
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

function spanText(span: Span, labels: Labels): string {
  if (typeof span === 'string') return escapedInLine(span);
  if ('strong' in span) return marked(span.strong, '**');
  if ('soft' in span) return marked(span.soft, '_');
  if ('absent' in span) return marked(span.absent, '_');
  if ('quote' in span) return labels.quoted(escaped(span.quote));
  if ('slides' in span) return `(${span.slides.map((slide) => `${labels.slide} ${slide}`).join(', ')})`;
  if ('verdict' in span) return `(${labels[span.verdict]}${span.why === null ? '' : `: ${escaped(span.why)}`})`;
  return `– ${formatScore(span.score, labels, span.digits)}`;
}

const lineText = (line: Line, labels: Labels): string =>
  line
    .map((span) => spanText(span, labels))
    .join('')
    .trim();

/** A list item with what is said on it. */
const item = ({ head, lines }: Entry, labels: Labels): string[] => [
  `- ${lineText(head, labels)}`,
  ...lines.map((line) => `  - ${lineText(line, labels)}`),
];

const tableRow = (cells: readonly string[]): string => `| ${cells.map(escaped).join(' | ')} |`;

function blockLines(block: Block, labels: Labels): string[] {
  switch (block.is) {
    case 'line':
      return [lineText(block.line, labels), ''];
    case 'notice':
      return [`> ${lineText(block.line, labels)}`, ''];
    case 'list':
    case 'questions':
      return [...block.entries.flatMap((entry) => item(entry, labels)), ''];
    case 'facts': {
      const facts = block.facts.map(({ head, lines }) => {
        const [first = [], ...more] = lines;
        return item({ head: [{ strong: lineText(head, labels) }, ': ', ...first], lines: more }, labels);
      });
      return [...facts.flat(), ''];
    }
    case 'group':
      return [`### ${escaped(block.title)}`, '', ...block.blocks.flatMap((each) => blockLines(each, labels))];
    case 'chapters':
      return block.chapters.flatMap(({ title, score, blocks }) => [
        `### ${escaped(title)} – ${formatScore(score, labels)}`,
        '',
        ...blocks.flatMap((each) => blockLines(each, labels)),
      ]);
    case 'slides':
      return block.slides.flatMap(({ number, title, lines }) => [
        `### ${`${number}. ${escaped(title)}`.trimEnd()}`,
        '',
        ...lines.flatMap((line) => [lineText(line, labels), '']),
      ]);
    case 'table':
      return [tableRow(block.head), `|${block.head.map(() => '---|').join('')}`, ...block.rows.map(tableRow), ''];
  }
}

const sectionLines = ({ title, blocks }: Section, labels: Labels): string[] => [
  `## ${title}`,
  '',
  ...blocks.flatMap((block) => blockLines(block, labels)),
];

/** The review as one Markdown text. */
export function renderMarkdown({ language, title, head, sections }: ReviewDocument): string {
  const labels = labelsOf(language);
  const score = head.score;
  const overall =
    score === null
      ? []
      : [
          `**${labels.overall}: ${formatScore(score.score, labels)}**`,
          '',
          ...score.lines.slice(1).map((line) => `- ${lineText(line, labels)}`),
          '',
        ];
  return [
    `# ${labels.review}: ${escaped(title)}`,
    '',
    ...head.blocks.flatMap((block) => blockLines(block, labels)),
    ...overall,
    ...sections.flatMap((section) => sectionLines(section, labels)),
  ]
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n');
}
