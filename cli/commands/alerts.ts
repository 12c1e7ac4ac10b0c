/**
 * `deckhand alerts`: open alerts, since when, and what to do; `deckhand alerts rules`: the alert rules, which can be changed.
 */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { RuleEdit } from '../../api/alerts/schemas.ts';
import { ALERT_METRIC_NAMES } from '../../domain/metrics/catalogue.ts';
import { type Comparison, COMPARISONS, SEVERITIES, type Severity } from '../../domain/alerts/rule.ts';
import { DeckhandError } from '../../domain/errors.ts';
import { renderAlert, renderAlerts, renderRule, renderRules } from '../alerts/tables.ts';
import { askRunning } from '../api/open.ts';
import { JSON_HELP, type JsonOption, printResult, printingCommand } from '../terminal/output.ts';

/** Most alerts the API gives at once. */
const MOST_ALERTS = 200;

/** Options of a rule. */
interface RuleOptions extends JsonOption {
  readonly raiseAt?: number;
  readonly clearAt?: number;
  readonly for?: number;
  readonly clearFor?: number;
  readonly window?: number;
  readonly comparison?: Comparison;
  readonly severity?: Severity;
  readonly enabled?: boolean;
  readonly title?: string;
  readonly advice?: string;
}

export function registerAlerts(program: Command): void {
  const alerts = program
    .command('alerts')
    .description('show open alerts, since when and what to do; show and change alert rules')
    .option('--all', 'also alerts that are over, newest first')
    .option('--limit <count>', `how many, up to ${MOST_ALERTS}`, alertCount, 50)
    .option('--json', JSON_HELP)
    .action(
      async ({ all = false, limit, ...options }: JsonOption & { readonly all?: boolean; readonly limit: number }) => {
        const page = await askRunning((client, signal) =>
          client.GET('/alerts', { params: { query: { all: all ? 'true' : 'false', limit } }, signal }),
        );
        printResult(options, page, (style) => renderAlerts(page, all, Date.now(), style));
      },
    );
  printingCommand(alerts, 'show <id>', 'show one alert').action(async (id: string, _: JsonOption, command: Command) => {
    const alert = await askRunning((client, signal) =>
      client.GET('/alerts/{id}', { params: { path: { id } }, signal }),
    );
    printResult(command.optsWithGlobals<JsonOption>(), alert, (style) => renderAlert(alert, Date.now(), style));
  });
  const rules = printingCommand(alerts, 'rules', 'show the rules').action(async (_: JsonOption, command: Command) => {
    const { items } = await askRunning((client, signal) => client.GET('/alert-rules', { signal }));
    printResult(command.optsWithGlobals<JsonOption>(), items, (style) => renderRules(items, style));
  });
  printingCommand(rules, 'show <id>', 'show one rule, its metric, and the readings of its last round').action(
    async (id: string, _: JsonOption, command: Command) => {
      const rule = await askRunning((client, signal) =>
        client.GET('/alert-rules/{id}', { params: { path: { id } }, signal }),
      );
      printResult(command.optsWithGlobals<JsonOption>(), rule, (style) => renderRule(rule, style));
    },
  );
  withRuleOptions(rules.command('set <id>').description('change a rule; the change applies from the next round'))
    .option('--enabled <yes|no>', 'switch it on or off', yesOrNo)
    .option('--title <text>', 'title of its alerts')
    .action(async (id: string, _: RuleOptions, command: Command) => {
      const options = command.optsWithGlobals<RuleOptions>();
      const edit = editOf(options);
      if (Object.values(edit).every((value) => value === undefined)) {
        throw new DeckhandError('usage', 'nothing to change', {
          userMessage: 'Name at least one value to change.',
          hint: 'For example: deckhand alerts rules set backlog-age --raise-at 900 --for 120',
        });
      }
      const rule = await askRunning((client, signal) =>
        client.PATCH('/alert-rules/{id}', { params: { path: { id } }, body: edit, signal }),
      );
      printResult(options, rule, (style) => renderRule(rule, style));
    });
  withRuleOptions(
    rules.command('add <id>').description('add a rule; several rules on one metric may have different thresholds'),
  )
    .addOption(new Option('--metric <name>', 'metric that it reads').choices(ALERT_METRIC_NAMES).makeOptionMandatory())
    .requiredOption('--title <text>', 'title of its alerts')
    .action(async (id: string, _: RuleOptions, command: Command) => {
      const options = command.optsWithGlobals<RuleOptions & { readonly metric: string; readonly title: string }>();
      const { raiseAt, ...edit } = editOf(options);
      if (raiseAt === undefined) {
        throw new DeckhandError('usage', 'no threshold', { userMessage: 'A rule needs --raise-at.' });
      }
      const { metric, title } = options;
      const rule = await askRunning((client, signal) =>
        client.POST('/alert-rules', { body: { ...edit, id, metric, title, raiseAt }, signal }),
      );
      printResult(options, rule, (style) => renderRule(rule, style));
    });
}

function withRuleOptions(command: Command): Command {
  return command
    .option('--raise-at <value>', 'raise at this value or beyond, in the unit of its metric (ratios as 0.05)', number)
    .option('--clear-at <value>', 'clear on the good side of this value; between the two nothing changes', number)
    .option('--for <seconds>', 'raise after the value was there for so long', wholeNumber)
    .option('--clear-for <seconds>', 'clear after the value was good for so long', wholeNumber)
    .option('--window <seconds>', 'time over which the metric is computed, where it has one', wholeNumber)
    .addOption(new Option('--comparison <side>', 'which side is bad').choices(COMPARISONS))
    .addOption(new Option('--severity <severity>', 'how bad it is').choices(SEVERITIES))
    .option('--advice <text>', 'what to do about it')
    .option('--json', 'print the rule as one JSON document');
}

/** The change; what is undefined is not sent. */
function editOf(options: RuleOptions): RuleEdit {
  const { raiseAt, clearAt, for: raiseForSec, clearFor: clearForSec, window: windowSec } = options;
  const { comparison, severity, enabled, title, advice } = options;
  return { raiseAt, clearAt, raiseForSec, clearForSec, windowSec, comparison, severity, enabled, title, advice };
}

function number(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('It is not a number.');
  return value;
}

function wholeNumber(text: string): number {
  const value = number(text);
  if (!Number.isInteger(value) || value < 0) throw new InvalidArgumentError('It is not a whole number from 0.');
  return value;
}

function alertCount(text: string): number {
  const value = wholeNumber(text);
  if (value < 1 || value > MOST_ALERTS) throw new InvalidArgumentError(`It is not from 1 to ${MOST_ALERTS}.`);
  return value;
}

function yesOrNo(text: string): boolean {
  if (text === 'yes' || text === 'true') return true;
  if (text === 'no' || text === 'false') return false;
  throw new InvalidArgumentError('Write yes or no.');
}
