/**
 * `deckhand watch DIR`: takes jobs out of a drop folder and puts results into it, until Ctrl-C. `--check`, `--status` and `--systemd` look at the
 * folder, tell what is in it, and print the unit of a service that does the same.
 */
import { resolve } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';
import type { DeckhandClient } from '../../api/client.ts';
import { DeckhandError } from '../../domain/errors.ts';
import type { Config } from '../../platform/config.ts';
import { loadConfig } from '../../platform/config.ts';
import { clientOf } from '../api-client.ts';
import { runningApiUrl } from '../fleet/running-api.ts';
import { endOnSignal } from '../signals.ts';
import { jsonLineOf, lineOf } from '../../drop-folder/events.ts';
import type { WatchSettings } from '../../drop-folder/settings.ts';
import { WATCH_DEFAULTS } from '../../drop-folder/settings.ts';

interface WatchOptions {
  readonly concurrency: number;
  readonly retainDays: number;
  readonly root: readonly string[];
  readonly requireMount?: boolean;
  readonly leaseSeconds: number;
  readonly pollSeconds: number;
  readonly settleSeconds: number;
  readonly jobWaitSeconds: number;
  readonly fileWaitSeconds: number;
  readonly api?: string;
  readonly check?: boolean;
  readonly status?: boolean;
  readonly systemd?: boolean;
  readonly user: string;
  readonly environmentFile: string;
  readonly json?: boolean;
}

function numberFrom(least: number, whole: boolean): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() !== '' && value >= least && Number.isFinite(value) && (!whole || Number.isInteger(value)))
      return value;
    throw new InvalidArgumentError(`has to be a ${whole ? 'whole ' : ''}number of at least ${least}.`);
  };
}

const amount = (flags: string, description: string, value: number, least: number, whole = false): Option =>
  new Option(flags, description).default(value).argParser(numberFrom(least, whole));

/** Adds the command. */
export function registerWatch(program: Command): void {
  const defaults = WATCH_DEFAULTS;
  program
    .command('watch')
    .description('take jobs out of a drop folder and put results into it, until Ctrl-C')
    .argument('[dir]', 'the drop folder; by default DECKHAND_DROP_DIR')
    .addOption(amount('--concurrency <n>', 'open analyses at a time', defaults.concurrency, 1, true))
    .addOption(amount('--retain-days <n>', 'days that done jobs stay in the archive', defaults.retainDays, 0, true))
    .option('--root <dir>', 'further folder in which PDFs may be; may be repeated', collect, [])
    .option('--require-mount', 'refuse a folder that is on the machine’s own file system')
    .addOption(amount('--lease-seconds <n>', 'silence after which others take over', defaults.leaseSeconds, 0.5))
    .addOption(amount('--poll-seconds <n>', 'time between two looks', defaults.pollSeconds, 0.05))
    .addOption(amount('--settle-seconds <n>', 'a PDF unchanged for so long is whole', defaults.settleSeconds, 0))
    .addOption(amount('--job-wait-seconds <n>', 'patience with half a job file', defaults.jobWaitSeconds, 0))
    .addOption(amount('--file-wait-seconds <n>', 'patience with a missing or half PDF', defaults.fileWaitSeconds, 0))
    .option('--api <url>', 'the API to use; by default DECKHAND_API_URL, or the one of this data directory')
    .addOption(new Option('--check', 'test folder, file system, API and key, and end').conflicts(['status', 'systemd']))
    .addOption(new Option('--status', 'tell what is in the folder, and end').conflicts(['check', 'systemd']))
    .addOption(new Option('--systemd', 'print a systemd unit with these settings, and end'))
    .option('--user <name>', 'with --systemd: user of the service', 'deckhand')
    .option('--environment-file <path>', 'with --systemd: file with the API key', '/etc/deckhand/watch.env')
    .option('--json', 'print JSON on stdout: one line per event; with --check, --status one document')
    .action(async (dir: string | undefined, options: WatchOptions) => {
      const config = loadConfig();
      const directory = dir ?? config.dropDir;
      if (directory === undefined) {
        throw new DeckhandError('usage', 'no drop folder is named', {
          hint: 'Name it: deckhand watch DIR, or set DECKHAND_DROP_DIR.',
        });
      }
      if (options.check === true) process.exitCode = await check(directory, options, config);
      else if (options.status === true) await tellStatus(directory, options, config);
      else if (options.systemd === true) await printUnit(directory, options, config);
      else await watch(directory, options, config);
    });
}

const collect = (value: string, previous: readonly string[]): readonly string[] => [...previous, value];

