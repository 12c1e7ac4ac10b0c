/**
 * The report as one self-contained HTML page: no script, no request to anywhere, readable on screen and on paper.
 *
 * Every word from the deck goes through `html` templates, which escape it; only our own style sheet is put in raw.
 */
import {
  absentSector,
  absentValue,
  contradictionTitle,
  formatAmount,
  formatConfidence,
  hazardText,
  invisibleSlides,
  labelsOf,
  pageNote,
  sideValue,
  scoreClass,
} from './labels.ts';
import type { ExtractionField } from '../../../domain/models/model-tasks.ts';
import { html } from 'hono/html';
import type { AnalysisReport, ReportChapter, ReportQuestion, ReportSlide } from '../../../domain/decks/report.ts';
import { gapsBesideNotices, isNotFound, isUnasked, languageName } from '../../../domain/decks/unread.ts';
import { evidenceList, lackingNote, provenanceLine, scoreBadge, slideLink, valueOr } from './html-parts.ts';
import type { Page } from './html-parts.ts';
import { htmlPage } from '../../pages/page.ts';
import { MAX_SCORE } from '../../../domain/decks/scoring.ts';
import type { Markup } from '../../pages/page.ts';

type Piece = Markup | '';

function header(page: Page): Piece {
  const { report, labels } = page;
  const { engine, deck } = report;
  return html`<header class="card">
    <h1>${report.company ?? deck.fileName}</h1>
    <p class="soft">
      ${labels.review} · ${deck.fileName} · ${deck.slides ?? '?'} ${labels.slides} · ${labels.status}: ${report.status}
      ·
      ${report.createdAt.slice(0, 10)}${deck.language === null ? '' : ` · ${languageName(deck.language, report.language)}`}
    </p>
    ${
      engine === null
        ? ''
        : html`<p>
            <strong>${labels.engine}: ${engine.name}</strong>${engine.kind === 'rules' ? html` (${engine.label})` : ''}
          </p>`
    }
    ${engine?.kind === 'rules' ? html`<p class="notice">${labels.rulesNotice}</p>` : ''}
    ${report.notices.map(({ text }) => html`<p class="notice bad">${text}</p>`)}
    ${report.condensed === null ? '' : html`<p class="notice">${report.condensed}</p>`}
    ${report.replay === null ? '' : html`<p class="soft">${labels.replayOf} ${report.replay.of}</p>`}
    ${
      report.failure === null
        ? ''
        : html`<p class="notice bad"><strong>${report.failure.code}</strong>: ${report.failure.message}</p>`
    }
  </header>`;
}

function overview(page: Page): Piece {
  const { report, labels } = page;
  const { funding, deckDate, sector, template } = report;
  const fact = (name: string, value: Markup, field?: string): Markup => {
    const found = report.extractions.find((e) => e.field === field);
    const reason = found?.reason ?? null;
    return html`<dt>${name}</dt>
      <dd>
        ${value}${evidenceList(page, found?.evidence ?? [])}${reason === null ? '' : html`<p class="soft">${reason}</p>`}
        ${lackingNote(found?.computedWithout ?? [], labels)}
      </dd>`;
  };
  const absent = (field: ExtractionField): string => absentValue(report, field, labels);
  const amount = formatAmount(funding, report.language);
  return html`<section>
    <dl class="facts">
      ${fact(labels.company, valueOr(report.company, absent('company_name')), 'company_name')}
      ${fact(labels.offering, valueOr(report.offering, absent('offering')), 'offering')}
      ${fact(labels.funding, html`${valueOr(funding.raw, absent('funding'))}${amount === null ? '' : ` (${amount})`}`, 'funding')}
      ${fact(
        labels.deckDate,
        html`${valueOr(deckDate.raw, absent('deck_date'))}${deckDate.iso === null ? '' : ` (${deckDate.iso})`}`,
        'deck_date',
      )}
      ${fact(
        labels.sector,
        html`${valueOr(sector.name ?? sector.slug, absentSector(report, labels))}${
          sector.confidence === null ? '' : `, ${labels.confidence} ${formatConfidence(sector.confidence)}`
        }
        ${sector.reasoning === null ? '' : html`<p class="soft">${sector.reasoning}</p>`}
        ${lackingNote(sector.computedWithout, labels)}`,
      )}
      ${fact(
        labels.template,
        template.slug === null
          ? valueOr(null, labels.unknown)
          : html`${template.name ?? template.slug} v${template.version}
              <span class="soft">${template.reason ?? ''}</span>`,
      )}
    </dl>
  </section>`;
}

function list(title: string, items: readonly Markup[], lead = ''): Piece {
  if (items.length === 0) return '';
  return html`<section>
    <h2>${title}</h2>
    ${lead === '' ? '' : html`<p>${lead}</p>`}
    <ul>
      ${items.map((item) => html`<li>${item}</li>`)}
    </ul>
  </section>`;
}

