/**
 * `deckhand test [TIER] [SUITE…]`: type check, lint, format, dead code and migrations first, then vitest, which ends with a table of suites.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import path from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { DeckhandError } from '../../domain/errors.ts';
import { type Config, loadConfig } from '../../platform/config.ts';
import { findOnPath } from '../../platform/processes/find-executable.ts';
import { findOrBuildTemporal } from '../../runtime/temporal-find.ts';
import {
  CHECKS,
  FAILURES_VARIABLE,
  readSelection,
  type Selection,
  type Suite,
  SUITES,
  TIER_VARIABLE,
  type Tool,
} from '../test/suites.ts';

export function registerTest(program: Command): void {
  program
    .command('test')
    .description('run the checks and the fast tests; `test full` runs everything, `test SUITE…` whole suites')
    .argument(
      '[what...]',
      `a tier (fast, deep = what fast leaves out, full, changed = deep tests that use what changed) and suites of ${SUITES.map((s) => s.name).join(', ')}, or folders of them such as unit/fleet`,
    )
    .option('--base <commit>', 'of changed: the commit to compare with')
    .option(
      '--budget <minutes>',
      'of changed: the time that its tests may take; what does not fit is named',
      wholePositive,
    )
    .option('--record', 'of full: run each file of deep tests by itself, and write down what it executes')
    .option('--runs <n>', 'of suite chaos: so many runs', wholePositive)
    .option('--seed <n>', 'of suite chaos: the run of this seed, or the first of --runs', wholePositive)
    .option('--log <file>', 'of suite chaos: one JSON line a run is added to this file')
    .action(async (words: string[], options: TestOptions) => {
      process.exitCode = await runTests(words, options);
    });
}

/** Choices that only suite `chaos` has. */
interface ChaosOptions {
  readonly runs?: number;
  readonly seed?: number;
  readonly log?: string;
}

function wholePositive(text: string): number {
  if (/^[1-9]\d{0,8}$/u.test(text)) return Number(text);
  throw new InvalidArgumentError('It has to be a whole number from 1 on.');
}

interface TestOptions extends ChaosOptions {
  readonly base?: string;
  readonly budget?: number;
  readonly record?: boolean;
}

/** What tests/chaos reads. @throws DeckhandError `usage` where the suite is not among the named ones */
export function chaosEnvironment(
  names: readonly string[],
  { runs, seed, log }: ChaosOptions,
): Readonly<Record<string, string>> {
  if ([runs, seed, log].every((choice) => choice === undefined)) return {};
  if (!names.includes('chaos')) {
    throw new DeckhandError('usage', '--runs, --seed and --log belong to suite chaos', {
      hint: 'Run `./deckhand test chaos --runs 20`.',
    });
  }
  return {
    ...(runs === undefined ? {} : { DECKHAND_CHAOS_RUNS: String(runs) }),
    ...(seed === undefined ? {} : { DECKHAND_CHAOS_SEED: String(seed) }),
    ...(log === undefined ? {} : { DECKHAND_CHAOS_LOG: path.resolve(log) }),
  };
}

/** Runs what the words ask for; the word `changed` asks for the deep tests of what changed since `base`. */
async function runTests(
  words: readonly string[],
  { base, budget, record: isRecorded, ...chosen }: TestOptions,
): Promise<number> {
  const config = loadConfig();
  const root = config.repositoryDir;
  const environment = chaosEnvironment(words, chosen);
  const [first, ...names] = words;
  const forOthers = Object.entries({ base, budget, record: isRecorded }).find(
    ([option, value]) => value !== undefined && first !== (option === 'record' ? 'full' : 'changed'),
  );
  if (forOthers !== undefined) {
    const [option] = forOthers;
    const word = option === 'record' ? 'full' : 'changed';
    throw new DeckhandError('usage', `--${option} belongs to \`./deckhand test ${word}\``);
  }
  if (isRecorded === true) return recordTests(config, names);
  if (first !== 'changed') return runSelection(config, readSelection(words), environment);
  if (names.length > 0) throw new DeckhandError('usage', '`changed` takes no names of suites');
  // Reads sources with a development dependency, which an image does not have.
  const { runChanged } = await import('../test/changed-run.ts');
  return runChanged(
    root,
    { base, budgetMs: budget === undefined ? undefined : budget * 60_000 },
    {
      run: (files, failuresFile) => {
        const suites = SUITES.filter((suite) => files.some((each) => each.suite.name === suite.name));
        const folders = files.map(({ file }) => file);
        return runSelection(
          config,
          { tier: 'deep', suites, folders, withChecks: false },
          { ...environment, [FAILURES_VARIABLE]: failuresFile },
        );
      },
      buildBeside: (suites) => buildBeside(config, suites),
      isBuilt: (suite) => isBuilt(config, suite),
    },
  );
}

/** Records deep tests. @param names suites or files; all where there is none */
async function recordTests(config: Config, names: readonly string[]): Promise<number> {
  const root = config.repositoryDir;
  await findOrBuildTemporal(config, undefined, (message) => console.error(message));
  const { record } = await import('../test/record/run.ts');
  const failed = await record(root, names, (args, environment) =>
    run(root, 'vitest', [...args, '--reporter=dot'], { ...environment, [TIER_VARIABLE]: 'deep' }),
  );
  for (const file of failed) console.error(`not recorded, because it failed: ${file}`);
  return failed.length === 0 ? 0 : 1;
}

