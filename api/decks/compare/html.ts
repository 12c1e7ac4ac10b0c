/**
 * A comparison as one self-contained HTML page, in the style of the report.
 *
 * Every word from the decks goes through `html` templates, which escape it; only our own style sheet is put in raw.
 */
import { html } from 'hono/html';
import {
  isSame,
  type Change,
  type ComparedItem,
  type ComparedRun,
  type Comparison,
  type Part,
} from '../../../domain/decks/compare/comparison.ts';
import {
  abridged,
  differingChoices,
  fieldWords,
  isProse,
  scoreLines,
  shownParts,
  shownReasons,
  type ScoreLine,
} from '../../../domain/decks/compare/reading.ts';
import { changedWords, type WordRun } from '../../../domain/decks/compare/words.ts';
import type { Language } from '../../../domain/models/model-tasks.ts';
import { MAX_SCORE } from '../../../domain/decks/scoring.ts';
import { scoreBadge } from '../report/html-parts.ts';
import { labelsOf, type Labels } from '../report/labels.ts';
import { htmlPage } from '../../pages/page.ts';
import type { Markup } from '../../pages/page.ts';
import { compareLabelsOf, type CompareLabels } from './labels.ts';
import { changeName, itemName, reasonWords, replayWords, templateWords, verdictWords } from './names.ts';

interface Words {
  readonly labels: Labels;
  readonly own: CompareLabels;
}

const STYLE = `
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0;
  border-top: 1px solid var(--line); overflow-wrap: anywhere; } tr:first-child > * { border-top: 0; }
th { color: var(--soft); font-weight: 500; } td.number { white-space: nowrap; }
del { color: var(--weak); } ins { color: var(--good); text-decoration: underline; text-decoration-thickness: .08em; }
.delta { display: inline-block; height: .6rem; border-radius: .3rem; vertical-align: middle; background: currentColor; }
dl.changes { display: grid; grid-template-columns: minmax(7rem, 12rem) 1fr; gap: .3rem 1rem; margin: .5rem 0 .2rem; }
@media (max-width: 40rem) { dl.changes { grid-template-columns: 1fr; } }
`;

/** The language both speak, else English. */
const languageOf = ({ a, b }: Comparison): Language => (a.language === b.language ? a.language : 'en');

/** The page. */
export function renderComparisonHtml(comparison: Comparison): string {
  const language = languageOf(comparison);
  const words: Words = { labels: labelsOf(language), own: compareLabelsOf(language) };
  const { own } = words;
  const { a, b } = comparison;
  const name = b.company ?? a.company ?? b.deck.fileName;
  const body = html`<main>
    ${header(comparison, name, words)} ${scores(comparison, words)} ${gaps(own.opened, comparison.gaps.opened)}
    ${gaps(own.closed, comparison.gaps.closed)}
    ${comparison.gaps.changed.length === 0 ? '' : section('gaps', comparison.gaps.changed, words)}
    ${shownParts(comparison).map(({ part, items }) => section(part, items, words))} ${reasons(comparison, words)}
  </main>`;
  return htmlPage({ language, title: `${own.comparison}: ${name}`, body, style: STYLE });
}

function header(comparison: Comparison, name: string, { labels, own }: Words): Markup {
  const { a, b } = comparison;
  const row = (title: string, cell: (run: ComparedRun) => Markup | string): Markup =>
    html`<tr>
      <th scope="row">${title}</th>
      <td>${cell(a)}</td>
      <td>${cell(b)}</td>
    </tr>`;
  const unfinished = [
    [own.first, a],
    [own.second, b],
  ] as const;
  return html`<header class="card">
    <h1>${own.comparison}: ${name}</h1>
    <p>${isSame(comparison) ? own.same : own.counts(comparison.changed, comparison.equal)}</p>
    ${comparison.sameDeck ? '' : html`<p class="notice">${own.otherDecks}</p>`}
    ${unfinished.map(([side, run]) =>
      run.finished ? '' : html`<p class="notice">${own.unfinished(side, run.status)}</p>`,
    )}
    <table>
      <tr>
        <td></td>
        <th scope="col">${own.first}</th>
        <th scope="col">${own.second}</th>
      </tr>
      ${row('', (run) => html`<span class="soft">${run.analysisId}</span>`)}
      ${comparison.sameDeck ? '' : row(own.parts.deck, (run) => run.deck.fileName)}
      ${
        comparison.a.replay === null && comparison.b.replay === null
          ? ''
          : row(labels.replayOf, (run) => replayWords(run) ?? own.nothing)
      }
      ${row(own.created, (run) => run.createdAt.slice(0, 16).replace('T', ' '))}
      ${row(labels.status, (run) => run.status)} ${row(labels.engine, (run) => run.engine ?? own.nothing)}
      ${row(labels.template, (run) => templateWords(run) ?? own.nothing)}
    </table>
  </header>`;
}

