/** Radar chart over the chapters as inline SVG, drawn on the server: no script, no request, sharp in print. */
import { html } from 'hono/html';
import type { Markup } from '../../pages/page.ts';
import { MAX_SCORE } from '../../../domain/decks/scoring.ts';
import type { ReportChapter } from '../../../domain/decks/report.ts';

const RADIUS = 130;
const LABEL_RADIUS = RADIUS + 16;
const LABEL_CHARS = 22;
/** Fewer axes make no area. */
const MIN_AXES = 3;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Where a value of 0..1 stands on an axis; the first axis points up. */
function pointAt(axis: number, axes: number, share: number, radius = RADIUS): Point {
  const angle = (2 * Math.PI * axis) / axes - Math.PI / 2;
  const round = (n: number): number => Math.round(n * 10) / 10;
  return { x: round(Math.cos(angle) * radius * share), y: round(Math.sin(angle) * radius * share) };
}

const path = (points: readonly Point[]): string => points.map((p) => `${p.x},${p.y}`).join(' ');

function anchorOf(x: number): string {
  if (Math.abs(x) < 8) return 'middle';
  return x > 0 ? 'start' : 'end';
}

const shorten = (name: string): string =>
  name.length <= LABEL_CHARS ? name : `${name.slice(0, LABEL_CHARS - 1).trimEnd()}…`;

/** The chart; empty for fewer than three chapters or none scored. A chapter without a score has no point and is not drawn as 0. */
export function radar(chapters: readonly ReportChapter[], title: string): Markup | '' {
  const axes = chapters.length;
  if (axes < MIN_AXES || chapters.every((c) => c.score === null)) return '';
  const corners = (share: number): Point[] => chapters.map((_, axis) => pointAt(axis, axes, share));
  const scored = chapters.flatMap((c, axis) => (c.score === null ? [] : pointAt(axis, axes, c.score / MAX_SCORE)));
  return html`<svg class="radar" role="img" viewBox="-300 -170 600 340" aria-label="${title}">
    <title>${title}</title>
    ${[1, 3, 5, 7].map((ring) => html`<polygon class="ring" points="${path(corners(ring / MAX_SCORE))}" />`)}
    ${corners(1).map((p) => html`<line class="axis" x1="0" y1="0" x2="${p.x}" y2="${p.y}" />`)}
    <polygon class="area" points="${path(scored)}" />
    ${scored.map((p) => html`<circle class="dot" cx="${p.x}" cy="${p.y}" r="3.5" />`)}
    ${chapters.map((c, axis) => {
      const p = pointAt(axis, axes, 1, LABEL_RADIUS);
      return html`<text x="${p.x}" y="${p.y}" text-anchor="${anchorOf(p.x)}" dominant-baseline="middle">
        ${shorten(c.name)} <tspan class="value">${c.score === null ? '–' : c.score.toFixed(1)}</tspan>
      </text>`;
    })}
  </svg>`;
}
