/**
 * A document as one self-contained HTML page: no script, no request to anywhere, readable on screen and on paper.
 *
 * Every text goes through `html` templates, which escape it; only our own style sheet is put in raw.
 */
import { html, raw } from 'hono/html';
import { DeckhandError } from '../../domain/errors.ts';
import {
  type Block,
  type Document,
  DOCUMENT_WORDS,
  type Entry,
  type Group,
  type Line,
  lineOf,
  type Section,
  type SlideCard,
  slideCards,
  type Span,
  type Table,
} from './blocks.ts';
import { barMarkup, CHART_STYLE, chartMarkup, chartTable, type Markup } from './chart.ts';

/** Known to every part of the page. */
interface Page {
  /** The word for a slide. */
  readonly slide: string;
  /** Slides that the page shows, so that a reference leads to them. */
  readonly shown: ReadonlySet<number>;
  /** JPEG pictures by slide number. */
  readonly images: ReadonlyMap<number, Uint8Array>;
}

/** Light and dark by the reader's setting, and fit for paper. */
export const DOCUMENT_STYLE = `
:root { color-scheme: light dark; --ink: #1b2330; --soft: #566074; --line: #dde2ea; --page: #f5f6f9; --card: #fff; --link: #1d5fbf;
  --good: #1a7f4b; --medium: #9a6700; --weak: #b3362b; --notice: #fff6dd; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ef; --soft: #a2abbb; --line: #343c4a; --page: #12161d; --card: #1b212b;
  --link: #7db1ff; --good: #57c98c; --medium: #e0b04b; --weak: #f08a7f; --notice: #332c14; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 .25rem; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 0 0 .75rem; }
h3 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; }
p { margin: .4rem 0; overflow-wrap: anywhere; }
a { color: var(--link); }
section, header.card { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: 1rem 1.25rem; margin: 0 0 1rem; }
.soft { color: var(--soft); font-size: .9rem; }
.notice { background: var(--notice); border-radius: .4rem; padding: .6rem .8rem; margin: .6rem 0; }
.notice.bad { border-left: .3rem solid var(--weak); }
dl.facts { display: grid; grid-template-columns: minmax(8rem, max-content) 1fr; gap: .5rem 1.2rem; margin: .6rem 0; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
.absent { color: var(--soft); font-style: italic; }
.mark { font-size: .8rem; border: 1px solid currentColor; border-radius: .3rem; padding: 0 .3rem; white-space: nowrap; }
.mark.score { display: inline-block; min-width: 2.6rem; font-size: 1rem; font-weight: 650; text-align: center; border-radius: 1rem; }
.good { color: var(--good); } .medium { color: var(--medium); } .weak { color: var(--weak); } .none { color: var(--soft); }
details { border-top: 1px solid var(--line); padding: .6rem 0; }
details:first-of-type { border-top: 0; }
summary { cursor: pointer; display: flex; gap: .75rem; align-items: baseline; justify-content: space-between; }
@media (max-width: 40rem) { dl.facts { grid-template-columns: 1fr; } dt { margin-top: .4rem; } }
@media print { :root { --page: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; --link: #000; --good: #145c37;
  --medium: #6b4800; --weak: #8a1f16; --notice: #fff; }
  body { font-size: 10.5pt; } main { max-width: none; padding: 0; } section, header.card { border: 0; padding: 0 0 .6rem; }
  h2, summary { break-after: avoid; } a { text-decoration: none; } }
${CHART_STYLE}
header.card { display: grid; grid-template-columns: 1fr auto; gap: 0 2rem; }
header.card > .wide { grid-column: 1 / -1; }
.total { text-align: right; } .total p { margin: 0; } .total .big { font-size: 2.8rem; font-weight: 700; line-height: 1.1; }
nav.contents ul { columns: 16rem; margin: .8rem 0 0; padding: 0; list-style: none; } nav.contents li { padding: .1rem 0; }
dl.facts dd p { margin: 0 0 .3rem; }
ul.entries { margin: .4rem 0; padding-left: 1.2rem; } ul.entries > li { margin: .35rem 0; } ul.entries p { margin: .2rem 0; }
.group { margin: 0 0 1rem; } .group > h3 { border-bottom: 1px solid var(--line); padding: .6rem 0 .3rem; }
details.group { margin: 0; } details.group > summary { align-items: center; } details.group > summary h3 { flex: 1 1 12rem; overflow-wrap: anywhere; }
summary > .meter { flex: 0 1 14rem; min-width: 0; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(16rem, 1fr)); gap: 1.2rem; }
.card-slide { min-width: 0; } .card-slide:target { outline: .2rem solid var(--link); outline-offset: .3rem; }
.card-slide h3 { margin: .4rem 0 0; } .card-slide img { display: block; width: 100%; height: auto; border: 1px solid var(--line);
  border-radius: .3rem; background: #fff; }
.refs { font-size: .9rem; } .refs a { white-space: nowrap; }
section { scroll-margin-top: 1rem; } summary h2 { margin: 0; } details > summary { justify-content: flex-start; }
details > summary::before { content: '▸'; color: var(--soft); } details[open] > summary::before { content: '▾'; }
.folded { border: 0; padding: 0; } summary::-webkit-details-marker { display: none; }
.table { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; border-top: 1px solid var(--line); overflow-wrap: break-word; }
thead > tr > * { border-top: 0; color: var(--soft); font-weight: 500; } td:first-child { min-width: 8rem; overflow-wrap: anywhere; }
td.number, th.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
@media (max-width: 40rem) { header.card { grid-template-columns: 1fr; } .total { text-align: left; margin: .5rem 0; } .meter { display: none; } }
@page { size: A4; margin: 16mm 15mm; }
@media print { details > summary::before { content: none; } details::details-content { content-visibility: visible; display: block; } .cards { grid-template-columns: repeat(3, 1fr); }
  .card-slide, ul.entries > li, .group > h3, .notice { break-inside: avoid; } .group > h3 { break-after: avoid; }
  dl.facts > * { break-inside: avoid; } nav.contents a { color: inherit; } }
`;

