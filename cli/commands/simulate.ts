/**
 * `deckhand simulate PROVIDER`: a simulated provider alone, for clients of its API.
 */
import { once } from 'node:events';
import path from 'node:path';
import { Argument, type Command, InvalidArgumentError } from 'commander';
import { DeckhandError } from '../../domain/errors.ts';
import { loadConfig } from '../../platform/config.ts';
import { endOnSignal } from '../../platform/signals.ts';
import { JSON_HELP, printResult } from '../terminal/output.ts';
import { table } from '../terminal/table.ts';

interface SimulateOptions {
  readonly port?: number;
  readonly scenario: string;
  readonly state?: string;
  readonly json?: boolean;
}

/** What a simulator is started with. */
interface StartOptions {
  readonly scenario: string;
  readonly stateFile: string;
  readonly port?: number;
}

/** A simulator that runs. */
interface Simulator {
  readonly title: string;
  readonly baseUrl: string;
  /** Facts for machines; `credentials` is their line for people. */
  readonly facts: Readonly<Record<string, string>>;
  readonly credentials: string;
  readonly scenario: { readonly name: string; readonly description: string };
  stop(): Promise<void>;
}

const SIMULATORS: Readonly<Record<string, (options: StartOptions) => Promise<Simulator>>> = {
  datacrunch: async (options) => {
    const { startDataCrunchServer } = await import('../../simulators/clouds/datacrunch/server.ts');
    const server = await startDataCrunchServer(options);
    const { clientId, clientSecret, scenario } = server.datacrunch;
    return {
      title: 'Simulated DataCrunch',
      baseUrl: server.baseUrl,
      facts: { clientId, clientSecret },
      credentials: `client id / secret: ${clientId} / ${clientSecret}`,
      scenario,
      stop: () => server.stop(),
    };
  },
  aws: async (options) => {
    const { startAwsServer } = await import('../../simulators/clouds/aws/server.ts');
    const server = await startAwsServer(options);
    const { accessKeyId, secretAccessKey, scenario } = server.aws;
    return {
      title: 'Simulated AWS',
      baseUrl: server.origin,
      facts: { accessKeyId, secretAccessKey },
      credentials: `access key id / secret: ${accessKeyId} / ${secretAccessKey}`,
      scenario,
      stop: () => server.stop(),
    };
  },
  google: async (options) => {
    const { startGoogleServer } = await import('../../simulators/clouds/google/server.ts');
    const server = await startGoogleServer(options);
    const { project, refreshToken, scenario } = server.google;
    return {
      title: 'Simulated Google',
      baseUrl: server.origin,
      facts: { project, refreshToken },
      credentials: `project / refresh token: ${project} / ${refreshToken}`,
      scenario,
      stop: () => server.stop(),
    };
  },
  azure: async (options) => {
    const { startAzureServer } = await import('../../simulators/clouds/azure/server.ts');
    const server = await startAzureServer(options);
    const { secrets, scenario } = server.azure;
    return {
      title: 'Simulated Azure',
      baseUrl: server.origin,
      facts: { ...secrets },
      credentials: `client id / secret: ${secrets.clientId} / ${secrets.clientSecret}`,
      scenario,
      stop: () => server.stop(),
    };
  },
};

/** Adds the command. */
export function registerSimulate(program: Command): void {
  program
    .command('simulate')
    .description('run a simulated GPU provider on this machine; nothing is bought anywhere')
    .addArgument(new Argument('<provider>', 'which provider').choices(Object.keys(SIMULATORS)))
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
  const simulator = await start(provider, {
    scenario: options.scenario,
    stateFile,
    ...(options.port === undefined ? {} : { port: options.port }),
  });
  const { title, baseUrl, facts, credentials, scenario } = simulator;
  const about = scenario.description === '' ? '' : `: ${scenario.description}`;
  const [label = '', secrets = ''] = credentials.split(': ');
  printResult(options, { baseUrl, ...facts, scenario: scenario.name, stateFile }, () => {
    const lines = table([
      [title, baseUrl],
      [label, secrets],
      ['scenario', `${scenario.name}${about}`],
      ['state', stateFile],
      ['control', new URL('/_control/stats', baseUrl).href],
    ]);
    return `${lines}\nCtrl-C ends it; its instances continue at the next start.`;
  });
  if (!signal.aborted) await once(signal, 'abort');
  await simulator.stop();
}

function port(value: string): number {
  const parsed = Number(value);
  if (!Number.isInteger(parsed) || parsed < 0 || parsed > 65_535) throw new InvalidArgumentError('It is no port.');
  return parsed;
}

/** @throws DeckhandError `usage` when it does not start */
async function start(provider: string, options: StartOptions): Promise<Simulator> {
  const open = SIMULATORS[provider];
  if (open === undefined) throw new DeckhandError('usage', `no simulator of ${provider}`);
  try {
    return await open(options);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    throw new DeckhandError('usage', words, {
      userMessage: `The simulator does not start: ${words}`,
      hint: 'Check --scenario, --state and --port.',
      cause: error,
    });
  }
}
