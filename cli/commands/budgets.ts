/**
 * `deckhand budgets`: what may be spent in an hour, a day, a month or on one document, and what was.
 */
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { BudgetList } from '../../api/client.ts';
import { BUDGET_PERIODS, BUDGET_SCOPES, type BudgetPeriod, type BudgetScope } from '../../domain/costs/budget/types.ts';
import { renderBudgets } from '../costs/budget-table.ts';
import { askApi } from '../fleet/selection-api.ts';
import { styleOfStdout } from '../terminal-style.ts';

interface NameOptions {
  readonly scope: BudgetScope;
  readonly period: BudgetPeriod;
  readonly tenant?: string;
  readonly json?: boolean;
}
interface SetOptions extends NameOptions {
  /** Null = the cap is taken away. */
  readonly soft?: string | null;
  readonly hard?: string | null;
}

const PIPE_WIDTH = 100;

/** Adds the command. */
export function registerBudgets(program: Command): void {
  const budgets = program
    .command('budgets')
    .description('what may be spent, and what is spent, reserved and left of it')
    .option('--json', 'print one JSON document and nothing else on stdout')
    .action(async (options: { json?: boolean }) =>
      print(options, await askApi('Reading the budgets', (client, signal) => client.budgets(signal))),
    );
  const named = (usage: string, description: string): Command =>
    budgets
      .command(usage)
      .description(description)
      .addOption(new Option('--scope <scope>', 'whose spending it caps').choices(BUDGET_SCOPES).default('installation'))
      .addOption(new Option('--period <period>', 'time it holds for').choices(BUDGET_PERIODS).makeOptionMandatory())
      .option('--tenant <slug>', 'with --scope tenant: this one only, instead of each one')
      .option('--json', 'print one JSON document and nothing else on stdout');

  named('set', 'set the caps of a budget; one that is not named stays, "none" takes it away. It holds at once')
    .option('--soft <usd>', 'above it, machines are bought for work of priority 1 and 2 only', amountOf)
    .option('--hard <usd>', 'from here on nothing is bought; what runs finishes its calls and sleeps', amountOf)
    .action(async (options: SetOptions) => {
      const { soft, hard } = options;
      const caps = {
        ...(soft === undefined ? {} : { softUsd: soft }),
        ...(hard === undefined ? {} : { hardUsd: hard }),
      };
      const all = await askApi('Setting the budget', (client, signal) =>
        client.setBudget({ ...nameOf(options), ...caps }, signal),
      );
      print(withGlobals(budgets, options), all);
    });
  named('remove', 'remove a budget').action(async (options: NameOptions) => {
    const all = await askApi('Removing the budget', (client, signal) => client.removeBudget(nameOf(options), signal));
    print(withGlobals(budgets, options), all);
  });
  for (const command of budgets.commands) command.exitOverride();
}

const nameOf = ({ scope, period, tenant }: NameOptions) => ({
  scope,
  period,
  ...(tenant === undefined ? {} : { tenant }),
});

/** `$12.50` and `12.50` are the same; `none` = no cap. */
function amountOf(text: string): string | null {
  if (text.trim().toLowerCase() === 'none') return null;
  const amount = text.trim().replace(/^\$/u, '');
  if (!/^\d{1,11}(?:\.\d{1,6})?$/u.test(amount))
    throw new InvalidArgumentError('It is no amount in USD such as 12.50, nor "none".');
  return amount;
}

/** `--json` may stand before the word that says what to do. */
const withGlobals = (parent: Command, options: NameOptions): { readonly json?: boolean } => ({
  json: options.json === true || parent.opts<{ json?: boolean }>().json === true,
});

function print({ json }: { readonly json?: boolean }, all: BudgetList): void {
  if (json === true) return console.log(JSON.stringify(all));
  console.log(renderBudgets(all, styleOfStdout(PIPE_WIDTH)));
}