const slideLinks = ({ slide, shown }: Page, numbers: readonly number[]): Markup =>
  html`<span class="refs"
    >${numbers.map((number, index) => {
      const name = `${slide} ${number}`;
      return html`${index === 0 ? '' : ', '}${shown.has(number) ? html`<a href="#slide-${number}">${name}</a>` : name}`;
    })}</span
  >`;

function spanMarkup(page: Page, span: Span): Markup {
  if (typeof span === 'string') return html`${span}`;
  if ('strong' in span) return html`<strong>${span.strong}</strong>`;
  if ('soft' in span) return html`<span class="soft">${span.soft}</span>`;
  if ('absent' in span) return html`<span class="absent">${span.absent}</span>`;
  if ('removed' in span) return html`<del>${span.removed}</del>`;
  if ('quote' in span) return html`<q>${span.quote}</q>`;
  if ('slides' in span) return slideLinks(page, span.slides);
  if ('link' in span) return html`<a href="${span.href}">${span.link}</a>`;
  const { mark, tone, short } = span;
  return short === undefined
    ? html`<span class="mark ${tone}">${mark}</span>`
    : html`<span class="mark score ${tone}" title="${mark}">${short}</span>`;
}

const lineMarkup = (page: Page, line: Line): Markup => html`${line.map((span) => spanMarkup(page, span))}`;

const paragraphs = (page: Page, lines: readonly Line[]): Markup =>
  html`${lines.map((line) => html`<p>${lineMarkup(page, line)}</p>`)}`;

const listItem = (page: Page, { head, lines }: Entry): Markup =>
  html`<li>${lineMarkup(page, head)}${paragraphs(page, lines)}</li>`;

const factMarkup = (page: Page, { head, lines }: Entry): Markup =>
  html`<dt>${lineMarkup(page, head)}</dt>
    <dd>${paragraphs(page, lines)}</dd>`;

const dataUri = (jpeg: Uint8Array): string => `data:image/jpeg;base64,${Buffer.from(jpeg).toString('base64')}`;

function slideCard(page: Page, { number, title, lines }: SlideCard): Markup {
  const image = page.images.get(number);
  return html`<article class="card-slide" id="slide-${number}">
    ${image === undefined ? '' : html`<img src="${dataUri(image)}" alt="${page.slide} ${number}" />`}
    <h3>${number}. ${title}</h3>
    ${paragraphs(page, lines)}
  </article>`;
}

function groupMarkup(page: Page, { title, aside, bar, blocks }: Group, folded: boolean): Markup {
  const body = blocksMarkup(page, blocks);
  const beside = html`${bar === null ? '' : barMarkup(bar)} ${lineMarkup(page, aside)}`;
  return folded
    ? html`<details class="group">
        <summary>
          <h3>${title}</h3>
          ${beside}
        </summary>
        ${body}
      </details>`
    : html`<div class="group">
        <h3>${title} ${beside}</h3>
        ${body}
      </div>`;
}

