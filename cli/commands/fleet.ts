/**
 * `deckhand fleet`: pools, instances, their states, reasons and cost so far; `deckhand fleet cordon|… NAME` asks something of an instance.
 */
import type { Command } from 'commander';
import type { ReapReportDocument } from '../../api/client.ts';
import { clientOf } from '../../api/client/home-client.ts';
import type { OperatorRequest } from '../../domain/fleet/pool/pool-state.ts';
import { DeckhandError } from '../../domain/errors.ts';
import { loadConfig } from '../../platform/config.ts';
import { runningApiUrl } from '../../platform/runtime-info.ts';
import { endOnSignal } from '../../platform/signals.ts';
import { askApi, askRunning } from '../api/open.ts';
import { exitCodeOfError } from '../decks/follow.ts';
import { liftedWords, renderFleet, renderInstance } from '../fleet/fleet-table.ts';
import { poolLogText } from '../fleet/pool-log.ts';
import { holdersText, unansweredLines, volumeTable } from '../fleet/volume-table.ts';
import { watchFleet } from '../fleet/fleet-watch.ts';
import { healthOfAll, healthOfOne } from '../health/health-table.ts';
import { JSON_HELP, printResult, printingCommand } from '../terminal/output.ts';
import { styleOfStdout } from '../terminal/style.ts';
import { tableLines } from '../terminal/table.ts';

interface FleetOptions {
  readonly watch?: boolean;
  readonly json?: boolean;
}

interface HealthOptions {
  readonly samples: string;
}

interface LogsOptions {
  readonly minutes: string;
  readonly lines: string;
}

/** Most samples that are shown at once. */
const MOST_SAMPLES = 2000;
const MOST_LOG_MINUTES = 7 * 24 * 60;
const MOST_LOG_LINES = 1000;

/** @throws DeckhandError `usage` for what is no such number */
function wholeNumber(option: string, text: string, most: number): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= most) return count;
  throw new DeckhandError('usage', `${option} ${text}: must be a whole number from 1 to ${most}`);
}

/** Requests to an instance, with their help. */
const REQUESTS: Readonly<Record<OperatorRequest, string>> = {
  cordon: 'give it no new calls; those in flight finish. It stays cordoned until uncordoned',
  uncordon: 'let it take calls again',
  drain: 'cordon it, and suspend it once its calls are done. It stays suspended until woken',
  wake: 'wake it, and cancel earlier requests',
  suspend: 'suspend it when its calls are done; work wakes it again',
  destroy: 'destroy it when its calls are done; for new work another one is created',
};

export function registerFleet(program: Command): void {
  const fleet = program
    .command('fleet')
    .description('show pools and instances: states, reasons, cost so far; control an instance')
    .option('--watch', 'refresh until Ctrl-C')
    .option('--json', 'print one JSON document (with --watch: one per line) and nothing else on stdout')
    .action((options: FleetOptions) => show(options));
  printingCommand(fleet, 'show <name>', 'show one instance with its history').action(
    async (name: string, _options: FleetOptions, command: Command) => {
      const instance = await askRunning((client, signal) =>
        client.GET('/fleet/instances/{name}', { params: { path: { name } }, signal }),
      );
      printResult(command.optsWithGlobals<FleetOptions>(), instance, (style) => renderInstance(instance, style));
    },
  );
  fleet
    .command('health [name]')
    .description('show how healthy the instances are, or one of them over time')
    .option('--samples <count>', 'samples to look back over (of one instance)', '720')
    .option('--json', JSON_HELP)
    .action(async (name: string | undefined, options: HealthOptions, command: Command) => {
      const asJson = command.optsWithGlobals<FleetOptions>();
      const { width } = styleOfStdout();
      if (name === undefined) {
        const all = await askRunning((client, signal) => client.GET('/fleet', { signal }));
        const instances = all.pools.flatMap((pool) => pool.instances);
        const document = instances.map(({ name: each, pool, phase, health }) => ({ name: each, pool, phase, health }));
        return printResult(asJson, document, () => healthOfAll(all, width));
      }
      const one = await askRunning((client, signal) =>
        client.GET('/fleet/instances/{name}/health', {
          params: { path: { name }, query: { limit: wholeNumber('--samples', options.samples, MOST_SAMPLES) } },
          signal,
        }),
      );
      return printResult(asJson, one, () => healthOfOne(one, width));
    });
  fleet
    .command('logs <pool>')
    .description('show what the deployment of an endpoint pool has logged, the newest line last')
    .option('--minutes <number>', 'how far to look back, at most 7 days', '60')
    .option('--lines <count>', 'most lines, at most 1000', '200')
    .option('--json', JSON_HELP)
    .action(async (pool: string, options: LogsOptions, command: Command) => {
      const query = {
        minutes: wholeNumber('--minutes', options.minutes, MOST_LOG_MINUTES),
        limit: wholeNumber('--lines', options.lines, MOST_LOG_LINES),
      };
      const logs = await askRunning((client, signal) =>
        client.GET('/fleet/pools/{pool}/logs', { params: { path: { pool }, query }, signal }),
      );
      printResult(command.optsWithGlobals<FleetOptions>(), logs, () => poolLogText(logs));
    });
  fleet
    .command('unblock [scope]')
    .description(
      'lift what is blocked after a refusal, for example when a quota was raised; without a scope everything',
    )
    .option('--json', 'print the lifted blocks as one JSON document')
    .action(async (scope: string | undefined, _options: FleetOptions, command: Command) => {
      const lifted = await askRunning((client, signal) =>
        client.DELETE('/fleet/blocks', { params: { query: { scope } }, signal }),
      );
      printResult(command.optsWithGlobals<FleetOptions>(), lifted, () => liftedWords(lifted));
    });
  printingCommand(
    fleet,
    'volumes',
    'list the volumes in the accounts: whose they are, and what they are attached to',
  ).action(async (_options: FleetOptions, command: Command) => {
    const { items, unanswered } = await askRunning((client, signal) => client.GET('/fleet/volumes', { signal }));
    printResult(command.optsWithGlobals<FleetOptions>(), items, () => volumeTable(items));
    for (const line of unansweredLines(unanswered)) console.error(line);
    if (unanswered.length > 0) process.exitCode = exitCodeOfError('provider_transient');
  });
  printingCommand(
    fleet,
    'attach <volume> <instance>',
    'attach a data volume that the fleet file names ("dataVolumes") to an instance of its location',
  ).action(async (volume: string, instance: string, _options: FleetOptions, command: Command) => {
    const now = await askRunning((client, signal) =>
      client.POST('/fleet/volumes/attach', { body: { volume, instance }, signal }),
    );
    printResult(
      command.optsWithGlobals<FleetOptions>(),
      now,
      () => `Volume ${volume} is being attached to ${instance} (${now.status}).`,
    );
  });
  printingCommand(
    fleet,
    'detach <volume> [instance]',
    'detach a data volume from its instance; a shared one from the instance that is named',
  ).action(async (volume: string, instance: string | undefined, _options: FleetOptions, command: Command) => {
    const now = await askRunning((client, signal) =>
      client.POST('/fleet/volumes/detach', { body: { volume, instance: instance ?? null }, signal }),
    );
    printResult(command.optsWithGlobals<FleetOptions>(), now, () => {
      const rest = holdersText(now);
      return rest === '' ? `Volume ${volume} is ${now.status}.` : `Volume ${volume} is still attached to ${rest}.`;
    });
  });
  for (const [request, description] of Object.entries(REQUESTS) as [OperatorRequest, string][]) {
    fleet
      .command(`${request} <name>`)
      .description(description)
      .option('--json', 'print the instance as one JSON document')
      .action(async (name: string, _options: FleetOptions, command: Command) => {
        const instance = await askRunning((client, signal) =>
          client.POST('/fleet/instances/{name}/{request}', { params: { path: { name, request } }, signal }),
        );
        printResult(
          command.optsWithGlobals<FleetOptions>(),
          instance,
          () => `Asked pool ${instance.pool} to ${request} ${name} (now ${instance.phase}).`,
        );
      });
  }
}