function reasons(comparison: Comparison, { own }: Words): Markup {
  const { reasons: list, otherSeeds } = shownReasons(comparison);
  const choices = differingChoices(comparison);
  return html`<section>
    <h2>${own.why}</h2>
    ${
      list.length + choices.length + otherSeeds === 0
        ? html`<p>${own.whyNothing}</p>`
        : html`<ul>
            ${choices.map((c) => html`<li>${fieldWords(c.field)} ${sideBySide(c.a, c.b, own)}</li>`)}
            ${list.map(
              (r) =>
                html`<li>
                  ${own.results(r.results)} ${r.task}:
                  ${reasonWords(r, own) ?? html`${fieldWords(r.field)} ${sideBySide(r.a, r.b, own)}`}
                </li>`,
            )}
            ${otherSeeds === 0 ? '' : html`<li>${own.otherSeeds(otherSeeds)}</li>`}
          </ul>`
    }
  </section>`;
}

function scores(comparison: Comparison, { labels, own }: Words): Markup | '' {
  const lines = scoreLines(comparison);
  if (lines.every(({ a, b }) => a === null && b === null)) return '';
  return html`<section>
    <h2>${own.scores}</h2>
    <table>
      <tr>
        <td></td>
        <th scope="col">${own.first}</th>
        <th scope="col">${own.second}</th>
        <td></td>
      </tr>
      ${lines.map(
        (line) =>
          html`<tr>
            <th scope="row">${line.chapter ?? labels.overall}</th>
            <td class="number">${scoreBadge(line.a, labels)}</td>
            <td class="number">${scoreBadge(line.b, labels)}</td>
            <td class="number">${delta(line)}</td>
          </tr>`,
      )}
    </table>
  </section>`;
}

function delta({ a, b }: ScoreLine): Markup | '' {
  if (a === null || b === null || a === b) return '';
  const width = ((Math.abs(b - a) / MAX_SCORE) * 8).toFixed(2);
  const [colour, arrow] = b > a ? ['good', '▲'] : ['weak', '▼'];
  return html`<span class="${colour}"
    >${arrow} ${(b - a).toFixed(1)} <span class="delta" style="width:${width}rem"></span
  ></span>`;
}

function gaps(title: string, list: Comparison['gaps']['opened']): Markup | '' {
  if (list.length === 0) return '';
  return html`<section>
    <h2>${title}</h2>
    <ul>
      ${list.map((gap) => html`<li>${gap.message}</li>`)}
    </ul>
  </section>`;
}

function section(part: Part | 'gaps', items: readonly ComparedItem[], words: Words): Markup {
  const { own } = words;
  return html`<section>
    <h2>${part === 'gaps' ? own.otherReason : own.parts[part]}</h2>
    ${items.map((item) => itemBlock(itemName(part, item, words.labels), item, words))}
  </section>`;
}

function itemBlock(name: string | null, item: ComparedItem, words: Words): Markup {
  const { own } = words;
  const changes = html`<dl class="changes">
    ${item.changes.map(
      (change) =>
        html`<dt>${changeName(change, own)}</dt>
          <dd>${changeValue(change, words)}</dd>`,
    )}
  </dl>`;
  if (name === null) return changes;
  const side = item.presence === 'both' ? '' : own.onlyIn(item.presence === 'a' ? own.first : own.second);
  return html`<details open>
    <summary>
      <h3>${name}</h3>
      <span class="soft">${side}</span>
    </summary>
    ${changes}
  </details>`;
}

function changeValue(change: Change, { labels, own }: Words): Markup {
  if (change.quote !== null) {
    const values = sideBySide(verdictWords(change.a, labels, own), verdictWords(change.b, labels, own), own);
    return html`<q>${change.quote.text}</q><br />${values}`;
  }
  if (isProse(change)) return html`${abridged(changedWords(change.a, change.b)).map(wordRun)}`;
  return sideBySide(change.a, change.b, own);
}

function wordRun({ kind, text }: WordRun): Markup {
  switch (kind) {
    case 'same':
      return html`${text} `;
    case 'removed':
      return html`<del>${text}</del> `;
    case 'added':
      return html`<ins>${text}</ins> `;
  }
}

const sideBySide = (a: Change['a'], b: Change['a'], own: CompareLabels): Markup =>
  html`${value(a, own)} → ${value(b, own)}`;

const value = (of: Change['a'], own: CompareLabels): Markup =>
  of === null ? html`<span class="absent">${own.nothing}</span>` : html`${String(of)}`;