const RADIUS = 130;
const LABEL_RADIUS = RADIUS + 16;
const LABEL_CHARS = 22;
/** Fewer axes make no area. */
const MIN_AXES = 3;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Position of a value of 0..1 on an axis; the first axis points up. */
function pointAt(axis: number, axes: number, share: number, radius = RADIUS): Point {
  const angle = (2 * Math.PI * axis) / axes - Math.PI / 2;
  const round = (n: number): number => Math.round(n * 10) / 10;
  return { x: round(Math.cos(angle) * radius * share), y: round(Math.sin(angle) * radius * share) };
}

const pointList = (points: readonly Point[]): string => points.map((p) => `${p.x},${p.y}`).join(' ');

function anchorOf(x: number): string {
  if (Math.abs(x) < 8) return 'middle';
  return x > 0 ? 'start' : 'end';
}

const shortName = (name: string): string =>
  name.length <= LABEL_CHARS ? name : `${name.slice(0, LABEL_CHARS - 1).trimEnd()}…`;

/** Radar chart over the chapters as inline SVG, drawn on the server; empty for fewer than three chapters or none scored. A chapter without a score has no point and is not drawn as 0. */
function radar(chapters: readonly ReportChapter[], title: string): Markup | '' {
  const axes = chapters.length;
  if (axes < MIN_AXES || chapters.every((c) => c.score === null)) return '';
  const corners = (share: number): Point[] => chapters.map((_, axis) => pointAt(axis, axes, share));
  const scored = chapters.flatMap((c, axis) => (c.score === null ? [] : pointAt(axis, axes, c.score / MAX_SCORE)));
  return html`<svg class="radar" role="img" viewBox="-300 -170 600 340" aria-label="${title}">
    <title>${title}</title>
    ${[1, 3, 5, 7].map((ring) => html`<polygon class="ring" points="${pointList(corners(ring / MAX_SCORE))}" />`)}
    ${corners(1).map((p) => html`<line class="axis" x1="0" y1="0" x2="${p.x}" y2="${p.y}" />`)}
    <polygon class="area" points="${pointList(scored)}" />
    ${scored.map((p) => html`<circle class="dot" cx="${p.x}" cy="${p.y}" r="3.5" />`)}
    ${chapters.map((c, axis) => {
      const p = pointAt(axis, axes, 1, LABEL_RADIUS);
      return html`<text x="${p.x}" y="${p.y}" text-anchor="${anchorOf(p.x)}" dominant-baseline="middle">
        ${shortName(c.name)} <tspan class="value">${c.score === null ? '–' : c.score.toFixed(1)}</tspan>
      </text>`;
    })}
  </svg>`;
}

function overall({ report, labels }: Page): Piece {
  if (report.chapters.length === 0) return '';
  const { score, scored, asked, method } = report.overall;
  return html`<section>
    <h2>${labels.overall}</h2>
    <div class="overall">
      <div>
        <p class="big ${scoreClass(score)}">${score === null ? '–' : score.toFixed(1)}</p>
        <p>${score === null ? labels.noScore : labels.outOf}</p>
        <p class="soft">${labels.coverage(scored, asked)}</p>
        ${method === null ? '' : html`<p class="soft">${labels.method}: ${method}</p>`}
        ${lackingNote(report.overall.computedWithout, labels)}
      </div>
      ${radar(report.chapters, labels.overall)}
    </div>
  </section>`;
}

function question(page: Page, q: ReportQuestion): Markup {
  const { labels } = page;
  return html`<div class="question">
    <div class="head"><span>${q.text}</span> ${scoreBadge(q.score, labels, 0)}</div>
    ${q.state === 'stated_absent' ? html`<p class="absent">${labels.absence[q.state]}</p>` : ''}
    ${q.answer === null ? '' : html`<p>${q.answer}</p>`} ${evidenceList(page, q.evidence)}
    ${q.rationale === null ? '' : html`<p class="soft">${labels.rationale}: ${q.rationale}</p>`}
    ${q.healthFocus === null ? '' : html`<p class="soft">${labels.healthFocus}: ${q.healthFocus}</p>`}
    ${q.reason === null ? '' : html`<p class="notice bad">${q.status}: ${q.reason}</p>`}
    ${lackingNote(q.computedWithout, labels)} ${provenanceLine(q.answerProvenance, labels)}
  </div>`;
}

function chapterSection(page: Page): Piece {
  const { report, labels } = page;
  const chapters = report.chapters.filter((c) => !c.questions.every(isUnasked));
  if (chapters.length === 0) return '';
  const chapter = (c: ReportChapter): Markup =>
    html`<details open>
      <summary>
        <h3>${c.name}</h3>
        ${scoreBadge(c.score, labels)}
      </summary>
      <p class="soft">${c.description} ${labels.coverage(c.scored, c.asked)}.</p>
      ${c.questions.filter((q) => !isNotFound(q) && !isUnasked(q)).map((q) => question(page, q))}
    </details>`;
  return html`<section>
    <h2>${labels.chapters}</h2>
    ${chapters.map(chapter)}
  </section>`;
}