async function show(options: FleetOptions): Promise<void> {
  const config = loadConfig();
  const client = clientOf(config, runningApiUrl(config));
  const signal = endOnSignal();
  if (options.watch === true) {
    const asJson = options.json === true;
    await watchFleet(
      client,
      (fleet) => (asJson ? JSON.stringify(fleet) : renderFleet(fleet, styleOfStdout())),
      { isTTY: process.stdout.isTTY && !asJson, write: (text) => void process.stdout.write(text) },
      signal,
    );
    return;
  }
  const fleet = await client.GET('/fleet', { signal });
  printResult(options, fleet, (style) => renderFleet(fleet, style));
}

interface ReapOptions {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function registerReap(program: Command): void {
  program
    .command('reap')
    .description(
      'remove machines, disks, deployments, scripts and keys of this installation that have no owner any more',
    )
    .option('--dry-run', 'only report what would be removed')
    .option('--json', JSON_HELP)
    .action(async (options: ReapOptions) => {
      const report = await askApi(
        'Looking through the account',
        (client, signal) =>
          client.POST('/fleet/reap', {
            params: { query: { dryRun: options.dryRun === true ? 'true' : 'false' } },
            signal,
          }),
        { mayRent: true },
      );
      printResult(options, report, () => describeReport(report));
    });
}

/** The disks that are removed with a machine. */
const disksOf = (ids: readonly string[]): string =>
  ids.length === 0 ? '' : `; with ${ids.length === 1 ? 'disk' : 'disks'} ${ids.join(', ')}`;

/** The report for people: one line per thing, then what was left alone. */
function describeReport(report: ReapReportDocument): string {
  type Row = readonly string[];
  const row = (what: string, resource: ReapReportDocument['quarantined'][number]['resource'], why: string): Row => [
    what,
    resource.kind,
    `${resource.name} (${resource.resourceId}): ${why}`,
  ];
  const gone = report.reaped.map((v) => {
    const what = report.dryRun ? 'would be removed' : v.removed ? 'removed' : 'refused';
    return row(what, v.resource, `${v.message ?? v.reason}${disksOf(v.disksToo)}`);
  });
  const waiting = report.quarantined.map((v) => row('quarantine', v.resource, v.reason));
  const lost = report.lost.map((l): Row => ['lost', 'instance', `${l.name}: ${l.reason}`]);
  const silent = report.unanswered.map((u): Row => ['not looked at', 'provider', `${u.provider}: ${u.message}`]);
  const rest = `${report.kept} of ours have an owner; ${report.foreign} of others were not looked at.`;
  const lines = tableLines([...gone, ...waiting, ...lost, ...silent]);
  return [...(lines.length === 0 ? ['Everything has an owner.'] : lines), rest].join('\n');
}
