/**
 * The command line of a watcher: `drop-folder/main.ts` and `deckhand watch` share it. `--check`, `--status` and `--systemd` check the folder,
 * print what is in it, and print the unit of a service that watches it.
 */
import { resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { DeckhandClient } from '../api/client.ts';
import { clientOf } from '../api/client/home-client.ts';
import { systemdUnit } from '../domain/drop-folder/systemd-unit.ts';
import { DeckhandError } from '../domain/errors.ts';
import type { Config } from '../platform/config.ts';
import { loadConfig } from '../platform/config.ts';
import { runningApiUrl } from '../platform/runtime-info.ts';
import { endOnSignal } from '../platform/signals.ts';
import { checkDropFolder, checkExitCode, checkLines } from './check.ts';
import { makeRoots } from './deck-file.ts';
import { jsonLineOf, lineOf } from './events.ts';
import { DropFolder } from './folder.ts';
import { runWatcher } from './run.ts';
import { dropStatus, statusLines } from './status.ts';
import { WATCH_DEFAULTS } from './settings.ts';
import type { WatchSettings } from './settings.ts';

/** The numeric options, by the name of their default. */
const NUMBERS = [
  { name: 'concurrency', description: 'open analyses at a time', least: 1, whole: true },
  { name: 'retainDays', description: 'days that done jobs stay in the archive', least: 0, whole: true },
  {
    name: 'leaseSeconds',
    description: 'time without a sign of life after which others take over',
    least: 0.5,
    whole: false,
  },
  { name: 'pollSeconds', description: 'time between two looks', least: 0.05, whole: false },
  { name: 'settleSeconds', description: 'a PDF unchanged for so long is complete', least: 0, whole: false },
  { name: 'jobWaitSeconds', description: 'how long to wait for an incomplete job file', least: 0, whole: false },
  { name: 'fileWaitSeconds', description: 'how long to wait for a missing or incomplete PDF', least: 0, whole: false },
] as const;

type NumberName = (typeof NUMBERS)[number]['name'];

interface WatchOptions extends Readonly<Record<NumberName, number>> {
  readonly root: readonly string[];
  readonly requireMount?: boolean;
  readonly api?: string;
  readonly check?: boolean;
  readonly status?: boolean;
  readonly systemd?: boolean;
  readonly user: string;
  readonly environmentFile: string;
  readonly json?: boolean;
}

const flagOf = (name: NumberName): string => `--${name.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`)}`;

function numberFrom(least: number, whole: boolean): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() !== '' && value >= least && Number.isFinite(value) && (!whole || Number.isInteger(value)))
      return value;
    throw new InvalidArgumentError(`has to be a ${whole ? 'whole ' : ''}number of at least ${least}.`);
  };
}

const collect = (value: string, previous: readonly string[]): readonly string[] => [...previous, value];

/** The command `watch`; its errors are DeckhandErrors. */
export function watchCommand(): Command {
  const command = new Command('watch')
    .description('process the jobs of a drop folder until Ctrl-C')
    .argument('[dir]', 'the drop folder; by default DECKHAND_DROP_DIR');
  for (const { name, description, least, whole } of NUMBERS) {
    const option = new Option(`${flagOf(name)} <n>`, description).default(WATCH_DEFAULTS[name]);
    command.addOption(option.argParser(numberFrom(least, whole)));
  }
  return command
    .option('--root <dir>', 'further folder in which PDFs may be; may be repeated', collect, [])
    .option('--require-mount', 'refuse a folder that is on the machine’s own file system')
    .option('--api <url>', 'the API to use; by default DECKHAND_API_URL, or the one of this data directory')
    .addOption(new Option('--check', 'test folder, file system, API and key, and end').conflicts(['status', 'systemd']))
    .addOption(new Option('--status', 'print what is in the folder, and end').conflicts(['check', 'systemd']))
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
      else if (options.status === true) await printStatus(directory, options, config);
      else if (options.systemd === true) process.stdout.write(unitOf(directory, options, config));
      else await watch(directory, options, config);
    });
}

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

const apiUrlOf = (options: WatchOptions, config: Config): string => options.api ?? runningApiUrl(config);

/** Finds the API again at each call: after a restart it may listen on another port. */
function connectorOf(options: WatchOptions, config: Config): () => DeckhandClient {
  // A key of this data directory is for its own API alone.
  const asked = { ...config, apiUrl: options.api ?? config.apiUrl };
  return () => clientOf(asked, apiUrlOf(options, config));
}

const print = (text: string): void => void process.stdout.write(`${text}\n`);

async function watch(directory: string, options: WatchOptions, config: Config): Promise<void> {
  await runWatcher(
    {
      directory,
      settings: settingsOf(options, config),
      requireMount: options.requireMount === true,
      connect: connectorOf(options, config),
      tell: (event) => {
        if (options.json === true) print(jsonLineOf(event));
        else process.stderr.write(`${lineOf(event)}\n`);
      },
    },
    endOnSignal(),
  );
}

async function check(directory: string, options: WatchOptions, config: Config): Promise<number> {
  const results = await checkDropFolder({
    directory,
    requireMount: options.requireMount === true,
    connect: connectorOf(options, config),
    apiUrl: () => apiUrlOf(options, config),
    signal: endOnSignal(),
  });
  const ok = results.every((result) => result.ok);
  print(options.json === true ? JSON.stringify({ ok, checks: results }) : checkLines(results));
  return checkExitCode(results);
}

async function printStatus(directory: string, options: WatchOptions, config: Config): Promise<void> {
  const folder = await DropFolder.open(directory);
  const { roots, patience } = settingsOf(options, config);
  const status = await dropStatus(folder, await makeRoots(directory, folder.path, roots), patience);
  print(options.json === true ? JSON.stringify(status) : statusLines(status));
}

/** Every setting that differs from the defaults, as arguments. */
function argumentsOf(options: WatchOptions): string[] {
  const changed = NUMBERS.filter(({ name }) => options[name] !== WATCH_DEFAULTS[name]);
  return [
    ...changed.flatMap(({ name }) => [flagOf(name), String(options[name])]),
    ...options.root.flatMap((root) => ['--root', resolve(root)]),
    ...(options.requireMount === true ? ['--require-mount'] : []),
  ];
}

function unitOf(directory: string, options: WatchOptions, config: Config): string {
  const dropDir = resolve(directory);
  return systemdUnit({
    dropDir,
    roots: options.root.map((root) => resolve(root)),
    command: [process.execPath, resolve(config.repositoryDir, 'drop-folder/main.ts'), dropDir, ...argumentsOf(options)],
    environment: { DECKHAND_API_URL: apiUrlOf(options, config) },
    environmentFile: options.environmentFile,
    user: options.user,
    documentation: `file:${resolve(config.repositoryDir, 'docs/drop-folder.md')}`,
  });
}
