/**
 * `deckhand costs`: what a time cost, by day, task, document or tenant; `costs report` shows or makes the report of a period, `costs reports`
 * lists them.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Option, type Command } from 'commander';
import type { CostReportLine, CostsQuery, DeckhandClient } from '../../api/client.ts';
import { asDeckhandError, DeckhandError } from '../../domain/errors.ts';
import { renderCosts, renderReportList } from '../costs/terminal.ts';
import { askApi } from '../fleet/selection-api.ts';

interface CostOptions {
  readonly from?: string;
  readonly to?: string;
  readonly by: NonNullable<CostsQuery['by']>;
  readonly tenant?: string;
  readonly limit: string;
  readonly json?: boolean;
  readonly csv?: boolean;
}

const REPORT_FORMATS = ['md', 'html', 'csv', 'json'] as const;

interface ReportOptions {
  readonly period: string;
  readonly again?: boolean;
  readonly format?: (typeof REPORT_FORMATS)[number];
  readonly out?: string;
  readonly json?: boolean;
}

const SHOWN_REPORTS = 50;
/** Terminals of which nothing is known. */
const USUAL_WIDTH = 100;

/** Adds the command. */
export function registerCosts(program: Command): void {
  const costs = program
    .command('costs')
    .description('show what a time cost, as a picture; make and list cost reports')
    .option('--from <day>', 'first day; the first of the month by default')
    .option('--to <day>', 'last day, included; today by default')
    .addOption(
      new Option('--by <what>', 'what costs are taken apart by')
        .choices(['day', 'task', 'document', 'tenant'])
        .default('day'),
    )
    .option('--tenant <slug>', 'only what is this tenant’s')
    .option('--limit <lines>', 'lines at most; the most expensive are shown', '40')
    .option('--json', 'print one JSON document and nothing else on stdout')
    .option('--csv', 'print a table for spreadsheets')
    .action((options: CostOptions) => showCosts(options));
  costs
    .command('report')
    .description('show the report of a period; it is made when there is none')
    .option(
      '--period <period>',
      '2026-03-29, 2026-W13, 2026-03, 2026-03-01/2026-03-15, yesterday, last-week, last-month',
      'yesterday',
    )
    .option('--again', 'make it again')
    .addOption(new Option('--format <format>', 'Markdown by default').choices(REPORT_FORMATS))
    .option('--out <file>', 'write it to a file')
    .option('--json', 'print it as one JSON document')
    .action((_options: ReportOptions, command: Command) => showReport(command.optsWithGlobals<ReportOptions>()));
  costs
    .command('reports')
    .description(`list the last ${SHOWN_REPORTS} reports`)
    .option('--json', 'print one JSON document and nothing else on stdout')
    .action(async (_options: unknown, command: Command) => {
      const { json, tenant } = command.optsWithGlobals<{ readonly json?: boolean; readonly tenant?: string }>();
      const page = await askApi('Reading the reports', (client, signal) =>
        client.costReports({ limit: SHOWN_REPORTS, ...(tenant === undefined ? {} : { tenant }) }, signal),
      );
      console.log(json === true ? JSON.stringify(page.items) : renderReportList(page.items));
    });
  for (const command of costs.commands) command.exitOverride();
}

async function showCosts({ json, csv, limit, ...asked }: CostOptions): Promise<void> {
  if (json === true && csv === true) {
    throw new DeckhandError('usage', '--json and --csv exclude each other', { hint: 'Leave one of them out.' });
  }
  const lines = Number(limit);
  if (!Number.isInteger(lines) || lines < 1) {
    throw new DeckhandError('usage', `--limit ${limit} is no number of lines`, { hint: 'Such as --limit 100.' });
  }
  const query = { ...asked, limit: lines };
  if (csv === true) {
    const table = await askApi('Reading the ledger', (client, signal) => client.costsCsv(query, signal));
    process.stdout.write(table);
    return;
  }
  const costs = await askApi('Reading the ledger', (client, signal) => client.costs(query, signal));
  const { isTTY, columns } = process.stdout;
  console.log(
    json === true ? JSON.stringify(costs) : renderCosts(costs, { colours: isTTY, width: columns ?? USUAL_WIDTH }),
  );
}

async function showReport({ period, again, format, out, json }: ReportOptions): Promise<void> {
  if (json === true && format !== undefined && format !== 'json') {
    throw new DeckhandError('usage', `--json and --format ${format} exclude each other`, {
      hint: 'Leave one of them out.',
    });
  }
  const form = json === true ? 'json' : (format ?? 'md');
  const text = await askApi('Making the report', async (client, signal) => {
    const { id } = await reportOf(client, { period, again: again === true }, signal);
    return form === 'json'
      ? `${JSON.stringify(await client.costReport(id, signal))}\n`
      : client.costReportText(id, form, signal);
  });
  if (out === undefined) {
    process.stdout.write(text);
    return;
  }
  await writeFile(out, text);
  console.error(`Written to ${path.resolve(out)}`);
}

/** The report of a period. An analyst may read the own tenant's and make none. */
async function reportOf(
  client: DeckhandClient,
  asked: { readonly period: string; readonly again: boolean },
  signal: AbortSignal,
): Promise<CostReportLine> {
  try {
    return await client.makeCostReport(asked, signal);
  } catch (error) {
    if (asDeckhandError(error).code !== 'forbidden') throw error;
    const { items } = await client.costReports({ period: asked.period }, signal);
    const [own] = items;
    if (own !== undefined) return own;
    throw new DeckhandError('not_found', `no report of ${asked.period}, and an analyst makes none`, {
      userMessage: 'There is no report of this period yet.',
      hint: 'An operator makes it: deckhand costs report --period P',
      cause: error,
    });
  }
}