function tableMarkup(page: Page, { head, rows, words, bars }: Table): Markup {
  const classOf = (column: number): string => (column < words ? '' : 'number');
  const bar = (row: number, column: number): Markup | '' => {
    const each = column === 0 ? bars[row] : undefined;
    return each === undefined ? '' : html`<td>${barMarkup(each)}</td>`;
  };
  return html`<div class="table">
    <table>
      <thead>
        <tr>
          ${head.map(
            (name, column) =>
              html`<th scope="col" class="${classOf(column)}">${name}</th>
                ${column === 0 && bars.length > 0 ? html`<td></td>` : ''}`,
          )}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells, row) =>
            html`<tr>
              ${cells.map(
                (cell, column) =>
                  html`<td class="${classOf(column)}">${lineMarkup(page, lineOf(cell))}</td>
                    ${bar(row, column)}`,
              )}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function blockMarkup(page: Page, block: Block): Markup {
  switch (block.is) {
    case 'line':
      return html`<p>${lineMarkup(page, block.line)}</p>`;
    case 'notice':
      return html`<p class="notice${block.warning ? ' bad' : ''}">${lineMarkup(page, block.line)}</p>`;
    case 'list':
      return html`<ul class="entries">
        ${block.entries.map((entry) => listItem(page, entry))}
      </ul>`;
    case 'facts':
      return html`<dl class="facts">${block.facts.map((entry) => factMarkup(page, entry))}</dl>`;
    case 'groups':
      return html`${block.groups.map((group) => groupMarkup(page, group, block.folded))}`;
    case 'slides':
      return html`<div class="cards">${block.slides.map((slide) => slideCard(page, slide))}</div>`;
    case 'table':
      return tableMarkup(page, block);
    case 'chart':
      return chartMarkup(block) ?? tableMarkup(page, chartTable(block));
  }
}

const blocksMarkup = (page: Page, blocks: readonly Block[]): Markup =>
  html`${blocks.map((block) => blockMarkup(page, block))}`;

function sectionMarkup(page: Page, { id, title, blocks, folded }: Section): Markup {
  const body = blocksMarkup(page, blocks);
  return folded
    ? html`<section id="${id}">
        <details class="folded">
          <summary><h2>${title}</h2></summary>
          ${body}
        </details>
      </section>`
    : html`<section id="${id}">
        <h2>${title}</h2>
        ${body}
      </section>`;
}

function headerMarkup(page: Page, { language, title, head, sections }: Document): Markup {
  const { first = null, figure, blocks } = head;
  return html`<header class="card">
    <div>
      <h1>${title}</h1>
      ${first === null ? '' : blockMarkup(page, first)} ${blocksMarkup(page, blocks)}
    </div>
    ${
      figure === null
        ? ''
        : html`<div class="total">
            <p class="soft">${figure.name}</p>
            <p class="big ${figure.tone ?? ''}">${figure.value ?? '–'}</p>
            ${figure.unit === null ? '' : html`<p>${figure.unit}</p>`} ${paragraphs(page, figure.lines)}
          </div>`
    }
    <nav class="contents wide" aria-label="${DOCUMENT_WORDS[language].contents}">
      <ul>
        ${sections.map(({ id, title: name }) => html`<li><a href="#${id}">${name}</a></li>`)}
      </ul>
    </nav>
  </header>`;
}

/**
 * The document as a page.
 *
 * @param images slide pictures as JPEG; a slide without one is shown without
 */
export function renderHtml(document: Document, images: ReadonlyMap<number, Uint8Array> = new Map()): string {
  const { language, title, sections } = document;
  const shown = new Set(slideCards(document).map(({ number }) => number));
  const page: Page = { slide: DOCUMENT_WORDS[language].slide, shown, images };
  const markup = html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>${title}</title>
        ${raw(`<style>${DOCUMENT_STYLE}</style>`)}
      </head>
      <body>
        <main>${headerMarkup(page, document)} ${sections.map((each) => sectionMarkup(page, each))}</main>
      </body>
    </html>`;
  // Ours has no parts that come later.
  if (markup instanceof Promise) throw new DeckhandError('internal', 'the page has an unfinished part');
  return markup.toString();
}
