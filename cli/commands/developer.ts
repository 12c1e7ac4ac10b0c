/**
 * `deckhand simulate datacrunch`: the simulated provider alone. `deckhand bench NAME`: measures, compares within the run, and reports which targets
 * were met. `deckhand supervise` (hidden): the process that starts and keeps everything else; other commands start it.
 */
import { once } from 'node:events';
import path from 'node:path';
import { Argument, type Command, InvalidArgumentError } from 'commander';
import { type BenchReport, Figures, machineFacts } from '../../bench/figures.ts';
import { DeckhandError } from '../../domain/errors.ts';
import { loadConfig, type ModelSource } from '../../platform/config.ts';
import { endOnSignal } from '../../platform/signals.ts';
import type { DataCrunchServer, DataCrunchServerOptions } from '../../simulators/clouds/datacrunch/server.ts';
import { JSON_HELP, printResult } from '../terminal/output.ts';
import { table } from '../terminal/table.ts';
import { modelsOption } from './up.ts';

interface SimulateOptions {
  readonly port?: number;
  readonly scenario: string;
  readonly state?: string;
  readonly json?: boolean;
}

function port(value: string): number {
  const parsed = Number(value);
  if (!Number.isInteger(parsed) || parsed < 0 || parsed > 65_535) throw new InvalidArgumentError('It is no port.');
  return parsed;
}

/** Adds the command. */
export function registerSimulate(program: Command): void {
  program
    .command('simulate')
    .description('run a simulated GPU provider on this machine; nothing is bought anywhere')
    .addArgument(new Argument('<provider>', 'which provider').choices(['datacrunch']))
    .option('--port <n>', 'port on 127.0.0.1 (default: a free one)', port)
    .option('--scenario <file|name>', 'default, demo, drought, or a JSON file', 'default')
    .option('--state <file>', 'where its state is kept (default: in the data directory, by scenario)')
    .option('--json', JSON_HELP)
    .action(async (_provider: string, options: SimulateOptions) => {
      const signal = endOnSignal();
      const stateFile = path.resolve(
        options.state ??
          path.join(loadConfig().home, 'simulators', `datacrunch-${path.basename(options.scenario, '.json')}.json`),
      );
      const server = await start({
        scenario: options.scenario,
        stateFile,
        ...(options.port === undefined ? {} : { port: options.port }),
      });
      const { clientId, clientSecret, scenario } = server.datacrunch;
      const facts = { baseUrl: server.baseUrl, clientId, clientSecret, scenario: scenario.name, stateFile };
      const about = scenario.description === '' ? '' : `: ${scenario.description}`;
      printResult(options, facts, () => {
        const lines = table([
          ['Simulated DataCrunch', server.baseUrl],
          ['client id / secret', `${clientId} / ${clientSecret}`],
          ['scenario', `${scenario.name}${about}`],
          ['state', stateFile],
          ['control', new URL('/_control/stats', server.baseUrl).href],
        ]);
        return `${lines}\nCtrl-C ends it; its instances continue at the next start.`;
      });
      if (!signal.aborted) await once(signal, 'abort');
      await server.stop();
    });
}

async function start(options: DataCrunchServerOptions): Promise<DataCrunchServer> {
  const { startDataCrunchServer } = await import('../../simulators/clouds/datacrunch/server.ts');
  try {
    return await startDataCrunchServer(options);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    throw new DeckhandError('usage', words, {
      userMessage: `The simulator does not start: ${words}`,
      hint: 'Check --scenario, --state and --port.',
      cause: error,
    });
  }
}

/** What the command line adds for single benchmarks. */
interface BenchOptions {
  readonly trace?: string;
}

/** A benchmark adds its figures and reports its progress. */
type Bench = (figures: Figures, tell: (line: string) => void, options: BenchOptions) => Promise<void>;

const BENCHES: Readonly<Record<string, () => Promise<Bench>>> = {
  pipeline: async () => (await import('../../bench/pipeline/bench.ts')).benchPipeline,
  sleep: async () => {
    const { benchSleep } = await import('../../bench/sleep/bench.ts');
    return (figures, tell, { trace }) => benchSleep(figures, tell, trace);
  },
  fleet: async () => (await import('../../bench/fleet/bench.ts')).benchFleet,
  month: async () => (await import('../../bench/month/bench.ts')).benchMonth,
  report: async () => (await import('../../bench/report/bench.ts')).benchReport,
  list: async () => (await import('../../bench/list/bench.ts')).benchList,
  workspace: async () => (await import('../../bench/workspace/bench.ts')).benchWorkspace,
};

/** Adds the command. */
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
    .action(async (options: { models?: ModelSource }) => {
      const { runSupervisor } = await import('../../runtime/supervise.ts');
      const config = loadConfig();
      await runSupervisor(config, { models: options.models ?? config.models });
      // Unfinished work (a build, a probe) must not keep the process alive: its pipes end the children.
      process.exit(0);
    });
}
