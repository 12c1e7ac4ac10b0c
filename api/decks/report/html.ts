/**
 * A review as one self-contained HTML page: no script, no request to anywhere, readable on screen and on paper.
 *
 * Every word from the deck goes through `html` templates, which escape it; only our own style sheet is put in raw.
 */
import { html } from 'hono/html';
import { MAX_SCORE } from '../../../domain/decks/scoring.ts';
import { dataTable, htmlPage, type Markup } from '../../pages/page.ts';
import type { Block, ChapterBlock, Entry, Line, ReviewDocument, Section, SlideCard, Span } from './document/blocks.ts';
import { formatScore, scoreClass } from './format.ts';
import { type Labels, labelsOf } from './labels.ts';

/** What every part of the page needs. */
interface Page {
  readonly review: ReviewDocument;
  readonly labels: Labels;
  /** JPEG pictures by slide number. */
  readonly images: ReadonlyMap<number, Uint8Array>;
}

const STYLE = `
header.card { display: grid; grid-template-columns: 1fr auto; gap: 0 2rem; }
header.card > .wide { grid-column: 1 / -1; }
.total { text-align: right; } .total p { margin: 0; } .total .big { font-size: 2.8rem; font-weight: 700; line-height: 1.1; }
.chapter > summary { align-items: center; } .chapter > summary h3 { flex: 1 1 12rem; }
.bar { flex: 0 1 14rem; height: .5rem; border-radius: .25rem; background: var(--line); } .bar > span { display: block; height: 100%;
  border-radius: .25rem; background: currentColor; }
nav.contents ul { columns: 16rem; margin: .8rem 0 0; padding: 0; list-style: none; } nav.contents li { padding: .1rem 0; }
dl.facts dd p { margin: 0 0 .3rem; }
ul.entries { margin: .4rem 0; padding-left: 1.2rem; } ul.entries > li { margin: .35rem 0; } ul.entries p { margin: .2rem 0; }
.group { margin: 0 0 1rem; } .group > h3 { border-bottom: 1px solid var(--line); padding: .6rem 0 .3rem; }
.question > p { margin: .25rem 0; }
.question > .head { display: block; } .question > .head .score { float: right; margin-left: .75rem; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(16rem, 1fr)); gap: 1.2rem; }
.card-slide { min-width: 0; } .card-slide:target { outline: .2rem solid var(--link); outline-offset: .3rem; }
.card-slide h3 { margin: .4rem 0 0; } .card-slide img { display: block; width: 100%; height: auto; border: 1px solid var(--line);
  border-radius: .3rem; background: #fff; }
.refs { font-size: .9rem; } .refs a { white-space: nowrap; }
section { scroll-margin-top: 1rem; } summary h2 { margin: 0; } details > summary { justify-content: flex-start; }
details > summary::before { content: '▸'; color: var(--soft); } details[open] > summary::before { content: '▾'; }
.folded { border: 0; padding: 0; } summary::-webkit-details-marker { display: none; }
.table { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: .85rem; }
th, td { text-align: left; vertical-align: top; padding: .25rem .8rem .25rem 0; border-top: 1px solid var(--line); }
th { color: var(--soft); font-weight: 500; } td.number, th.number { text-align: right; white-space: nowrap; }
@media (max-width: 40rem) { header.card { grid-template-columns: 1fr; } .total { text-align: left; margin: .5rem 0; }
  .bar { display: none; } }
@page { size: A4; margin: 16mm 15mm; }
@media print { details > summary::before { content: none; } details::details-content { content-visibility: visible; display: block; } .cards { grid-template-columns: repeat(3, 1fr); }
  .card-slide, ul.entries > li, .group > h3, .notice { break-inside: avoid; } .group > h3, .question > .head { break-after: avoid; }
  dl.facts { break-inside: auto; } dl.facts > * { break-inside: avoid; } nav.contents a { color: inherit; } }
`;

function slideLink({ review, labels }: Page, number: number): Markup {
  const name = `${labels.slide} ${number}`;
  return review.shownSlides.has(number) ? html`<a href="#slide-${number}">${name}</a>` : html`${name}`;
}

const slideLinks = (page: Page, numbers: readonly number[]): Markup =>
  html`<span class="refs"
    >${numbers.map((number, index) => html`${index === 0 ? '' : ', '}${slideLink(page, number)}`)}</span
  >`;

