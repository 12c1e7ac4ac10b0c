/**
 * `deckhand schedules`: the schedules, their next times and last results; trigger, pause, resume and backfill one. `deckhand queries`: the usual
 * questions about all runs, as queries for the Temporal UI, with links where its address is known.
 */
import type { Command } from 'commander';
import type { ScheduleRequest } from '../../api/schedules/schemas.ts';
import { existsSync, readFileSync } from 'node:fs';
import { queryLink, type QueryValues, SAVED_QUERIES } from '../../domain/temporal/saved-queries.ts';
import { loadConfig, type Config } from '../../platform/config.ts';
import { readControlFile, runtimeFilePath, runtimeInfoSchema } from '../../platform/runtime-info.ts';
import { askApi } from '../api/open.ts';
import { renderSchedule, renderSchedules } from '../schedules/table.ts';
import { JSON_HELP, type JsonOption, printResult, printingCommand } from '../terminal/output.ts';

/** What can be asked of a schedule, with its help. */
const REQUESTS: Readonly<Record<ScheduleRequest, string>> = {
  trigger: 'run it once, now',
  pause: 'pause it until it is resumed, also over restarts',
  resume: 'resume it; runs that were due meanwhile are skipped',
};

export function registerSchedules(program: Command): void {
  const schedules = printingCommand(
    program,
    'schedules',
    'show schedules: next times, last results, missed runs',
  ).action(async (options: JsonOption) => {
    const { items } = await askApi('Reading the schedules', (client, signal) => client.GET('/schedules', { signal }));
    printResult(options, items, () => renderSchedules(items, Date.now()));
  });
  for (const [request, description] of Object.entries(REQUESTS) as [ScheduleRequest, string][]) {
    schedules
      .command(`${request} <id>`)
      .description(description)
      .option('--json', 'print the schedule as one JSON document')
      .action(async (id: string, _options: JsonOption, command: Command) => {
        const now = await askApi(`Asking the schedule to ${request}`, (client, signal) =>
          client.POST('/schedules/{id}/{request}', { params: { path: { id, request } }, signal }),
        );
        const { json } = command.optsWithGlobals<JsonOption>();
        printResult({ json }, now, () => renderSchedule(now, Date.now()));
      });
  }
  schedules
    .command('backfill <id>')
    .description('run what was due on some days; existing reports are made again')
    .requiredOption('--from <day>', 'first day on which something was due')
    .option('--to <day>', 'last day, included; the first one by default')
    .option('--json', 'print the schedule as one JSON document')
    .action(
      async (id: string, { from, to = from }: { readonly from: string; readonly to?: string }, command: Command) => {
        const now = await askApi('Asking for what was due', (client, signal) =>
          client.POST('/schedules/{id}/backfill', { params: { path: { id } }, body: { from, to }, signal }),
        );
        const { json } = command.optsWithGlobals<JsonOption>();
        printResult({ json }, now, () => `Backfilling ${id}: ${from} to ${to} (${now.timezone}).`);
      },
    );
}

interface QueriesOptions {
  readonly tenant?: string;
  readonly deck?: string;
  readonly pool?: string;
  readonly json?: boolean;
}

export function registerQueries(program: Command): void {
  program
    .command('queries')
    .description(
      'print queries for the Temporal UI: what failed today, what waits for capacity, runs of a tenant, deck or pool',
    )
    .option('--tenant <id>', 'tenant in the queries (default: default)')
    .option('--deck <id>', 'deck in the queries')
    .option('--pool <name>', 'pool in the queries')
    .option('--json', JSON_HELP)
    .action((options: QueriesOptions) => {
      const ui = runningTemporalUi(loadConfig());
      const values: QueryValues = {
        now: new Date(),
        tenant: options.tenant ?? 'default',
        deckId: options.deck ?? 'DECK',
        pool: options.pool ?? 'POOL',
      };
      const items = SAVED_QUERIES.map(({ name, question, query }) => {
        const text = query(values);
        return { name, question, query: text, url: ui === null ? null : queryLink(ui.url, ui.namespace, text) };
      });
      printResult(options, { items }, () =>
        items
          .map(
            ({ name, question, query, url }) => `${name}: ${question}\n  ${query}${url === null ? '' : `\n  ${url}`}\n`,
          )
          .join('\n'),
      );
    });
}
/** Address and namespace of the UI: the configured one, or the running runtime's; null where neither is known. */
function runningTemporalUi(config: Config): { readonly url: string; readonly namespace: string } | null {
  if (config.temporalUiUrl !== undefined) return { url: config.temporalUiUrl, namespace: config.temporalNamespace };
  const file = runtimeFilePath(config.home);
  if (readControlFile(config.home) === undefined || !existsSync(file)) return null;
  const info = runtimeInfoSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (!info.success || info.data.temporalUiUrl === null) return null;
  return { url: info.data.temporalUiUrl, namespace: info.data.temporalNamespace };
}
