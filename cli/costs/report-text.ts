/**
 * Costs as a person reads them in a terminal: a bar for each line, in pieces for what the time was spent on.
 */
import type { CostReportLine, CostsDocument } from '../../api/client.ts';
import { NO_TASK, shareText } from '../../domain/costs/report/words.ts';
import { usdText } from '../../domain/text/words.ts';
import { LEDGER_KINDS, type LedgerKind } from '../../domain/costs/ledger/kinds.ts';
import { clean, cut } from '../terminal-text.ts';

/** How it is drawn. */
export interface CostStyle {
  readonly colours: boolean;
  /** Columns of the terminal. */
  readonly width: number;
}

/** A kind's piece of a bar: told apart without colours too. */
const PIECES: Readonly<Record<LedgerKind, { readonly glyph: string; readonly colour: number }>> = {
  busy: { glyph: '█', colour: 32 },
  load: { glyph: '▓', colour: 35 },
  boot: { glyph: '▒', colour: 33 },
  idle: { glyph: '░', colour: 90 },
  drain: { glyph: '▚', colour: 36 },
  failed: { glyph: '×', colour: 31 },
  orphan: { glyph: '?', colour: 91 },
  storage: { glyph: '≡', colour: 34 },
  suspended: { glyph: '·', colour: 90 },
  unused: { glyph: '▁', colour: 33 },
};

const LEAST_BAR = 12;
const MOST_BAR = 60;
const MOST_NAME = 44;
const INDENT = '  ';
const GAP = '   ';

type Kinds = CostsDocument['kinds'];
type Item = CostsDocument['items'][number];

function painted(kind: LedgerKind, text: string, { colours }: CostStyle): string {
  return colours ? `\u001B[${PIECES[kind].colour}m${text}\u001B[39m` : text;
}

/**
 * A bar in pieces, as long as its share of the longest. Every piece begins where the one before it ends, so that rounding does not add up;
 * something that costs anything is never without a bar.
 */
function bar(kinds: Kinds, most: number, width: number, style: CostStyle): string {
  if (most <= 0) return ' '.repeat(width);
  const parts = LEDGER_KINDS.map((kind) => ({ kind, usd: Math.max(0, Number(kinds[kind] ?? 0)) }));
  const total = parts.reduce((sum, part) => sum + part.usd, 0);
  const length = total === 0 ? 0 : Math.max(1, Math.round((total / most) * width));
  let usd = 0;
  let drawn = 0;
  const pieces = parts.map((part) => {
    usd += part.usd;
    const end = total === 0 ? 0 : Math.round((usd / total) * length);
    const piece = PIECES[part.kind].glyph.repeat(end - drawn);
    drawn = end;
    return piece === '' ? '' : painted(part.kind, piece, style);
  });
  return pieces.join('') + ' '.repeat(width - length);
}

/** What a line is called. */
function nameOf(item: Item, by: CostsDocument['by']): string {
  if (item.name !== null) return clean(item.name);
  if (item.key !== null) return clean(item.key);
  switch (by) {
    case 'document':
      return item.tenantId === null ? 'nobody’s' : `deleted, of ${clean(item.tenantId)}`;
    case 'tenant':
      return 'nobody’s';
    case 'task':
      return NO_TASK;
    case 'day':
      return 'none';
    default:
      return by satisfies never;
  }
}

/** The picture, without a trailing newline. */
export function renderCosts(costs: CostsDocument, style: CostStyle): string {
  const { by, items, from, until, timezone, more, moreUsd, scope } = costs;
  const day = (at: string): string => new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format(Date.parse(at));
  const last = new Date(Date.parse(until) - 1).toISOString();
  const whose = scope === '*' ? '' : ` of ${clean(scope)}`;
  const head = `Costs${whose} ${day(from)} to ${day(last)} (${timezone}): ${usdText(costs.totalUsd)}`;
  if (Number(costs.totalUsd) === 0)
    return `${head}\nNothing was rented, or nothing is settled yet: what runs and what it costs is in \`deckhand fleet\`.`;
  const names = items.map((item) => cut(nameOf(item, by), MOST_NAME));
  const amounts = items.map(({ usd }) => usdText(usd));
  const nameWidth = Math.max(...names.map((name) => name.length));
  const amountWidth = Math.max(...amounts.map((amount) => amount.length));
  const shares = items.map(({ usd }) => shareText(Number(usd) / Number(costs.totalUsd)));
  const barWidth = Math.max(LEAST_BAR, Math.min(MOST_BAR, style.width - nameWidth - amountWidth - 16));
  const most = Math.max(...items.map(({ usd }) => Number(usd)));
  const lines = items.map((item, i) => {
    const cells = [
      (names[i] ?? '').padEnd(nameWidth),
      bar(item.kinds, most, barWidth, style),
      (amounts[i] ?? '').padStart(amountWidth),
      (shares[i] ?? '').padStart(7),
    ];
    return `  ${cells.join('  ')}`;
  });
  const rest = more === 0 ? [] : [`  … and ${more} more: ${usdText(moreUsd)}`];
  return [head, '', ...lines, ...rest, '', legend(costs.kinds, style)].join('\n');
}

/** What the pieces mean and come to, on as many lines as it takes. */
function legend(kinds: Kinds, style: CostStyle): string {
  const parts = LEDGER_KINDS.flatMap((kind) => {
    const usd = kinds[kind];
    if (usd === undefined) return [];
    const words = ` ${kind} ${usdText(usd)}`;
    // Colours take no place.
    return [{ text: `${painted(kind, PIECES[kind].glyph, style)}${words}`, length: 1 + words.length }];
  });
  const lines = [''];
  let columns = 0;
  for (const { text, length } of parts) {
    if (columns > 0 && columns + GAP.length + length > style.width - INDENT.length) {
      lines.push('');
      columns = 0;
    }
    lines.push(`${lines.pop() ?? ''}${columns === 0 ? INDENT : GAP}${text}`);
    columns += (columns === 0 ? 0 : GAP.length) + length;
  }
  return lines.join('\n');
}

/** The list of reports, without a trailing newline. */
export function renderReportList(reports: readonly CostReportLine[]): string {
  if (reports.length === 0)
    return 'There are no cost reports yet. Make one with: deckhand costs report --period yesterday';
  const rows = reports.map((r) => [
    r.kind,
    clean(r.period),
    usdText(r.totalUsd),
    r.complete ? '' : 'incomplete',
    `made ${r.updatedAt.slice(0, 16).replace('T', ' ')}`,
    r.id,
  ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map((row) =>
      row.map((cell, i) => (i === 2 ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0))).join('  '),
    )
    .join('\n');
}
