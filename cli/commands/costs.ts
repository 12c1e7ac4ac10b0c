/**
 * `deckhand costs`: what a time cost, by day, task, document, analysis or tenant; `costs report` shows or makes the report of a period, `costs reports`
 * lists them, `costs forecast` shows what the coming days are expected to cost.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Command, Option } from 'commander';
import type { CostReportLine, CostsDocument, DeckhandClient } from '../../api/client.ts';
import { costReportSchema } from '../../domain/costs/report/document.ts';
import { asDeckhandError, DeckhandError } from '../../domain/errors.ts';
import { askApi } from '../api/open.ts';
import { renderForecast } from '../costs/forecast-text.ts';
import { renderCosts, renderReportList } from '../costs/report-text.ts';
import { JSON_HELP, printResult } from '../terminal/output.ts';

interface CostOptions {
  readonly from?: string;
  readonly to?: string;
  readonly by: CostsDocument['by'];
  readonly tenant?: string;
  readonly limit?: string;
  readonly json?: boolean;
  readonly csv?: boolean;
}

const REPORT_FORMATS = ['md', 'html', 'csv', 'json'] as const;

interface ReportOptions {
  readonly period: string;
  readonly again?: boolean;
  readonly format?: (typeof REPORT_FORMATS)[number];
  readonly out?: string;
  readonly tenant?: string;
  readonly json?: boolean;
  readonly csv?: boolean;
}

const SHOWN_REPORTS = 50;
const MOST_FORECAST_DAYS = 31;
/** Lines of a picture, and of a table: all that the API gives at once. */
const SHOWN_LINES = 40;
const TABLE_LINES = 10_000;
const PIPE_WIDTH = 100;

export function registerCosts(program: Command): void {
  const costs = program
    .command('costs')
    .description('show the costs of a period as a chart; make and list cost reports')
    .option('--from <day>', 'first day; the first of the month by default')
    .option('--to <day>', 'last day, included; today by default')
    .addOption(
      new Option('--by <what>', 'how costs are broken down')
        .choices(['day', 'task', 'document', 'analysis', 'tenant'])
        .default('day'),
    )
    .option('--tenant <slug>', 'only this tenant')
    .option('--limit <lines>', `only the most expensive lines; ${SHOWN_LINES} in the chart by default`)
    .option('--json', JSON_HELP)
    .option('--csv', 'print a table for spreadsheets')
    .action((options: CostOptions) => showCosts(options));
  costs
    .command('report')
    .description('show the report of a period; without one, it is made')
    .option(
      '--period <period>',
      '2026-03-29, 2026-W13, 2026-03, 2026-03-01/2026-03-15, yesterday, last-week, last-month, this-month',
      'yesterday',
    )
    .option('--again', 'make it again')
    .addOption(new Option('--format <format>', 'Markdown by default').choices(REPORT_FORMATS))
    .option('--out <file>', 'write it to a file')
    .option('--tenant <slug>', 'this tenant’s instead of the installation’s')
    .option('--json', 'print it as one JSON document')
    .option('--csv', 'print it as a table for spreadsheets')
    .action((_options: ReportOptions, command: Command) => {
      refuseOptions(
        costs,
        ['from', 'to', 'by', 'limit'],
        'Such as: deckhand costs report --period 2026-11-01/2026-11-15',
      );
      return showReport(command.optsWithGlobals<ReportOptions>());
    });
  costs
    .command('reports')
    .description(`list the last ${SHOWN_REPORTS} reports`)
    .option('--tenant <slug>', 'this tenant’s instead of the installation’s')
    .option('--json', JSON_HELP)
    .action(async (_options: unknown, command: Command) => {
      refuseOptions(costs, ['from', 'to', 'by', 'limit', 'csv'], 'The list takes --tenant and --json.');
      const { json, tenant } = command.optsWithGlobals<{ readonly json?: boolean; readonly tenant?: string }>();
      const page = await askApi('Reading the reports', (client, signal) =>
        client.GET('/costs/reports', { params: { query: { limit: SHOWN_REPORTS, tenant } }, signal }),
      );
      printResult({ json }, page.items, () => renderReportList(page.items));
    });
  registerForecast(costs);
}

/** Adds `costs forecast`. */
function registerForecast(costs: Command): void {
  costs
    .command('forecast')
    .description('show what the coming days are expected to bring and to cost, against the month’s budget')
    .option('--days <days>', 'days from today on, 31 at most', '7')
    .option('--json', JSON_HELP)
    .action(async ({ days }: { readonly days: string }, command: Command) => {
      refuseOptions(costs, ['from', 'to', 'by', 'tenant', 'limit', 'csv'], 'The forecast takes --days and --json.');
      const count = Number(days);
      if (!Number.isInteger(count) || count < 1 || count > MOST_FORECAST_DAYS)
        throw new DeckhandError('usage', `--days ${days} is not a number of days`, {
          hint: `From 1 to ${MOST_FORECAST_DAYS}, such as --days 14.`,
        });
      const { json } = command.optsWithGlobals<{ readonly json?: boolean }>();
      const forecast = await askApi('Reading the ledger', (client, signal) =>
        client.GET('/costs/forecast', { params: { query: { days: count } }, signal }),
      );
      printResult({ json }, forecast, () => renderForecast(forecast));
    });
}

