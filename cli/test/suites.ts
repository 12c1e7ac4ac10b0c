/**
 * What `deckhand test` runs, as data: checks over the sources, and suites of vitest with the tools they need.
 */
import { DeckhandError } from '../../domain/errors.ts';

export interface Check {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** What to do when it fails. */
  readonly hint: string;
}

export const CHECKS: readonly Check[] = [
  { name: 'types', command: 'tsc', args: ['-p', '.'], hint: 'Correct the types named above.' },
  {
    name: 'lint',
    command: 'oxlint',
    args: ['--type-aware', '--deny-warnings'],
    hint: 'Correct the lines named above.',
  },
  { name: 'format', command: 'oxfmt', args: ['--check'], hint: 'Run `npx oxfmt`.' },
  { name: 'dead code', command: 'knip', args: ['--no-progress'], hint: 'Remove what nothing uses, or use it.' },
  {
    name: 'migrations',
    command: 'node',
    args: ['cli/main.ts', 'migrate', '--check'],
    hint: 'Write the migration with `./deckhand migrate --author <name>`.',
  },
];

/** Tools a suite may need beyond Node. */
export type Tool = 'go' | 'gcc' | 'pdftoppm' | 'chromium' | 'shellcheck' | 'sshd' | 'python3';

export interface Suite {
  /** Name of the vitest project. */
  readonly name: string;
  readonly what: string;
  readonly tools: readonly Tool[];
  /** Starts a Temporal server, which is found, fetched or built before: within a test it would count against that test's time. */
  readonly usesTemporal: boolean;
}

export const SUITES: readonly Suite[] = [
  { name: 'unit', what: 'pure decisions and rules', tools: [], usesTemporal: false },
  { name: 'integration', what: 'real Postgres, Temporal, processes and sockets', tools: [], usesTemporal: true },
  { name: 'e2e', what: 'the whole pipeline', tools: [], usesTemporal: true },
  {
    name: 'fleet',
    what: 'GPU instances from boot to sleep on real Temporal and the simulated provider',
    tools: [],
    usesTemporal: true,
  },
  {
    name: 'chaos',
    what: 'everything killed, wedged, filled up and taken away at random moments; --runs and --seed choose',
    tools: [],
    usesTemporal: true,
  },
  {
    name: 'pages',
    what: 'what people see in a browser: runs in the Temporal UI',
    tools: ['chromium'],
    usesTemporal: true,
  },
  {
    name: 'ssh',
    what: 'tunnels through a real sshd, and the script that prepares a machine',
    tools: ['sshd', 'shellcheck'],
    usesTemporal: false,
  },
  {
    name: 'conformance',
    what: "the provider's own SDK against the simulated provider",
    tools: ['python3'],
    usesTemporal: false,
  },
  {
    name: 'compose',
    what: 'docker-compose.yml and Dockerfile, checked by compose itself',
    tools: ['go'],
    usesTemporal: false,
  },
  {
    name: 'monitoring',
    what: "metrics of a running stack, alert rules and dashboard, checked by Prometheus' own tool",
    tools: ['go'],
    usesTemporal: true,
  },
  { name: 'ollama', what: 'the whole pipeline on a real Ollama server', tools: ['go', 'gcc'], usesTemporal: true },
];

/** The suite of that name. @throws DeckhandError `usage` */
export function suiteNamed(name: string): Suite {
  const suite = SUITES.find((s) => s.name === name);
  if (suite === undefined) {
    throw new DeckhandError('usage', `there is no suite ${name}`, {
      hint: `Suites: ${SUITES.map((s) => s.name).join(', ')}.`,
    });
  }
  return suite;
}
