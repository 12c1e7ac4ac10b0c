/**
 * `deckhand bench NAME`: measures, compares within the run, and reports which targets were met. `deckhand supervise` (hidden): the process that
 * starts and keeps everything else; other commands start it.
 */
import path from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ModelsBench } from '../../bench/models/bench.ts';
import { type BenchReport, Figures, machineFacts } from '../../bench/figures.ts';
import { DeckhandError } from '../../domain/errors.ts';
import { serverUrl } from '../../domain/models/server-url.ts';
import { SERVER_KINDS, type ServerKind } from '../../domain/models/server-kind.ts';
import { loadConfig } from '../../platform/config.ts';
import { endOnSignal } from '../../platform/signals.ts';
import { isWholeWithin, numberThat } from '../terminal/arguments.ts';
import { JSON_HELP } from '../terminal/output.ts';
import { createProgress } from '../terminal/progress.ts';
import { modelsOption } from './up.ts';

/** Most pages of a made deck. */
const MOST_SLIDES = 500;
const KIND_TIMEOUT_MS = 30_000;

/** What the command line adds for single benchmarks. */
interface BenchOptions {
  readonly trace?: string;
  readonly server?: string;
  readonly model?: string;
  readonly kind?: ServerKind;
  readonly visual?: string;
  readonly keyFile?: string;
  readonly dataLeaves?: boolean;
  readonly deck?: string;
  readonly slides?: number;
  readonly evaluate?: string;
}

/** Benchmark of each option. */
const OWNERS: Readonly<Record<keyof BenchOptions, string>> = {
  trace: 'sleep',
  server: 'models',
  model: 'models',
  kind: 'models',
  visual: 'models',
  keyFile: 'models',
  dataLeaves: 'models',
  deck: 'models',
  slides: 'models',
  evaluate: 'models',
};

/** A benchmark adds its figures and reports its progress. */
type Bench = (figures: Figures, tell: (line: string) => void, options: BenchOptions) => Promise<void>;

const BENCHES: Readonly<Record<string, () => Promise<Bench>>> = {
  dev: async () => (await import('../../bench/dev/bench.ts')).benchDev,
  models: async () => benchModelsOf,
  mutations: async () => (await import('../test/mutations/bench.ts')).benchMutations,
  pipeline: async () => (await import('../../bench/pipeline/bench.ts')).benchPipeline,
  sleep: async () => {
    const { benchSleep } = await import('../../bench/sleep/bench.ts');
    return (figures, tell, { trace }) => benchSleep(figures, tell, trace);
  },
  fleet: async () => (await import('../../bench/fleet/bench.ts')).benchFleet,
  health: async () => (await import('../../bench/health/bench.ts')).benchHealth,
  readiness: async () => (await import('../../bench/readiness/bench.ts')).benchReadiness,
  month: async () => (await import('../../bench/month/bench.ts')).benchMonth,
  report: async () => (await import('../../bench/report/bench.ts')).benchReport,
  list: async () => (await import('../../bench/list/bench.ts')).benchList,
  workspace: async () => (await import('../../bench/workspace/bench.ts')).benchWorkspace,
};

function parseServer(text: string): string {
  const { success, data } = serverUrl.safeParse(text);
  if (success) return data;
  throw new InvalidArgumentError('Write the URL of a server, such as http://127.0.0.1:8000/v1.');
}

