/** Documents in every form: no text becomes markup, whichever block holds it, and each block says its texts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Block, Document, Line } from '../../../api/document/blocks.ts';
import { renderHtml } from '../../../api/document/html.ts';
import { escaped, renderMarkdown } from '../../../api/document/markdown.ts';
import { renderPdf } from '../../../api/document/pdf/render.ts';
import { forAll } from '../../../testing/property.ts';
import { layoutsOf } from '../../../testing/read-pdf.ts';

/** A document with every block and every span. @param say the text of a place, by its name */
function documentOf(say: (place: string) => string): Document {
  const line: Line = [
    say('plain'),
    { strong: say('strong') },
    { soft: say('soft') },
    { absent: say('absent') },
    { removed: say('removed') },
    { quote: say('quote') },
    { slides: [1, 2] },
    { mark: say('mark'), tone: 'good' },
    { mark: say('whole'), tone: 'weak', short: say('short') },
    { link: say('link'), href: '/api/v1/costs/reports/x?format=html' },
  ];
  const inner = (place: string): Line => [say(place)];
  const entry = (place: string) => ({ head: inner(`${place}Head`), lines: [inner(`${place}First`), line] });
  const bar = { share: 0.5, colour: 'medium' } as const;
  const chart = (place: string, usd: string): Block => ({
    is: 'chart',
    title: say(`${place}Title`),
    head: [say(`${place}Day`), say(`${place}Cost`), say(`${place}Most`)],
    bars: [0, 1].map((i) => ({
      name: say(`${place}Bar${i}`),
      label: say(`${place}Label${i}`),
      usd,
      kinds: { busy: usd },
      faded: i === 0,
    })),
    legend: [{ kind: 'busy', usd }],
  });
  const blocks: Block[] = [
    { is: 'line', line },
    { is: 'notice', line: inner('notice'), warning: true },
    { is: 'list', entries: [entry('list')] },
    { is: 'facts', facts: [entry('fact')] },
    {
      is: 'table',
      head: [say('head'), say('figures')],
      rows: [[line, [say('cell'), { mark: say('cellMark'), tone: 'good' }]]],
      words: 1,
      bars: [bar],
    },
    chart('chart', '3'),
    chart('empty', '0'),
    { is: 'slides', slides: [{ number: 1, title: say('slide'), lines: [inner('card')], referred: true }] },
  ];
  const group = (place: string): Block => ({
    is: 'groups',
    groups: [{ title: say(`${place}Group`), aside: inner(`${place}Aside`), bar, blocks: [{ is: 'line', line }] }],
    folded: place === 'folded',
  });
  const lines = [inner('rests')];
  return {
    language: 'en',
    title: say('title'),
    head: { figure: { name: say('name'), value: say('value'), unit: say('unit'), tone: null, lines }, blocks },
    sections: [
      { id: 'first', title: say('section'), blocks, folded: false },
      { id: 'second', title: say('foldedSection'), blocks: [group('open'), group('folded')], folded: true },
    ],
  };
}

const everywhere = (text: string): Document => documentOf(() => text);

const HOSTILE: [string][] = [
  '<script>x</script>',
  '"><img src=x onerror=x>',
  "' onclick='x",
  '</style><b>',
  '[x](y)',
  '- x',
  '1. x',
  'a|b',
  '`x`',
].map((text) => [text]);

/** The markup that a browser would see, without the values of attributes. */
const skeletonOf = (page: string): string =>
  (page.match(/<[a-z!/][^>]*>/giu) ?? []).map((tag) => tag.replaceAll(/"[^"]*"/gu, '""')).join('');

describe('no text whatsoever', () => {
  it('becomes markup of a page', async () => {
    const harmless = skeletonOf(renderHtml(everywhere('harmless')));
    const unit = fc.constantFrom('<', '>', '"', "'", '&', '/', '=', '`', '$', '{', 'a', ' ', '\n');
    await forAll([fc.string({ unit, maxLength: 30 })], { runs: 60, examples: HOSTILE }, (text) =>
      expect(skeletonOf(renderHtml(everywhere(text)))).toBe(harmless),
    );
  });

  it('becomes markup, a link or a line of its own in Markdown', async () => {
    const lines = renderMarkdown(everywhere('harmless')).split('\n').length;
    const unit = fc.constantFrom('<', '>', '[', ']', '(', ')', '!', '#', '-', '`', '|', '*', '1', '.', 'a', ' ', '\n');
    await forAll([fc.string({ unit, minLength: 1, maxLength: 30 })], { examples: HOSTILE }, (tail) => {
      const markdown = renderMarkdown(everywhere(`a${tail}`));
      expect(markdown.split('\n')).toHaveLength(lines);
      expect(markdown.replaceAll(/\]\(<\/api\/[^>]*>\)/gu, '')).not.toMatch(/<[a-z!/]|(?<!\\)(?:\\\\)*\]\(/iu);
      expect(escaped(tail)).not.toMatch(/^(?:[-+*#>=|`~]|\d+[.)](?:\s|$))|(?<!\\)(?:\\\\)*[[\]|`*<]/u);
    });
  });

  it('keeps a PDF from being made', async () => {
    const unit = fc.constantFrom('a', ' ', '\n', '\0', '\u200F', '\uD800', '🙂', '漢', '(', '\\', '%', 'ﬁ');
    await forAll([fc.string({ unit, maxLength: 40 })], { runs: 30 }, async (text) => {
      const pdf = await renderPdf(everywhere(text), new Map());
      expect(Buffer.from(pdf.subarray(0, 5)).toString()).toBe('%PDF-');
    });
  });
});

describe('the text of each place is said', () => {
  const places = new Set<string>();
  const document = documentOf((place) => {
    places.add(place);
    return `x${place}x`;
  });
  const missingIn = (text: string): string[] => [...places].filter((place) => !text.includes(`x${place}x`));
  /** A label shortens the name of a bar, and without a picture nothing needs the title of one. */
  const OF_PICTURES = ['chartTitle', 'chartLabel0', 'chartLabel1', 'emptyTitle', 'emptyLabel0', 'emptyLabel1'];

  it('on a page, where a chart is a picture and an empty one a table', () => {
    const missing = [...OF_PICTURES.filter((place) => place.startsWith('empty')), 'chartDay', 'chartCost', 'chartMost'];
    expect(missingIn(renderHtml(document)).toSorted()).toEqual(missing.toSorted());
  });

  it('in Markdown', () =>
    expect(missingIn(renderMarkdown(document)).toSorted()).toEqual(['short', ...OF_PICTURES].toSorted()));

  it('in a PDF', async () => {
    const layouts = await layoutsOf(await renderPdf(document, new Map()));
    const text = layouts.flatMap(({ words }) => words.map((word) => word.text)).join('');
    expect(missingIn(text).toSorted()).toEqual(['short', ...OF_PICTURES].toSorted());
  });
});
