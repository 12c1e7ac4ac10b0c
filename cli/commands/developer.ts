/**
 * `deckhand bench NAME`: measures, compares within the run, and reports which targets were met. `deckhand supervise` (hidden): the process that
 * starts and keeps everything else; other commands start it.
 */
import type { Command } from 'commander';
import { type BenchReport, Figures, machineFacts } from '../../bench/figures.ts';
import { DeckhandError } from '../../domain/errors.ts';
import { loadConfig } from '../../platform/config.ts';
import { JSON_HELP } from '../terminal/output.ts';
import { modelsOption } from './up.ts';

/** What the command line adds for single benchmarks. */
interface BenchOptions {
  readonly trace?: string;
}

/** A benchmark adds its figures and reports its progress. */
type Bench = (figures: Figures, tell: (line: string) => void, options: BenchOptions) => Promise<void>;

const BENCHES: Readonly<Record<string, () => Promise<Bench>>> = {
  dev: async () => (await import('../../bench/dev/bench.ts')).benchDev,
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

export function registerBench(program: Command): void {
  program
    .command('bench')
    .description('run a benchmark')
    .argument('[name]', Object.keys(BENCHES).join(', '), 'pipeline')
    .option('--json', JSON_HELP)
    .option('--trace <file>', 'sleep: idle gaps to judge the policies on as well, one in seconds per line')
    .action(async (name: string, options: BenchOptions & { readonly json?: boolean }) => {
      const load = BENCHES[name];
      if (load === undefined) {
        throw new DeckhandError('usage', `there is no benchmark ${name}`, {
          hint: `Benchmarks: ${Object.keys(BENCHES).join(', ')}.`,
        });
      }
      if (options.trace !== undefined && name !== 'sleep')
        throw new DeckhandError('usage', '--trace belongs to the benchmark sleep', { hint: 'Leave --trace out.' });
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
