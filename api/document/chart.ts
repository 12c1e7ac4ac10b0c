/** Charts as inline SVG, drawn on the server: no script, no request, sharp in print, in the colours of the reader's setting. */
import { html } from 'hono/html';
import { LEDGER_KINDS, type LedgerKind } from '../../domain/costs/ledger/facts.ts';
import { usdText } from '../../domain/text/words.ts';
import type { Bar, Chart, ChartBar, Table } from './blocks.ts';

/** A finished piece of escaped HTML. */
export type Markup = ReturnType<typeof html>;

const WIDTH = 720;
const HEIGHT = 220;
const LEFT = 60;
/** Half of the last label. */
const RIGHT = 16;
const BOTTOM = 24;
/** Bars that are shown, also where the first of them are empty. */
const LEAST_BARS = 7;
/** Labels that fit under the bars. */
const MOST_LABELS = 12;

/** Colours of the kinds, light and dark. */
export const CHART_STYLE = `
:root { --busy: #1a7f4b; --load: #7a6ff0; --boot: #d08700; --idle: #9aa3b2; --drain: #5fa8c7; --failed: #b3362b; --orphan: #d1498b;
  --storage: #6b7f99; --suspended: #b8c0cc; --unused: #8a5a2b; }
@media (prefers-color-scheme: dark) { :root { --busy: #57c98c; --load: #a59dff; --boot: #e8b04b; --idle: #6d7788; --drain: #7cc4e0;
  --failed: #f08a7f; --orphan: #f08cbf; --storage: #8ea3bf; --suspended: #4d5767; --unused: #c79a6a; } }
${[...LEDGER_KINDS, 'good', 'medium', 'weak'].map((colour) => `.k-${colour} { fill: var(--${colour}); background: var(--${colour}); }`).join('\n')}
svg.days { width: 100%; height: auto; } svg.days g.before rect { opacity: .45; } svg.days text { fill: var(--soft); font-size: 11px; } svg.days line { stroke: var(--line); }
ul.legend { list-style: none; display: flex; flex-wrap: wrap; gap: .2rem 1rem; margin: .5rem 0 0; padding: 0; font-size: .9rem; }
ul.legend i { display: inline-block; width: .8rem; height: .8rem; border-radius: .2rem; margin-right: .35rem; }
svg.meter { display: block; width: 100%; min-width: 8rem; height: .7rem; background: var(--line); border-radius: .3rem; overflow: hidden; }
`;

const round = (n: number): number => Math.round(n * 100) / 100;

/** The bars, faded ones paler; without a faded one it begins with the first that holds something. Null where none does. An empty bar is not drawn. */
export function chartMarkup({ title, bars: all, legend }: Chart): Markup | null {
  // Nothing was rented yet in them: a new installation would show weeks of nothing.
  const first = all.some(({ faded }) => faded) ? 0 : all.findIndex(({ usd }) => Number(usd) !== 0);
  const bars = all.slice(Math.max(0, Math.min(first, all.length - LEAST_BARS)));
  const most = Math.max(0, ...bars.map(({ usd }) => Number(usd)));
  if (most === 0) return null;
  const step = (WIDTH - LEFT - RIGHT) / bars.length;
  const every = Math.ceil(bars.length / MOST_LABELS);
  // Counted from the end: the last bar is the one that people look for.
  const hasLabel = (i: number): boolean => (bars.length - 1 - i) % every === 0;
  const heightOf = (usd: number): number => round((usd / most) * (HEIGHT - BOTTOM - 12));
  const baseline = HEIGHT - BOTTOM;
  return html`<svg class="days" role="img" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-label="${title}">
      <title>${title}</title>
      ${[0, 0.5, 1].map((share) => {
        const y = round(baseline - heightOf(most * share));
        return html`<line x1="${LEFT}" x2="${WIDTH}" y1="${y}" y2="${y}" />
          <text x="${LEFT - 6}" y="${y + 4}" text-anchor="end">${usdText(String(most * share))}</text>`;
      })}
      ${bars.map((bar, i) => {
        const x = round(LEFT + i * step + step * 0.12);
        return html`<g class="${bar.faded ? 'before' : ''}">
          <title>${bar.name}: ${usdText(bar.usd)}</title>
          ${stacked(bar, heightOf, baseline).map(
            ({ kind, y, height }) =>
              html`<rect class="k-${kind}" x="${x}" y="${y}" width="${round(step * 0.76)}" height="${height}" />`,
          )}
          <text x="${round(x + step * 0.38)}" y="${HEIGHT - 8}" text-anchor="middle">
            ${hasLabel(i) ? bar.label : ''}
          </text>
        </g>`;
      })}
    </svg>
    <ul class="legend">
      ${legend.map(({ kind, usd }) => html`<li><i class="k-${kind}"></i>${kind} ${usdText(usd)}</li>`)}
    </ul>`;
}

interface Piece {
  readonly kind: LedgerKind;
  readonly y: number;
  readonly height: number;
}

/** The pieces of one bar, from the bottom up in the order of the kinds. */
function stacked({ kinds }: ChartBar, heightOf: (usd: number) => number, baseline: number): Piece[] {
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

/** A chart as a table, for documents without pictures. */
export function chartTable({ head, bars }: Chart): Table {
  const rows = bars.map(({ name, usd, kinds, faded }) => {
    const [most] = Object.entries(kinds).toSorted(([, a], [, b]) => Number(b) - Number(a));
    const largest = most === undefined ? '' : `${most[0]} ${usdText(most[1])}`;
    return [faded ? { soft: name } : name, usdText(usd), largest];
  });
  return { is: 'table', head, rows, words: 1, bars: [] };
}

/** A bar of a share. */
export const barMarkup = ({ share, colour }: Bar): Markup => {
  const width = round(Math.min(1, Math.max(0, share)) * 100);
  return html`<svg class="meter" aria-hidden="true"><rect class="k-${colour}" width="${width}%" height="100%" /></svg>`;
};
