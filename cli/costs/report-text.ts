/**
 * Costs as a person reads them in a terminal: a bar for each line, in pieces for what the time was spent on.
 */
import type { CostReportLine, CostsDocument } from '../../api/client.ts';
import { LEDGER_KINDS, type LedgerKind } from '../../domain/costs/ledger/facts.ts';
import { NO_TASK, shareText } from '../../domain/costs/report/words.ts';
import { usdText } from '../../domain/text/words.ts';
import { clean, cut, minute, pad, paint, type TerminalStyle, type TextFormat, widthOf } from '../terminal/style.ts';
import { table, tableLines } from '../terminal/table.ts';

/** A kind's piece of a bar: told apart without colours too. */
const PIECES: Readonly<Record<LedgerKind, { readonly glyph: string; readonly colour: TextFormat }>> = {
  busy: { glyph: '█', colour: 'green' },
  load: { glyph: '▓', colour: 'magenta' },
  boot: { glyph: '▒', colour: 'yellow' },
  idle: { glyph: '░', colour: 'gray' },
  drain: { glyph: '▚', colour: 'cyan' },
  failed: { glyph: '×', colour: 'red' },
  orphan: { glyph: '?', colour: 'redBright' },
  storage: { glyph: '≡', colour: 'blue' },
  suspended: { glyph: '·', colour: 'gray' },
  unused: { glyph: '▁', colour: 'yellow' },
};

const LEAST_BAR = 12;
const MOST_BAR = 60;
const MOST_NAME = 44;
const INDENT = '  ';
const GAP = '   ';

type Kinds = CostsDocument['kinds'];
type Item = CostsDocument['items'][number];

const painted = (kind: LedgerKind, text: string, style: TerminalStyle): string =>
  paint(text, PIECES[kind].colour, style);

/**
 * A bar in pieces, as long as its share of the longest. Every piece begins where the one before it ends, so that rounding does not add up;
 * something that costs anything is never without a bar.
 */
function bar(kinds: Kinds, most: number, width: number, style: TerminalStyle): string {
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
    return painted(part.kind, piece, style);
  });
  return pieces.join('') + ' '.repeat(width - length);
}

/** What a line is called. */
function nameOf(item: Item, by: CostsDocument['by']): string {
  if (item.name !== null) return clean(item.name);
  if (item.key !== null) return clean(item.key);
  switch (by) {
    case 'document':
    case 'analysis':
      return item.tenantId === null ? 'no owner' : `deleted, of ${clean(item.tenantId)}`;
    case 'tenant':
      return 'no owner';
    case 'task':
      return NO_TASK;
    case 'day':
      return 'none';
    default:
      return by satisfies never;
  }
}

/** The picture, without a trailing newline. */
export function renderCosts(costs: CostsDocument, style: TerminalStyle): string {
  const { by, items, from, until, timezone, more, moreUsd, scope } = costs;
  const day = (at: string): string => new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format(Date.parse(at));
  const last = new Date(Date.parse(until) - 1).toISOString();
  const whose = scope === '*' ? '' : ` of ${clean(scope)}`;
  const head = `Costs${whose} ${day(from)} to ${day(last)} (${timezone}): ${usdText(costs.totalUsd)}`;
  if (Number(costs.totalUsd) === 0)
    return `${head}\nNothing was rented, or nothing is settled yet: what runs and what it costs is in \`deckhand fleet\`.`;
  const names = items.map((item) => cut(nameOf(item, by), MOST_NAME));
  const amounts = items.map(({ usd }) => usdText(usd));
  const shares = items.map(({ usd }) => shareText(Number(usd) / Number(costs.totalUsd)));
  const widest = (texts: readonly string[]): number => Math.max(...texts.map(widthOf));
  const barWidth = Math.max(LEAST_BAR, Math.min(MOST_BAR, style.width - widest(names) - widest(amounts) - 16));
  const most = Math.max(...items.map(({ usd }) => Number(usd)));
  const rows = items.map((item, i) => [
    names[i] ?? '',
    bar(item.kinds, most, barWidth, style),
    amounts[i] ?? '',
    pad(shares[i] ?? '', 7, 'left'),
  ]);
  const lines = tableLines(rows, { indent: INDENT, right: [2, 3] });
  const rest = more === 0 ? [] : [`  … and ${more} more: ${usdText(moreUsd)}`];
  return [head, '', ...lines, ...rest, '', legend(costs.kinds, style)].join('\n');
}

/** Legend of the pieces with their sums, on as many lines as it takes. */
function legend(kinds: Kinds, style: TerminalStyle): string {
  const parts = LEDGER_KINDS.flatMap((kind) => {
    const usd = kinds[kind];
    if (usd === undefined) return [];
    return [`${painted(kind, PIECES[kind].glyph, style)} ${kind} ${usdText(usd)}`];
  });
  const lines = [''];
  let columns = 0;
  for (const text of parts) {
    const length = widthOf(text);
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
    `made ${minute(r.updatedAt)}`,
    r.id,
  ]);
  return table(rows, { right: [2] });
}