/**
 * Commander accepts options of `costs` at its subcommands, too; those without a meaning there are refused.
 *
 * @throws DeckhandError `usage`
 */
function refuseOptions(costs: Command, names: readonly string[], hint: string): void {
  const given = names.find((name) => costs.getOptionValueSource(name) === 'cli');
  if (given !== undefined)
    throw new DeckhandError('usage', `--${given} is an option of \`deckhand costs\` only`, { hint });
}

async function showCosts({ json, csv, limit, ...asked }: CostOptions): Promise<void> {
  if (json === true && csv === true) {
    throw new DeckhandError('usage', '--json and --csv exclude each other', { hint: 'Leave one of them out.' });
  }
  // A chart has to fit the screen; output for programs is complete.
  const lines = Number(limit ?? (json === true || csv === true ? TABLE_LINES : SHOWN_LINES));
  if (!Number.isInteger(lines) || lines < 1) {
    throw new DeckhandError('usage', `--limit ${limit} is not a number of lines`, { hint: 'Such as --limit 100.' });
  }
  const query = { ...asked, limit: lines };
  if (csv === true) {
    const table = await askApi('Reading the ledger', (client, signal) =>
      client.text('/costs', { params: { query: { ...query, format: 'csv' } }, signal, parseAs: 'text' }),
    );
    process.stdout.write(table);
    return;
  }
  const costs = await askApi('Reading the ledger', (client, signal) =>
    client.GET('/costs', { params: { query: { ...query, format: 'json' } }, signal }),
  );
  printResult({ json }, costs, (style) => renderCosts(costs, style), PIPE_WIDTH);
}

async function showReport({ period, again, out, tenant, ...asked }: ReportOptions): Promise<void> {
  const form = formOf(asked);
  const text = await askApi('Making the report', async (client, signal) => {
    const { id } = await reportOf(client, { period, again: again === true, tenant }, signal);
    const params = { path: { id }, query: { format: form } };
    if (form !== 'json') return client.text('/costs/reports/{id}', { params, signal, parseAs: 'text' });
    return `${JSON.stringify(costReportSchema.parse(await client.GET('/costs/reports/{id}', { params, signal })))}\n`;
  });
  if (out === undefined) {
    process.stdout.write(text);
    return;
  }
  try {
    await writeFile(out, text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new DeckhandError('usage', `${out} cannot be written: ${why}`, {
      hint: 'Name a file in a folder that is there.',
      cause,
    });
  }
  console.error(`Written to ${path.resolve(out)}`);
}

/** Which form is asked for. @throws DeckhandError `usage` where several are */
function formOf({
  json,
  csv,
  format,
}: Pick<ReportOptions, 'json' | 'csv' | 'format'>): (typeof REPORT_FORMATS)[number] {
  const asked = new Set([
    ...(json === true ? (['json'] as const) : []),
    ...(csv === true ? (['csv'] as const) : []),
    ...(format === undefined ? [] : [format]),
  ]);
  const [form = 'md', other] = asked;
  if (other === undefined) return form;
  throw new DeckhandError('usage', `a report is either ${form} or ${other}`, { hint: 'Leave one of them out.' });
}

/** The report of a period, of a tenant or the installation. An analyst may read the own tenant's and make none. */
async function reportOf(
  client: DeckhandClient,
  { period, again, tenant }: { readonly period: string; readonly again: boolean; readonly tenant: string | undefined },
  signal: AbortSignal,
): Promise<CostReportLine> {
  const made = await madeReport(client, { period, again }, signal);
  if (made !== null && tenant === undefined) return made;
  // Reports are made for all tenants, under the name of the period (for `yesterday`, its date).
  const asked = { period: made?.period ?? period, tenant };
  const [found] = (await client.GET('/costs/reports', { params: { query: asked }, signal })).items;
  if (found !== undefined) return found;
  throw made === null
    ? new DeckhandError('not_found', `no report of ${period}, and an analyst cannot make one`, {
        userMessage: 'There is no report of this period yet, or this tenant has no costs in it.',
        hint: 'An operator makes it: deckhand costs report --period P',
      })
    : new DeckhandError('not_found', `no report of ${made.period} for ${tenant ?? 'the installation'}`, {
        userMessage: `This tenant has no costs in ${made.period}, so there is no report for it.`,
        hint: 'Costs by tenant: deckhand costs --by tenant',
      });
}

/** The installation's report of a period; null for an analyst. */
async function madeReport(
  client: DeckhandClient,
  asked: { readonly period: string; readonly again: boolean },
  signal: AbortSignal,
): Promise<CostReportLine | null> {
  try {
    return await client.POST('/costs/reports', { body: asked, signal });
  } catch (error) {
    if (asDeckhandError(error).code === 'forbidden') return null;
    throw error;
  }
}
