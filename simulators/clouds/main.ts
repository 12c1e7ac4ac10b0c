/**
 * Runs a simulated provider as a process of its own: `node simulators/clouds/main.ts aws --scenario demo --state FILE`.
 *
 * Prints one JSON line `{"listening": port}` on stdout when ready. With `--exit-with-parent` it ends when its stdin closes. However it ends, the
 * model servers of its instances end with it. Wrong arguments and a failed start are one readable line on stderr and exit code 2.
 */
import { parseArgs } from 'node:util';
import { scenarioNames } from './core/scenario.ts';
import { serveSimulator } from './core/serving.ts';
import { SIMULATED_PROVIDERS, type SimulatedProvider } from './providers.ts';

const SCRIPT = 'simulators/clouds/main.ts';

const usageOf = (name: string, { options }: SimulatedProvider): string => {
  const rows = [
    ['--port N', 'port on 127.0.0.1 (default: a free one)'],
    ['--scenario NAME', `${scenarioNames(name).join(', ')}, or a JSON file (default: default)`],
    ['--state FILE', 'keep the state in this file and take it up again'],
    ['--seed N', 'seed of everything that is drawn'],
    ...Object.keys(options).map((option) => [`--${option} TEXT`, 'credential of the account (default: demo)']),
    ['--no-model-servers', 'start no model server for running instances'],
    ['--exit-with-parent', 'end when stdin closes'],
    ['--help', ''],
  ].map(([option = '', words = '']) => `  ${option.padEnd(26)} ${words}`.trimEnd());
  return `usage: node ${SCRIPT} ${name} [options]\n${rows.join('\n')}`;
};

function wholeNumber(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const parsed = Number(value);
  if (value.trim() === '' || !Number.isInteger(parsed) || parsed < 0)
    throw new Error(`--${name} must be a whole number, not ${JSON.stringify(value)}`);
  return parsed;
}

async function main([name = '', ...args]: readonly string[]): Promise<void> {
  const provider = SIMULATED_PROVIDERS[name];
  if (provider === undefined)
    throw new Error(`usage: node ${SCRIPT} ${Object.keys(SIMULATED_PROVIDERS).join('|')} [options]`);
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args,
    options: {
      port: text,
      scenario: text,
      state: text,
      seed: text,
      ...Object.fromEntries(Object.keys(provider.options).map((option) => [option, text])),
      'no-model-servers': { type: 'boolean', default: false },
      'exit-with-parent': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help === true) {
    process.stdout.write(`${usageOf(name, provider)}\n`);
    return;
  }
  const port = wholeNumber('port', values.port);
  const given = Object.entries({
    seed: wholeNumber('seed', values.seed),
    scenario: values.scenario,
    ...Object.fromEntries(
      Object.entries(provider.options).map(([option, field]) => [field, (values as Record<string, unknown>)[option]]),
    ),
  }).filter(([, value]) => value !== undefined);
  const { simulator } = await provider.open(Object.fromEntries(given));
  const server = await serveSimulator(simulator, {
    ...(port === undefined ? {} : { port }),
    ...(values.state === undefined ? {} : { stateFile: values.state }),
    modelServers: values['no-model-servers'] !== true,
  });
  process.stdout.write(`${JSON.stringify({ listening: server.port })}\n`);
  const end = (): void => {
    void server.stop().finally(() => process.exit(0));
  };
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
  if (values['exit-with-parent'] === true) process.stdin.once('end', end).once('close', end).resume();
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