async function runSelection(
  config: Config,
  { tier, suites, folders, withChecks }: Selection,
  chosen: Readonly<Record<string, string>>,
): Promise<number> {
  const isCi = config.environment['CI'] !== undefined && config.environment['CI'] !== '';
  const notRun: { suite: Suite; missing: readonly string[] }[] = [];
  const runnable: Suite[] = [];
  for (const suite of suites) {
    const missing = missingTools(suite.tools);
    if (missing.length === 0) runnable.push(suite);
    else notRun.push({ suite, missing });
  }
  for (const { suite, missing } of notRun) {
    console.error(`not run: ${suite.name} (${suite.what}): ${missing.join('; ')}`);
  }
  // Suites that were asked for by name, and those of CI, have to run.
  if (notRun.length > 0 && (isCi || !withChecks)) {
    throw new DeckhandError('dependency_missing', `suites not run: ${notRun.map((n) => n.suite.name).join(', ')}`, {
      userMessage: 'Not every suite can run here.',
      hint: 'Install the tools named above.',
    });
  }
  const startedAtMs = performance.now();
  if (withChecks) await runChecks(config.repositoryDir);
  if (runnable.some((suite) => suite.servers !== 'none')) {
    await findOrBuildTemporal(config, undefined, (message) => console.error(message));
  }
  for (const folder of folders) {
    if (!existsSync(path.join(config.repositoryDir, folder))) {
      throw new DeckhandError('usage', `there is no folder ${folder}`, {
        userMessage: `There is no folder ${folder}.`,
      });
    }
  }
  const projects = runnable.flatMap((s) => ['--project', s.name]);
  // A folder may have no test of a tier.
  const chosenFiles = folders.length === 0 ? [] : ['--passWithNoTests', ...folders];
  const args = ['run', ...projects, ...chosenFiles];
  const stopBuilding = buildBeside(config, runnable);
  const code = await run(config.repositoryDir, 'vitest', args, { ...chosen, [TIER_VARIABLE]: tier }).finally(
    stopBuilding,
  );
  console.error(`tier ${tier}: ${((performance.now() - startedAtMs) / 60_000).toFixed(1)} minutes`);
  return code;
}

/**
 * Builds the programs of the suites in the time that other suites leave unused: one after the other, at the lowest priority, in the order of
 * the suites. A suite that needs its program earlier waits for it; one whose program cannot be built says why itself.
 *
 * @returns Ends a build that is under way
 */
function buildBeside({ repositoryDir, environment }: Config, suites: readonly Suite[]): () => void {
  const scripts = suites.length === 1 ? [] : suites.flatMap(({ buildScript }) => buildScript ?? []);
  let isOver = false;
  let building: ChildProcess | undefined;
  const next = (): void => {
    const script = scripts.shift();
    if (script === undefined || isOver) return;
    // In a process group of its own, which its compilers share.
    building = spawn(process.execPath, [script], {
      cwd: repositoryDir,
      stdio: 'ignore',
      env: environment,
      detached: true,
    });
    building.once('error', () => undefined).once('close', next);
    if (building.pid !== undefined) setPriority(building.pid, constants.priority.PRIORITY_LOW);
  };
  next();
  return () => {
    isOver = true;
    // A build that is not over has not been waited for, so its group is still there.
    if (building?.pid !== undefined && building.exitCode === null && building.signalCode === null)
      process.kill(-building.pid, 'SIGTERM');
  };
}

/** False for a suite whose program takes minutes to build and is not in the cache. */
const isBuilt = ({ repositoryDir, environment }: Config, { buildScript, buildMinutes }: Suite): boolean =>
  buildScript === undefined ||
  buildMinutes === undefined ||
  spawnSync(process.execPath, [buildScript, '--cached'], { cwd: repositoryDir, env: environment }).status === 0;

/** Runs the checks over the sources. @throws DeckhandError `conflict` naming the one that failed */
async function runChecks(root: string): Promise<void> {
  for (const check of CHECKS) {
    const startedAtMs = performance.now();
    console.error(`check: ${check.name}`);
    const code = await run(root, check.command, check.args);
    if (code !== 0) {
      throw new DeckhandError('conflict', `${check.name} failed with exit code ${code}`, {
        userMessage: `The check "${check.name}" failed.`,
        hint: check.hint,
      });
    }
    console.error(`check: ${check.name} ok (${((performance.now() - startedAtMs) / 1000).toFixed(1)} s)`);
  }
}

/** Runs one of the project's own tools with our output. */
function run(
  root: string,
  tool: string,
  args: readonly string[],
  chosen: Readonly<Record<string, string>> = {},
): Promise<number> {
  const bin = path.join(root, 'node_modules', '.bin', tool);
  const nodeDir = path.dirname(process.execPath);
  const { environment } = loadConfig();
  const child = spawn(tool === 'node' ? process.execPath : bin, [...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...environment, ...chosen, PATH: `${nodeDir}${path.delimiter}${environment['PATH'] ?? ''}` },
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

const HOW_TO_GET: Record<Tool, string> = {
  go: 'Go ≥ 1.26, from your package manager or go.dev',
  gcc: 'a C compiler: apt-get install gcc',
  pdftoppm: 'apt-get install poppler-utils',
  chromium: 'apt-get install chromium',
  shellcheck: 'apt-get install shellcheck',
  sshd: 'apt-get install openssh-server',
  python3: 'Python ≥ 3.10 with venv: apt-get install python3-venv',
};

/** Where servers are that are not on every user's PATH. */
const SERVER_DIRS = ['/usr/sbin', '/usr/local/sbin'];

/** For each tool that is not on the PATH, its name and how to get it. */
function missingTools(tools: readonly Tool[]): string[] {
  const { environment } = loadConfig();
  const withServers = { ...environment, PATH: [environment['PATH'] ?? '', ...SERVER_DIRS].join(path.delimiter) };
  const missing: string[] = [];
  for (const tool of tools) {
    if (findOnPath(tool, withServers) === undefined) missing.push(`${tool} is missing (${HOW_TO_GET[tool]})`);
  }
  return missing;
}
