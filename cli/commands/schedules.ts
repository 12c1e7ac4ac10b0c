/**
 * `deckhand schedules`: what is done by the clock, when next, and what came of the last times; trigger, pause and resume one, and make up for days.
 */
import type { Command } from 'commander';
import type { ScheduleRequest } from '../../api/schedules/schemas.ts';
import { renderSchedule, renderSchedules } from '../costs/schedules.ts';
import { askApi } from '../fleet/selection-api.ts';

interface JsonOption {
  readonly json?: boolean;
}

/** What can be asked of a schedule, with its help. */
const REQUESTS: Readonly<Record<ScheduleRequest, string>> = {
  trigger: 'run it once, now',
  pause: 'have it rest until it is resumed, over restarts too',
  resume: 'let it go on; what was due meanwhile is not made up for',
};

/** Adds the command. */
export function registerSchedules(program: Command): void {
  const schedules = program
    .command('schedules')
    .description('show what is done by the clock: next times, last results, what was missed')
    .option('--json', 'print one JSON document and nothing else on stdout')
    .action(async (options: JsonOption) => {
      const all = await askApi('Reading the schedules', (client, signal) => client.schedules(signal));
      console.log(options.json === true ? JSON.stringify(all) : renderSchedules(all, Date.now()));
    });
  for (const [request, description] of Object.entries(REQUESTS) as [ScheduleRequest, string][]) {
    schedules
      .command(`${request} <id>`)
      .description(description)
      .option('--json', 'print the schedule as one JSON document')
      .action(async (id: string, _options: JsonOption, command: Command) => {
        const now = await askApi(`Asking the schedule to ${request}`, (client, signal) =>
          client.askSchedule(id, request, signal),
        );
        const { json } = command.optsWithGlobals<JsonOption>();
        console.log(json === true ? JSON.stringify(now) : renderSchedule(now, Date.now()));
      });
  }
  schedules
    .command('backfill <id>')
    .description('make up for what was due on some days; a report that is there is made again')
    .requiredOption('--from <day>', 'first day on which something was due')
    .option('--to <day>', 'last day, included; the first one by default')
    .option('--json', 'print the schedule as one JSON document')
    .action(
      async (id: string, { from, to = from }: { readonly from: string; readonly to?: string }, command: Command) => {
        const now = await askApi('Asking for what was due', (client, signal) =>
          client.backfillSchedule(id, { from, to }, signal),
        );
        const { json } = command.optsWithGlobals<JsonOption>();
        console.log(
          json === true ? JSON.stringify(now) : `Being made up for: ${from} to ${to} (${now.timezone}) of ${id}.`,
        );
      },
    );
  for (const command of schedules.commands) command.exitOverride();
}
