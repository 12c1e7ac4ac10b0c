/**
 * `deckhand budgets`: what may be spent in an hour, a day, a month or on one document, and what is spent.
 */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { BUDGET_PERIODS, BUDGET_SCOPES, type BudgetPeriod, type BudgetScope } from '../../domain/costs/budget/types.ts';
import { askApi } from '../api/open.ts';
import { renderBudgets } from '../costs/budget-table.ts';
import { JSON_HELP, type JsonOption, printResult, printingCommand } from '../terminal/output.ts';

interface NameOptions extends JsonOption {
  readonly scope: BudgetScope;
  readonly period: BudgetPeriod;
  readonly tenant?: string;
}
interface SetOptions extends NameOptions {
  /** Null = the cap is removed. */
  readonly soft?: string | null;
  readonly hard?: string | null;
}

const PIPE_WIDTH = 100;

export function registerBudgets(program: Command): void {
  const budgets = printingCommand(program, 'budgets', 'show budgets with the amounts spent, reserved and left').action(
    async (options: JsonOption) => {
      const all = await askApi('Reading the budgets', (client, signal) => client.GET('/budgets', { signal }));
      printResult(options, all, (style) => renderBudgets(all, style), PIPE_WIDTH);
    },
  );
  const named = (usage: string, description: string): Command =>
    budgets
      .command(usage)
      .description(description)
      .addOption(new Option('--scope <scope>', 'whose spending it caps').choices(BUDGET_SCOPES).default('installation'))
      .addOption(new Option('--period <period>', 'period it applies to').choices(BUDGET_PERIODS).makeOptionMandatory())
      .option('--tenant <slug>', 'with --scope tenant: this one only, instead of each one')
      .option('--json', JSON_HELP);

  named('set', 'set the caps of a budget; a cap that is not named stays, "none" removes it. It applies at once')
    .option('--soft <usd>', 'above it, machines are bought for work of priority 1 and 2 only', amountOf)
    .option('--hard <usd>', 'at it, nothing is bought; running machines finish their calls and are suspended', amountOf)
    .action(async (options: SetOptions, command: Command) => {
      const caps = { softUsd: options.soft, hardUsd: options.hard };
      const all = await askApi('Setting the budget', (client, signal) =>
        client.PUT('/budgets', { body: { ...nameOf(options), ...caps }, signal }),
      );
      printResult(command.optsWithGlobals<JsonOption>(), all, (style) => renderBudgets(all, style), PIPE_WIDTH);
    });
  named('remove', 'remove a budget').action(async (options: NameOptions, command: Command) => {
    const all = await askApi('Removing the budget', (client, signal) =>
      client.DELETE('/budgets', { params: { query: nameOf(options) }, signal }),
    );
    printResult(command.optsWithGlobals<JsonOption>(), all, (style) => renderBudgets(all, style), PIPE_WIDTH);
  });
}

const nameOf = ({ scope, period, tenant }: NameOptions) => ({ scope, period, tenant });

/** `$12.50` and `12.50` are the same; `none` = no cap. */
function amountOf(text: string): string | null {
  if (text.trim().toLowerCase() === 'none') return null;
  const amount = text.trim().replace(/^\$/u, '');
  if (!/^\d{1,11}(?:\.\d{1,6})?$/u.test(amount))
    throw new InvalidArgumentError('It is no amount in USD such as 12.50, nor "none".');
  return amount;
}
