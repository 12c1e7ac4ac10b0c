/** Pieces of the HTML report that several sections use: quotes with links to their slide, scores, provenance. */
import { html } from 'hono/html';
import type { AnalysisReport, Provenance, ReportEvidence } from '../../../domain/decks/report.ts';
import { isProof } from '../../../domain/decks/review/proof.ts';
import { formatScore, type Labels, scoreClass } from './labels.ts';
import type { Markup } from '../../pages/page.ts';

/** What every section needs. */
export interface Page {
  readonly report: AnalysisReport;
  readonly labels: Labels;
  /** Slides that the page shows, so that no link leads nowhere. */
  readonly shownSlides: ReadonlySet<number>;
  /** Pictures as data URIs by slide number. */
  readonly images: ReadonlyMap<number, string>;
}

/** Name of a slide, as a link where the page shows it. */
export function slideLink(page: Page, number: number): Markup {
  const name = `${page.labels.slide} ${number}`;
  return page.shownSlides.has(number) ? html`<a href="#slide-${number}">${name}</a>` : html`${name}`;
}

/** Quotes with slide and verdict; nothing when there are none. */
export function evidenceList(page: Page, evidence: readonly ReportEvidence[]): Markup | '' {
  if (evidence.length === 0) return '';
  return html`<ul class="evidence">
    ${evidence.map(
      (e) =>
        html`<li>
          ${slideLink(page, e.slide)}: <q>${e.quote}</q>
          <span class="verdict ${e.verdict}" title="${e.reason ?? ''}">${page.labels[e.verdict]}</span>
          ${isProof(e) || e.reason === null ? '' : html`<span class="soft">${e.reason}</span>`}
        </li>`,
    )}
  </ul>`;
}

/** A score in its colour, also in words for those who see no colour. */
export function scoreBadge(score: number | null, labels: Labels, digits = 1): Markup {
  const text = score === null ? labels.noScore : score.toFixed(digits);
  return html`<span class="score ${scoreClass(score)}" title="${formatScore(score, labels)}">${text}</span>`;
}

/** One line that says where a value comes from. */
export function provenanceLine(provenance: Provenance | null, labels: Labels): Markup | '' {
  if (provenance === null) return '';
  const { model, modelDigest, promptVersion, host, attempts, durationMs } = provenance;
  const parts = [
    `${model} @ ${modelDigest.replace('sha256:', '').slice(0, 12)}`,
    `${labels.prompt} v${promptVersion}`,
    host,
    `${(durationMs / 1000).toFixed(1)} s`,
    ...(attempts > 1 ? [`${attempts}×`] : []),
  ];
  return html`<p class="soft">${labels.provenance} ${parts.join(' · ')}</p>`;
}

/** Says which slides a value lacks; nothing for one that lacks none. */
export function lackingNote(slides: readonly number[], labels: Labels): Markup | '' {
  return slides.length === 0 ? '' : html`<p class="soft">${labels.computedWithout(slides)}</p>`;
}

/** A value, or in other type that it is absent. */
export function valueOr(value: string | null, absent: string): Markup {
  return value === null ? html`<span class="absent">${absent}</span>` : html`${value}`;
}
