/** Budgets as a person reads them in a terminal: a bar for each, of what is spent and what is reserved. */
import type { BudgetDocument, BudgetList } from '../../api/client.ts';
import { usdText } from '../../domain/text/words.ts';
import { clean, paint, type TerminalStyle, widthOf } from '../terminal/style.ts';

const LEAST_BAR = 10;
const MOST_BAR = 50;
/** Subjects shown of one budget; the others are counted. */
const SUBJECTS_SHOWN = 20;

const SPENT = '█';
const RESERVED = '▒';
const LEFT = '░';
/** Where the soft cap is. */
const SOFT = '┊';

const LEVELS = { open: 'green', soft: 'yellow', hard: 'red' } as const;

const PERIOD_WORDS: Readonly<Record<BudgetDocument['period'], string>> = {
  hour: 'per hour',
  day: 'per day',
  month: 'per month',
  document: 'per document',
};

/** Whose budget it is. */
function nameOf({ scope, tenant, period }: BudgetDocument): string {
  const whose =
    scope === 'installation' ? 'the installation' : scope === 'tenant' ? (tenant ?? 'each tenant') : 'each document';
  return scope === 'document' ? 'each document' : `${clean(whose)} ${PERIOD_WORDS[period]}`;
}

/** All budgets, without a trailing newline. */
export function renderBudgets({ items, held, timezone }: BudgetList, style: TerminalStyle): string {
  const budgets = items.map((budget) => renderBudget(budget, timezone, style));
  const none =
    'There are no budgets: nothing limits what is spent.\nSet one with: deckhand budgets set --scope installation --period month --soft 80 --hard 100';
  const stops = held.map(({ pool, reason }) => `${pool}: ${clean(reason)}`);
  return [...(budgets.length === 0 ? [none] : budgets), ...stops].join('\n\n');
}

function renderBudget(budget: BudgetDocument, timezone: string, style: TerminalStyle): string {
  const caps = [
    ...(budget.softUsd === null ? [] : [`soft ${usdText(budget.softUsd)}`]),
    ...(budget.hardUsd === null ? [] : [`hard ${usdText(budget.hardUsd)}`]),
  ];
  const { uses } = budget;
  const until = uses[0]?.until ?? null;
  const window = until === null ? '' : `, until ${localTime(until, timezone)}`;
  const lines = uses.slice(0, SUBJECTS_SHOWN).map((use) => renderUse(budget, use, style));
  const more = uses.length - lines.length;
  return [
    `${nameOf(budget)}  ${caps.join(', ')}${window}`,
    ...lines,
    ...(more > 0 ? [`  … and ${more} more`] : []),
  ].join('\n');
}

function renderUse(budget: BudgetDocument, use: BudgetDocument['uses'][number], style: TerminalStyle): string {
  const cap = Number(budget.hardUsd ?? budget.softUsd ?? 0);
  const reserved = Number(use.reservedUsd) === 0 ? '' : ` + ${usdText(use.reservedUsd)} reserved`;
  const figures = `${usdText(use.spentUsd)} spent${reserved}, ${usdText(use.leftUsd)} left`;
  const subject = budget.tenant === null && use.subject !== '*' ? `${clean(use.name ?? use.subject)} ` : '';
  const length = Math.max(LEAST_BAR, Math.min(MOST_BAR, style.width - widthOf(figures + subject) - 6));
  const share = (amount: number): number =>
    cap === 0 ? length : Math.min(length, Math.round((amount / cap) * length));
  const spent = share(Number(use.spentUsd));
  const claimed = Math.max(spent, share(Number(use.spentUsd) + Number(use.reservedUsd)));
  const softAt = budget.hardUsd === null || budget.softUsd === null ? -1 : share(Number(budget.softUsd));
  const bar = Array.from({ length }, (_, at) =>
    at === softAt && at >= claimed ? SOFT : at < spent ? SPENT : at < claimed ? RESERVED : LEFT,
  ).join('');
  const painted = paint(bar, LEVELS[use.level], style);
  return `  ${subject}${painted}  ${figures}`;
}

/** `2026-03-30 00:00 Europe/Berlin`. */
function localTime(at: string, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return `${parts.format(new Date(at))} ${timeZone}`;
}
