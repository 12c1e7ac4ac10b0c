/** Charts of costs as inline SVG, drawn on the server: no script, no request, sharp in print, in the colours of the reader's setting. */
import { html } from 'hono/html';
import type { CostReport } from '../../domain/costs/report/document.ts';
import { usdText } from '../../domain/text/words.ts';
import { LEDGER_KINDS, type LedgerKind } from '../../domain/costs/ledger/facts.ts';
import type { Markup } from '../pages/page.ts';

const WIDTH = 720;
const HEIGHT = 220;
const LEFT = 60;
/** Half of the last label. */
const RIGHT = 16;
const BOTTOM = 24;
/** Days that are shown, also where the first of them cost nothing. */
const LEAST_DAYS = 7;
/** Labels that fit under the bars. */
const MOST_LABELS = 12;

/** Colours of the kinds, light and dark. */
export const CHART_STYLE = `
:root { --busy: #1a7f4b; --load: #7a6ff0; --boot: #d08700; --idle: #9aa3b2; --drain: #5fa8c7; --failed: #b3362b; --orphan: #d1498b;
  --storage: #6b7f99; --suspended: #b8c0cc; --unused: #8a5a2b; }
@media (prefers-color-scheme: dark) { :root { --busy: #57c98c; --load: #a59dff; --boot: #e8b04b; --idle: #6d7788; --drain: #7cc4e0;
  --failed: #f08a7f; --orphan: #f08cbf; --storage: #8ea3bf; --suspended: #4d5767; --unused: #c79a6a; } }
${LEDGER_KINDS.map((kind) => `.k-${kind} { fill: var(--${kind}); background: var(--${kind}); }`).join('\n')}
svg.days { width: 100%; height: auto; } svg.days g.before rect { opacity: .45; } svg.days text { fill: var(--soft); font-size: 11px; } svg.days line { stroke: var(--line); }
ul.legend { list-style: none; display: flex; flex-wrap: wrap; gap: .2rem 1rem; margin: .5rem 0 0; padding: 0; font-size: .9rem; }
ul.legend i { display: inline-block; width: .8rem; height: .8rem; border-radius: .2rem; margin-right: .35rem; }
svg.meter { display: block; width: 100%; min-width: 8rem; height: .7rem; background: var(--line); border-radius: .3rem; overflow: hidden; }
`;

const round = (n: number): number => Math.round(n * 100) / 100;

/** Bars of days, stacked by kind, those before the period paler; a period by itself begins with the first that cost something; empty for a single day. A day that cost nothing has no bar. */
export function dayChart({ days: own, daysBefore }: Pick<CostReport, 'days' | 'daysBefore'>): Markup | '' {
  const all = [...daysBefore, ...own];
  // Nothing was rented yet on them: a new installation would show weeks of nothing.
  const first = daysBefore.length > 0 ? 0 : all.findIndex((d) => Number(d.usd) !== 0);
  const empty = Math.max(0, Math.min(first, all.length - LEAST_DAYS));
  const days = all.slice(empty);
  const most = Math.max(0, ...days.map((d) => Number(d.usd)));
  if (days.length < 2 || most === 0) return '';
  const step = (WIDTH - LEFT - RIGHT) / days.length;
  const every = Math.ceil(days.length / MOST_LABELS);
  // Counted from the end: the last day is the one that people look for.
  const hasLabel = (i: number): boolean => (days.length - 1 - i) % every === 0;
  const heightOf = (usd: number): number => round((usd / most) * (HEIGHT - BOTTOM - 12));
  const baseline = HEIGHT - BOTTOM;
  return html`<svg class="days" role="img" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-label="Costs of each day by kind">
    <title>Costs of each day by kind</title>
    ${[0, 0.5, 1].map((share) => {
      const y = round(baseline - heightOf(most * share));
      return html`<line x1="${LEFT}" x2="${WIDTH}" y1="${y}" y2="${y}" />
        <text x="${LEFT - 6}" y="${y + 4}" text-anchor="end">${usdText(String(most * share))}</text>`;
    })}
    ${days.map((day, i) => {
      const x = round(LEFT + i * step + step * 0.12);
      const label = hasLabel(i) ? day.day.slice(5) : '';
      return html`<g class="${i + empty < daysBefore.length ? 'before' : ''}">
        <title>${day.day}: ${usdText(day.usd)}</title>
        ${stacked(day, heightOf, baseline).map(
          ({ kind, y, height }) =>
            html`<rect class="k-${kind}" x="${x}" y="${y}" width="${round(step * 0.76)}" height="${height}" />`,
        )}
        <text x="${round(x + step * 0.38)}" y="${HEIGHT - 8}" text-anchor="middle">${label}</text>
      </g>`;
    })}
  </svg>`;
}

interface Piece {
  readonly kind: LedgerKind;
  readonly y: number;
  readonly height: number;
}

/** The pieces of one bar, from the bottom up in the order of the kinds. */
function stacked({ kinds }: CostReport['days'][number], heightOf: (usd: number) => number, baseline: number): Piece[] {
  let below = 0;
  return LEDGER_KINDS.flatMap((kind) => {
    const usd = Number(kinds[kind] ?? 0);
    if (usd <= 0) return [];
    const height = heightOf(usd);
    const y = round(baseline - heightOf(below) - height);
    below += usd;
    return [{ kind, y, height }];
  });
}

/** What the colours mean, for kinds that are there. */
export function legend(kinds: readonly { readonly kind: LedgerKind; readonly usd: string }[]): Markup | '' {
  if (kinds.length === 0) return '';
  return html`<ul class="legend">
    ${kinds.map(({ kind, usd }) => html`<li><i class="k-${kind}"></i>${kind} ${usdText(usd)}</li>`)}
  </ul>`;
}

/** A bar of a share, 0 to 1. The figure stands beside it. */
export const meter = (share: number, kind: LedgerKind = 'busy'): Markup => {
  const width = round(Math.min(1, Math.max(0, share)) * 100);
  return html`<svg class="meter" aria-hidden="true"><rect class="k-${kind}" width="${width}%" height="100%" /></svg>`;
};