function spanMarkup(page: Page, span: Span): Markup {
  const { labels } = page;
  if (typeof span === 'string') return html`${span}`;
  if ('strong' in span) return html`<strong>${span.strong}</strong>`;
  if ('soft' in span) return html`<span class="soft">${span.soft}</span>`;
  if ('absent' in span) return html`<span class="absent">${span.absent}</span>`;
  if ('quote' in span) return html`<q>${span.quote}</q>`;
  if ('slides' in span) return slideLinks(page, span.slides);
  if ('verdict' in span) {
    const why = span.why === null ? '' : html` <span class="soft">${span.why}</span>`;
    return html`<span class="verdict ${span.verdict}">${labels[span.verdict]}</span>${why}`;
  }
  const { score, digits } = span;
  const text = score === null ? labels.noScore : labels.decimal(score, digits);
  return html`<span class="score ${scoreClass(score)}" title="${formatScore(score, labels)}">${text}</span>`;
}

const lineMarkup = (page: Page, line: Line): Markup => html`${line.map((span) => spanMarkup(page, span))}`;

const paragraphs = (page: Page, lines: readonly Line[]): Markup =>
  html`${lines.map((line) => html`<p>${lineMarkup(page, line)}</p>`)}`;

const listItem = (page: Page, { head, lines }: Entry): Markup =>
  html`<li>${lineMarkup(page, head)}${paragraphs(page, lines)}</li>`;

const question = (page: Page, { head, lines }: Entry): Markup =>
  html`<div class="question">
    <div class="head">${lineMarkup(page, head)}</div>
    ${paragraphs(page, lines)}
  </div>`;

const fact = (page: Page, { head, lines }: Entry): Markup =>
  html`<dt>${lineMarkup(page, head)}</dt>
    <dd>${paragraphs(page, lines)}</dd>`;

const dataUri = (jpeg: Uint8Array): string => `data:image/jpeg;base64,${Buffer.from(jpeg).toString('base64')}`;

function slideCard(page: Page, { number, title, lines }: SlideCard): Markup {
  const image = page.images.get(number);
  return html`<article class="card-slide" id="slide-${number}">
    ${image === undefined ? '' : html`<img src="${dataUri(image)}" alt="${page.labels.slide} ${number}" />`}
    <h3>${number}. ${title}</h3>
    ${paragraphs(page, lines)}
  </article>`;
}

function chapterMarkup(page: Page, { title, score, blocks }: ChapterBlock): Markup {
  const share = Math.round(((score ?? 0) / MAX_SCORE) * 100);
  return html`<details class="chapter">
    <summary>
      <h3>${title}</h3>
      <span class="bar ${scoreClass(score)}" aria-hidden="true"><span style="width: ${share}%"></span></span>
      ${spanMarkup(page, { score, digits: 1 })}
    </summary>
    ${blocksMarkup(page, blocks)}
  </details>`;
}

function blockMarkup(page: Page, block: Block): Markup | '' {
  switch (block.is) {
    case 'line':
      return html`<p>${lineMarkup(page, block.line)}</p>`;
    case 'notice':
      return html`<p class="notice${block.warning ? ' bad' : ''}">${lineMarkup(page, block.line)}</p>`;
    case 'list':
      return html`<ul class="entries">
        ${block.entries.map((entry) => listItem(page, entry))}
      </ul>`;
    case 'questions':
      return html`${block.entries.map((entry) => question(page, entry))}`;
    case 'facts':
      return html`<dl class="facts">${block.facts.map((entry) => fact(page, entry))}</dl>`;
    case 'group':
      return html`<div class="group">
        <h3>${block.title}</h3>
        ${blocksMarkup(page, block.blocks)}
      </div>`;
    case 'chapters':
      return html`${block.chapters.map((chapter) => chapterMarkup(page, chapter))}`;
    case 'slides':
      return html`<div class="cards">${block.slides.map((slide) => slideCard(page, slide))}</div>`;
    case 'table':
      return html`<div class="table">${dataTable(block.head, block.rows, block.words)}</div>`;
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

function headerMarkup(page: Page): Markup {
  const { review, labels } = page;
  const { score, blocks } = review.head;
  return html`<header class="card">
    <div>
      <h1>${review.title}</h1>
      ${blocksMarkup(page, blocks)}
    </div>
    ${
      score === null
        ? ''
        : html`<div class="total">
            <p class="big ${scoreClass(score.score)}" title="${labels.overall}">
              ${score.score === null ? '–' : labels.decimal(score.score, 1)}
            </p>
            ${paragraphs(page, score.lines)}
          </div>`
    }
    <nav class="contents wide" aria-label="${labels.contents}">
      <ul>
        ${review.sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
      </ul>
    </nav>
  </header>`;
}

/**
 * The review as a page.
 *
 * @param images slide pictures as JPEG; a slide without one is shown without
 */
export function renderHtml(review: ReviewDocument, images: ReadonlyMap<number, Uint8Array>): string {
  const labels = labelsOf(review.language);
  const page: Page = { review, labels, images };
  const body = html`<main>${headerMarkup(page)} ${review.sections.map((each) => sectionMarkup(page, each))}</main>`;
  return htmlPage({ language: review.language, title: `${labels.review}: ${review.title}`, body, style: STYLE });
}
