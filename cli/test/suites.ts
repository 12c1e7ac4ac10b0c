/**
 * What `deckhand test` runs, as data: checks over the sources, and suites of vitest with the tools they need. vitest.config.ts makes a project
 * of each suite.
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
    name: 'types of the workspace',
    command: 'tsc',
    args: ['--noEmit', '-p', 'web'],
    hint: 'Correct the types named above.',
  },
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
  /** Name of the vitest project, and of its folder in tests/. */
  readonly name: string;
  readonly what: string;
  readonly tools: readonly Tool[];
  /**
   * Postgres and Temporal of its files: `shared` = one of each for the run, `stack` = besides, one Deckhand for the files that do not kill it,
   * `own` = each file starts its own. The Temporal server is found, fetched or built before the suites: within a test that would count against
   * the test's time.
   */
  readonly servers: 'none' | 'shared' | 'stack' | 'own';
  /** Whether the fast tier runs the suite, without its files `*.deep.test.ts`. */
  readonly isFast: boolean;
  /** Script that builds a program of the suite into the cache, which takes minutes once. */
  readonly buildScript?: string;
  /** Minutes that building takes on two busy cores. The script tells by `--cached` whether it has to be built; absent = it is built soon. */
  readonly buildMinutes?: number;
  /** Limits of one test and of one hook, ten minutes by default: they end what hangs and measure no speed. */
  readonly testTimeoutMs?: number;
  readonly hookTimeoutMs?: number;
}

const MINUTE_MS = 60_000;

export const SUITES = [
  { name: 'unit', what: 'pure decisions and rules', tools: [], servers: 'none', isFast: true },
  {
    name: 'web',
    what: 'components and pages of the workspace in jsdom, on a fake API',
    tools: [],
    servers: 'none',
    isFast: true,
  },
  {
    name: 'integration',
    what: 'real Postgres, Temporal, processes and sockets',
    tools: [],
    servers: 'shared',
    isFast: true,
  },
  {
    name: 'e2e',
    what: 'the whole pipeline',
    tools: [],
    servers: 'stack',
    isFast: true,
  },
  {
    name: 'fleet',
    what: 'GPU instances from boot to sleep on real Temporal and the simulated provider',
    tools: [],
    servers: 'shared',
    isFast: true,
  },
  {
    name: 'pages',
    what: 'what people see in a browser: the workspace, and runs in the Temporal UI',
    tools: ['chromium'],
    servers: 'stack',
    isFast: true,
  },
  {
    name: 'chaos',
    what: 'everything killed, wedged, filled up and taken away at random moments; --runs and --seed choose',
    tools: [],
    servers: 'own',
    isFast: false,
  },
  {
    name: 'ssh',
    what: 'tunnels through a real sshd, and the script that prepares a machine',
    tools: ['sshd', 'shellcheck'],
    servers: 'shared',
    isFast: false,
  },
  {
    name: 'conformance',
    what: "providers' own SDKs against the simulated providers, and our AWS client against moto",
    tools: ['python3'],
    servers: 'none',
    isFast: false,
  },
  {
    name: 'compose',
    what: 'docker-compose.yml and Dockerfile, checked by compose itself, and the images of model servers',
    tools: ['go', 'python3'],
    servers: 'none',
    isFast: false,
    buildScript: 'tests/compose/compose-binary.ts',
    testTimeoutMs: 15 * MINUTE_MS,
    hookTimeoutMs: 15 * MINUTE_MS,
  },
  {
    name: 'monitoring',
    what: "metrics of a running stack, alert rules and dashboard, checked by Prometheus' own tool",
    tools: ['go'],
    servers: 'own',
    isFast: false,
    buildScript: 'tests/monitoring/promtool.ts',
    hookTimeoutMs: 15 * MINUTE_MS,
  },
  {
    name: 'ollama',
    what: 'the whole pipeline on a real Ollama server',
    tools: ['go', 'gcc', 'python3'],
    servers: 'own',
    isFast: false,
    buildScript: 'tests/ollama/build.ts',
    buildMinutes: 8,
    testTimeoutMs: 15 * MINUTE_MS,
    hookTimeoutMs: 15 * MINUTE_MS,
  },
  {
    name: 'llama-server',
    what: 'the whole pipeline on a real llama-server',
    tools: ['gcc', 'python3'],
    servers: 'own',
    isFast: false,
    buildScript: 'tests/llama-server/build.ts',
    buildMinutes: 14,
    testTimeoutMs: 15 * MINUTE_MS,
    hookTimeoutMs: 30 * MINUTE_MS,
  },
  {
    name: 'vllm',
    what: 'the whole pipeline on a real vLLM',
    tools: ['gcc', 'python3'],
    servers: 'own',
    isFast: false,
    buildScript: 'tests/vllm/environment.ts',
    buildMinutes: 5,
    testTimeoutMs: 15 * MINUTE_MS,
    hookTimeoutMs: 30 * MINUTE_MS,
  },
] as const satisfies readonly Suite[];

/** How much of the suites runs. fast: every capability once. deep: what fast leaves out, and long properties. full: both. */
export type TestTier = 'fast' | 'deep' | 'full';

/** The variable that carries the tier to vitest and its workers. */
export const TIER_VARIABLE = 'DECKHAND_TEST_TIER';

/** The variable that names a file to which a run of vitest adds a line for each failure. */
export const FAILURES_VARIABLE = 'DECKHAND_TEST_FAILURES';

/** What a command line asks for. */
export interface Selection {
  readonly tier: TestTier;
  readonly suites: readonly Suite[];
  /** Folders below tests/ of which the files run; empty = all of the suites. */
  readonly folders: readonly string[];
  /** Whether the checks over the sources run as well. */
  readonly withChecks: boolean;
}

/**
 * Reads the words behind `deckhand test`: an optional tier, then suites, or folders of suites such as `unit/fleet`. Nothing = the fast tier;
 * `full` = everything; names alone = those in full.
 *
 * @throws DeckhandError `usage` for an unknown name
 */
export function readSelection(words: readonly string[]): Selection {
  const [first, ...rest] = words;
  const named = first === 'fast' || first === 'deep' || first === 'full';
  const names = named ? rest : words;
  const tier = named ? first : words.length === 0 ? 'fast' : 'full';
  const ofTier = tier === 'fast' ? SUITES.filter((suite) => suite.isFast) : SUITES;
  const suites = new Set(names.map((name) => suiteNamed(name.split('/')[0] ?? name)));
  return {
    tier,
    suites: names.length === 0 ? ofTier : [...suites],
    // A folder narrows the whole run, so suites that were named whole are then folders as well.
    folders: names.some((name) => name.includes('/')) ? names.map((name) => `tests/${name.replace(/\/$/u, '')}/`) : [],
    withChecks: names.length === 0 && tier !== 'deep',
  };
}

/** The suite of that name. @throws DeckhandError `usage` */
function suiteNamed(name: string): Suite {
  const suite = SUITES.find((s) => s.name === name);
  if (suite === undefined) {
    throw new DeckhandError('usage', `there is no suite ${name}`, {
      hint: `Tiers: fast, deep, full, changed. Suites: ${SUITES.map((s) => s.name).join(', ')}.`,
    });
  }
  return suite;
}
