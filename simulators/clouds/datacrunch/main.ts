/**
 * Runs the simulated DataCrunch as a process of its own: `node simulators/clouds/datacrunch/main.ts --scenario demo --state FILE`.
 *
 * Prints one JSON line `{"listening": port}` on stdout when ready. With `--exit-with-parent` it ends when its stdin closes. However it
 * ends, the model servers of its instances end with it.
 */
import { parseArgs } from 'node:util';
import { startDataCrunchServer, type DataCrunchServerOptions } from './server.ts';

const SIMULATOR_USAGE = `usage: node simulators/clouds/datacrunch/main.ts [options]
  --port N             port on 127.0.0.1 (default: a free one)
  --scenario NAME      default, demo, drought, or a JSON file (default: default)
  --state FILE         keep the state in this file and take it up again
  --seed N             seed of everything that is drawn
  --client-id ID       credentials of the account (default: demo)
  --client-secret S    (default: demo)
  --inference-key K    of calls to container deployments (default: demo-inference)
  --no-model-servers   start no model server for running instances
  --exit-with-parent   end when stdin closes
  --help`;

interface SimulatorArguments {
  readonly options: DataCrunchServerOptions;
  readonly exitWithParent: boolean;
  readonly help: boolean;
}

/** Parses the arguments. Throws an Error with one readable line on unknown options and on values that are no whole numbers. */
function parseSimulatorArguments(argv: readonly string[]): SimulatorArguments {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      port: { type: 'string' },
      scenario: { type: 'string' },
      state: { type: 'string' },
      seed: { type: 'string' },
      'client-id': { type: 'string' },
      'client-secret': { type: 'string' },
      'inference-key': { type: 'string' },
      'no-model-servers': { type: 'boolean', default: false },
      'exit-with-parent': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const whole = (name: string, value: string | undefined): number | undefined => {
    if (value === undefined) return undefined;
    const parsed = Number(value);
    if (value.trim() === '' || !Number.isInteger(parsed) || parsed < 0)
      throw new Error(`--${name} must be a whole number, not ${JSON.stringify(value)}`);
    return parsed;
  };
  const given = {
    port: whole('port', values.port),
    seed: whole('seed', values.seed),
    scenario: values.scenario,
    stateFile: values.state,
    clientId: values['client-id'],
    clientSecret: values['client-secret'],
    inferenceKey: values['inference-key'],
  };
  return {
    options: {
      ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
      modelServers: !values['no-model-servers'],
    },
    exitWithParent: values['exit-with-parent'],
    help: values.help,
  };
}

async function main(): Promise<void> {
  const settings = parseSimulatorArguments(process.argv.slice(2));
  if (settings.help) {
    process.stdout.write(`${SIMULATOR_USAGE}\n`);
    return;
  }
  const server = await startDataCrunchServer(settings.options);
  process.stdout.write(`${JSON.stringify({ listening: server.port })}\n`);
  const end = (): void => {
    void server.stop().finally(() => process.exit(0));
  };
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
  if (settings.exitWithParent) {
    process.stdin.once('end', end).once('close', end).resume();
  }
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