/** Questions without anything to show but that nothing was found: one list. */
function notFoundSection({ report, labels }: Page): Piece {
  const missing = report.chapters.flatMap((c) => c.questions.filter(isNotFound).map((q) => ({ chapter: c.name, q })));
  return list(
    labels.notFound(missing.length),
    missing.map(({ chapter, q }) => html`${q.text} <span class="soft">(${chapter})</span>`),
    labels.notFoundLead,
  );
}

function specialised(page: Page): Piece {
  const { report, labels } = page;
  if (report.specialised.length === 0) return '';
  return html`<section>
    <h2>${labels.specialised}</h2>
    ${report.specialised.map(
      (s) =>
        html`<details open>
          <summary><h3>${labels[s.kind]}</h3></summary>
          ${s.summary === null ? '' : html`<p>${s.summary}</p>`}
          ${s.state === null || s.state === 'found' ? '' : html`<p class="absent">${labels.absence[s.state]}</p>`}
          ${s.reason === null ? '' : html`<p class="notice bad">${s.status}: ${s.reason}</p>`}
          ${s.points.map((p) => html`<p><strong>${p.heading}</strong> ${p.text}</p>`)} ${evidenceList(page, s.evidence)}
          ${lackingNote(s.computedWithout, labels)} ${provenanceLine(s.provenance, labels)}
        </details>`,
    )}
  </section>`;
}

function slideSection(page: Page): Piece {
  const { report, labels, images } = page;
  if (report.slides.length === 0) return '';
  const slide = (s: ReportSlide): Markup => {
    const image = images.get(s.number);
    const note = pageNote(s, labels);
    return html`<article class="slide" id="slide-${s.number}">
      <div>
        ${image === undefined ? '' : html`<img src="${image}" alt="${labels.slide} ${s.number}" loading="lazy" />`}
      </div>
      <div>
        <h3>${s.number}. ${s.title ?? ''}</h3>
        ${note === null ? '' : html`<p class="soft">${note}</p>`} ${s.summary === null ? '' : html`<p>${s.summary}</p>`}
        ${s.failure === null ? '' : html`<p class="notice bad">${s.failure.message}</p>`}
        ${s.figures.map((f) => html`<p class="soft">${f.kind}: ${f.description}</p>`)}
        ${s.feedback === null ? '' : html`<p><strong>${labels.feedback}:</strong> ${s.feedback}</p>`}
      </div>
    </article>`;
  };
  return html`<section>
    <h2>${labels.slides}</h2>
    ${report.slides.map(slide)}
  </section>`;
}

/**
 * The report as a page.
 *
 * @param images slide pictures as data URIs; a slide without one is shown without
 */
export function renderHtml(report: AnalysisReport, images: ReadonlyMap<number, string>): string {
  const labels = labelsOf(report.language);
  const page: Page = { report, labels, images, shownSlides: new Set(report.slides.map((s) => s.number)) };
  const title = `${labels.review}: ${report.company ?? report.deck.fileName}`;
  const body = html`<main>
    ${header(page)} ${overview(page)}
    ${list(
      labels.gaps,
      gapsBesideNotices(report).map(
        (g) => html`${g.slide === null ? '' : html`${slideLink(page, g.slide)}: `}${g.message}`,
      ),
    )}
    ${list(
      labels.steering,
      report.steering.map((s) => html`${slideLink(page, s.slide)}: <q>${s.text}</q>`),
      labels.steeringNotice,
    )}
    ${list(
      labels.contradictions,
      report.contradictions.map(
        (c) =>
          html`<strong>${contradictionTitle(c, labels)}</strong>
            <ul>
              ${[c.first, c.second].map(
                (side) =>
                  html`<li>${slideLink(page, side.slide)}: ${sideValue(c, side, labels)} <q>${side.quote}</q></li>`,
              )}
            </ul>`,
      ),
      labels.contradictionsNotice,
    )}
    ${list(
      labels.invisible,
      invisibleSlides(report).map((s) => html`${slideLink(page, s.number)}: <q>${s.invisibleText}</q>`),
      labels.invisibleNotice,
    )}
    ${list(
      labels.hazards,
      report.deck.hazards.map((h) => html`${hazardText(h, labels)}`),
    )}
    ${overall(page)}
    ${list(
      labels.keyPoints,
      report.keyPoints.map((k) => html`${k.text} ${evidenceList(page, k.evidence)}`),
    )}
    ${chapterSection(page)} ${notFoundSection(page)} ${specialised(page)}
    ${list(
      labels.recommendations,
      report.recommendations.map((r) => html`${r.text} ${scoreBadge(r.score, labels)}`),
    )}
    ${slideSection(page)}
  </main>`;
  return htmlPage({ language: report.language, title, body });
}