function settingsOf(options: WatchOptions, config: Config): WatchSettings {
  return {
    concurrency: options.concurrency,
    leaseSeconds: options.leaseSeconds,
    pollMs: options.pollSeconds * 1000,
    retainDays: options.retainDays,
    roots: options.root,
    maxUploadBytes: config.maxUploadBytes,
    patience: {
      settleMs: options.settleSeconds * 1000,
      unreadableMs: options.jobWaitSeconds * 1000,
      fileMs: options.fileWaitSeconds * 1000,
    },
  };
}

const apiUrlOf = (options: WatchOptions, config: Config): string =>
  options.api ?? config.apiUrl ?? runningApiUrl(config);

/** Finds the API anew at each call: after a restart it may listen on another port. */
function connectorOf(options: WatchOptions, config: Config): () => DeckhandClient {
  // A key of this data directory is for its own API alone.
  const asked = { ...config, apiUrl: options.api ?? config.apiUrl };
  return () => clientOf(asked, apiUrlOf(options, config));
}

async function watch(directory: string, options: WatchOptions, config: Config): Promise<void> {
  const { runWatcher } = await import('../../drop-folder/run.ts');
  await runWatcher(
    {
      directory,
      settings: settingsOf(options, config),
      requireMount: options.requireMount === true,
      connect: connectorOf(options, config),
      tell: (event) => {
        if (options.json === true) console.log(jsonLineOf(event));
        else console.error(lineOf(event));
      },
    },
    endOnSignal(),
  );
}

async function check(directory: string, options: WatchOptions, config: Config): Promise<number> {
  const { checkDropFolder, checkExitCode, checkLines } = await import('../../drop-folder/check.ts');
  const results = await checkDropFolder({
    directory,
    requireMount: options.requireMount === true,
    connect: connectorOf(options, config),
    apiUrl: () => apiUrlOf(options, config),
    signal: endOnSignal(),
  });
  const ok = results.every((result) => result.ok);
  console.log(options.json === true ? JSON.stringify({ ok, checks: results }) : checkLines(results));
  return checkExitCode(results);
}

async function tellStatus(directory: string, options: WatchOptions, config: Config): Promise<void> {
  const { DropFolder } = await import('../../drop-folder/folder.ts');
  const { makeRoots } = await import('../../drop-folder/deck-file.ts');
  const { dropStatus, statusLines } = await import('../../drop-folder/status.ts');
  const folder = await DropFolder.open(directory);
  const { roots, patience } = settingsOf(options, config);
  const status = await dropStatus(folder, await makeRoots(directory, folder.path, roots), patience);
  console.log(options.json === true ? JSON.stringify(status) : statusLines(status));
}

/** Every setting that differs from the defaults, as arguments. */
function argumentsOf(options: WatchOptions): string[] {
  const given: [string, number, number][] = [
    ['--concurrency', options.concurrency, WATCH_DEFAULTS.concurrency],
    ['--retain-days', options.retainDays, WATCH_DEFAULTS.retainDays],
    ['--lease-seconds', options.leaseSeconds, WATCH_DEFAULTS.leaseSeconds],
    ['--poll-seconds', options.pollSeconds, WATCH_DEFAULTS.pollSeconds],
    ['--settle-seconds', options.settleSeconds, WATCH_DEFAULTS.settleSeconds],
    ['--job-wait-seconds', options.jobWaitSeconds, WATCH_DEFAULTS.jobWaitSeconds],
    ['--file-wait-seconds', options.fileWaitSeconds, WATCH_DEFAULTS.fileWaitSeconds],
  ];
  return [
    ...given.filter(([, value, usual]) => value !== usual).flatMap(([flag, value]) => [flag, String(value)]),
    ...options.root.flatMap((root) => ['--root', resolve(root)]),
    ...(options.requireMount === true ? ['--require-mount'] : []),
  ];
}

async function printUnit(directory: string, options: WatchOptions, config: Config): Promise<void> {
  const { systemdUnit } = await import('../../domain/drop-folder/systemd-unit.ts');
  const dropDir = resolve(directory);
  const unit = systemdUnit({
    dropDir,
    roots: options.root.map((root) => resolve(root)),
    command: [
      process.execPath,
      resolve(config.repositoryDir, 'cli/main.ts'),
      'watch',
      dropDir,
      ...argumentsOf(options),
    ],
    environment: { DECKHAND_API_URL: apiUrlOf(options, config) },
    environmentFile: options.environmentFile,
    user: options.user,
    documentation: `file:${resolve(config.repositoryDir, 'docs/drop-folder.md')}`,
  });
  process.stdout.write(unit);
}