/** Measures model servers. */
async function benchModelsOf(
  figures: Figures,
  tell: (line: string) => void,
  { server: url, model, kind, visual, keyFile, dataLeaves, deck, slides, evaluate: dir }: BenchOptions,
): Promise<void> {
  if ((url === undefined) !== (model === undefined)) {
    throw new DeckhandError('usage', '--server and --model belong together', {
      hint: 'Name both, such as --server http://127.0.0.1:8000/v1 --model NAME, or neither for the servers of the tests.',
    });
  }
  const { benchModels } = await import('../../bench/models/bench.ts');
  const { kindOfServer } = await import('../../activities/models/client/open.ts');
  const { readDeckFolder } = await import('../evaluation/folder.ts');
  const { evaluateWith } = await import('./evaluate.ts');
  const folder = dir === undefined ? null : await readDeckFolder(dir, undefined);
  const keyPath = keyFile === undefined ? null : path.resolve(keyFile);
  const signal = endOnSignal();
  const asking = AbortSignal.any([signal, AbortSignal.timeout(KIND_TIMEOUT_MS)]);
  const server = url === undefined || model === undefined ? null : { url, model };
  const running = server && {
    ...server,
    kind:
      kind ?? (await kindOfServer({ url: server.url, keyFile: keyPath, dataLeavesHost: dataLeaves === true }, asking)),
    visual,
    keyFile: keyPath ?? undefined,
    dataLeavesHost: dataLeaves,
    stop: () => Promise.resolve(),
  };
  const bench: ModelsBench = {
    server: running && {
      name: `${running.model} at ${running.url}`,
      isOwn: false,
      start: () => Promise.resolve(running),
    },
    deck: deck ?? slides ?? null,
    evaluate:
      folder &&
      (async (profile, { client, config, signal: ends }) => {
        const progress = createProgress();
        try {
          return await evaluateWith(profile, folder, {}, config, { client, progress, signal: ends });
        } finally {
          progress.end();
        }
      }),
  };
  await benchModels(figures, tell, bench, signal);
}

export function registerBench(program: Command): void {
  program
    .command('bench')
    .description('run a benchmark')
    .argument('[name]', Object.keys(BENCHES).join(', '), 'pipeline')
    .option('--json', JSON_HELP)
    .option('--trace <file>', 'sleep: idle gaps to judge the policies on as well, one in seconds per line')
    .option('--server <url>', 'models: your model server, instead of those that the tests start', parseServer)
    .option('--model <name>', 'models: its model')
    .addOption(
      new Option('--kind <protocol>', 'models: that of the server; by default as it answers').choices(SERVER_KINDS),
    )
    .option('--visual <name>', 'models: its model that looks at slides, where the other one sees no pictures')
    .option('--key-file <file>', 'models: file with the key of the server')
    .option('--data-leaves', 'models: slides may leave this network for the server')
    .option(
      '--deck <file>',
      'models: PDF to review, with all questions; by default three slides and two questions a chapter',
    )
    .addOption(
      new Option('--slides <n>', 'models: review a made deck of so many slides, with all questions')
        .argParser(numberThat(isWholeWithin(1, MOST_SLIDES), `Write a number from 1 to ${MOST_SLIDES}.`))
        .conflicts('deck'),
    )
    .option('--evaluate <dir>', 'models: judge reviews of these decks by their labels, as `deckhand evaluate` does')
    .action(async (name: string, options: BenchOptions & { readonly json?: boolean }) => {
      const load = BENCHES[name];
      if (load === undefined) {
        throw new DeckhandError('usage', `there is no benchmark ${name}`, {
          hint: `Benchmarks: ${Object.keys(BENCHES).join(', ')}.`,
        });
      }
      for (const [option, owner] of Object.entries(OWNERS)) {
        if (!(option in options) || owner === name) continue;
        const flag = `--${option.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`)}`;
        throw new DeckhandError('usage', `${flag} belongs to the benchmark ${owner}`, { hint: `Leave ${flag} out.` });
      }
      const json = options.json === true;
      const startedAt = new Date().toISOString();
      const figures = new Figures((line) => (json ? console.error(line) : console.log(line)));
      await (
        await load()
      )(figures, (line) => console.error(line), options);
      const report: BenchReport = { bench: name, startedAt, machine: machineFacts(), figures: figures.list };
      if (json) console.log(JSON.stringify(report));
      else console.log(`${report.machine.cores} cores, ${report.machine.memGiB} GiB, Node ${report.machine.node}`);
    });
}

export function registerSupervise(program: Command): void {
  program
    .command('supervise', { hidden: true })
    .addOption(modelsOption())
    .action(async (options: { models?: string }) => {
      const { runSupervisor } = await import('../../runtime/supervise.ts');
      const config = loadConfig();
      await runSupervisor(config, { models: options.models ?? config.models });
      // Unfinished work (a build, a probe) must not keep the process alive: its pipes end the children.
      process.exit(0);
    });
}
