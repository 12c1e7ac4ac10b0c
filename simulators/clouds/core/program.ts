/**
 * The main program of a simulator: arguments, the line that says it listens, and its end.
 */
import { parseArgs } from 'node:util';
import type { ServingOptions } from './serving.ts';

/** Options of every simulator's command line. */
export interface ProgramOptions extends ServingOptions {
  readonly scenario?: string;
  readonly seed?: number;
}

/** A simulator's program. `Credentials` are the names of the fields that its two credential options set. */
export interface SimulatorProgram<Credential extends string> {
  /** Path of its main.ts, as people call it. */
  readonly script: string;
  /** Names of its scenarios, for the help. */
  readonly scenarios: readonly string[];
  /** Option, such as `client-id`, to the field of `start` that it sets. */
  readonly credentials: Readonly<Record<string, Credential>>;
  start(
    options: ProgramOptions & { readonly [Name in Credential]?: string },
  ): Promise<{ readonly port: number; stop(): Promise<void> }>;
}

const usageOf = ({ script, scenarios, credentials }: SimulatorProgram<string>): string => {
  const rows = [
    ['--port N', 'port on 127.0.0.1 (default: a free one)'],
    ['--scenario NAME', `${scenarios.join(', ')}, or a JSON file (default: default)`],
    ['--state FILE', 'keep the state in this file and take it up again'],
    ['--seed N', 'seed of everything that is drawn'],
    ...Object.keys(credentials).map((option) => [`--${option} TEXT`, 'credential of the account (default: demo)']),
    ['--no-model-servers', 'start no model server for running instances'],
    ['--exit-with-parent', 'end when stdin closes'],
    ['--help', ''],
  ].map(([option = '', words = '']) => `  ${option.padEnd(26)} ${words}`.trimEnd());
  return `usage: node ${script} [options]\n${rows.join('\n')}`;
};

function wholeNumber(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const parsed = Number(value);
  if (value.trim() === '' || !Number.isInteger(parsed) || parsed < 0)
    throw new Error(`--${name} must be a whole number, not ${JSON.stringify(value)}`);
  return parsed;
}

async function main<Credential extends string>(
  program: SimulatorProgram<Credential>,
  argv: readonly string[],
): Promise<void> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...argv],
    options: {
      port: text,
      scenario: text,
      state: text,
      seed: text,
      ...Object.fromEntries(Object.keys(program.credentials).map((option) => [option, text])),
      'no-model-servers': { type: 'boolean', default: false },
      'exit-with-parent': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help === true) {
    process.stdout.write(`${usageOf(program)}\n`);
    return;
  }
  const credentials = Object.entries(program.credentials).map(([option, field]) => [
    field,
    (values as Record<string, unknown>)[option],
  ]);
  const given = {
    port: wholeNumber('port', values.port),
    seed: wholeNumber('seed', values.seed),
    scenario: values.scenario,
    stateFile: values.state,
    ...(Object.fromEntries(credentials) as object),
  };
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const server = await program.start({ ...set, modelServers: values['no-model-servers'] !== true } as Parameters<
    typeof program.start
  >[0]);
  process.stdout.write(`${JSON.stringify({ listening: server.port })}\n`);
  const end = (): void => {
    void server.stop().finally(() => process.exit(0));
  };
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
  if (values['exit-with-parent'] === true) process.stdin.once('end', end).once('close', end).resume();
}

/**
 * Runs a simulator. Prints one JSON line `{"listening": port}` on stdout when ready. Wrong arguments and a failed start are one readable line
 * on stderr and exit code 2.
 */
export async function runSimulator<Credential extends string>(program: SimulatorProgram<Credential>): Promise<void> {
  try {
    await main(program, process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 2;
  }
}
