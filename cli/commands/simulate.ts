/**
 * `deckhand simulate PROVIDER`: a simulated provider alone, for clients of its API.
 */
import { once } from 'node:events';
import path from 'node:path';
import { Argument, type Command } from 'commander';
import { DeckhandError } from '../../domain/errors.ts';
import { loadConfig } from '../../platform/config.ts';
import { endOnSignal } from '../../platform/signals.ts';
import { isWholeWithin, numberThat } from '../terminal/arguments.ts';
import { JSON_HELP, printResult } from '../terminal/output.ts';
import { table } from '../terminal/table.ts';

interface SimulateOptions {
  readonly port?: number;
  readonly scenario: string;
  readonly state?: string;
  readonly json?: boolean;
}

const PROVIDERS = ['datacrunch', 'aws', 'google', 'azure'] as const;

export function registerSimulate(program: Command): void {
  program
    .command('simulate')
    .description('run a simulated GPU provider on this machine; nothing is bought anywhere')
    .addArgument(new Argument('<provider>', 'which provider').choices(PROVIDERS))
    .option('--port <n>', 'port on 127.0.0.1 (default: a free one)', port)
    .option('--scenario <file|name>', 'default, demo, drought, or a JSON file', 'default')
    .option('--state <file>', 'where its state is kept (default: in the data directory, by scenario)')
    .option('--json', JSON_HELP)
    .action(simulate);
}

async function simulate(provider: string, options: SimulateOptions): Promise<void> {
  const signal = endOnSignal();
  const stateFile = path.resolve(
    options.state ??
      path.join(loadConfig().home, 'simulators', `${provider}-${path.basename(options.scenario, '.json')}.json`),
  );
  const { server, title, baseUrl, facts, credentials } = await start(provider, { ...options, stateFile });
  const { scenario } = server.simulator;
  const about = scenario.description === '' ? '' : `: ${scenario.description}`;
  printResult(options, { baseUrl, ...facts, scenario: scenario.name, stateFile }, () => {
    const lines = table([
      [title, baseUrl],
      credentials,
      ['scenario', `${scenario.name}${about}`],
      ['state', stateFile],
      ['control', new URL('/_control/stats', baseUrl).href],
    ]);
    return `${lines}\nCtrl-C ends it; its instances continue at the next start.`;
  });
  if (!signal.aborted) await once(signal, 'abort');
  await server.stop();
}

const port = numberThat(isWholeWithin(0, 65_535), 'It is no port.');

/** @throws DeckhandError `usage` when it does not start */
async function start(name: string, { scenario, ...serving }: SimulateOptions & { readonly stateFile: string }) {
  const { SIMULATED_PROVIDERS } = await import('../../simulators/clouds/providers.ts');
  const { serveSimulator } = await import('../../simulators/clouds/core/serving.ts');
  const provider = SIMULATED_PROVIDERS[name];
  if (provider === undefined) throw new DeckhandError('usage', `no simulator of ${name}`);
  try {
    const { simulator, ...account } = await provider.open({ scenario });
    const server = await serveSimulator(simulator, serving);
    return { ...account, server, title: provider.title, baseUrl: `${server.origin}${provider.apiPath}` };
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    throw new DeckhandError('usage', words, {
      userMessage: `The simulator does not start: ${words}`,
      hint: 'Check --scenario, --state and --port.',
      cause: error,
    });
  }
}
