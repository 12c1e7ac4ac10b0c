/**
 * `deckhand test [SUITE…]`: everything that has to hold. Type check, lint, format, dead code and migrations first, then vitest, whose own
 * summary ends the run.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { InvalidArgumentError, type Command } from 'commander';
import { DeckhandError } from '../../domain/errors.ts';
import { loadConfig } from '../../platform/config.ts';
import { findOrBuildTemporal } from '../../platform/runtime/temporal-find.ts';
import { CHECKS, SUITES, suiteNamed, type Suite } from '../test/suites.ts';
import { missingTools } from '../test/tools.ts';

/** Adds the command. */
export function registerTest(program: Command): void {
  program
    .command('test')
    .description('run the checks and every test, or the named suites alone')
    .argument('[suites...]', `of ${SUITES.map((s) => s.name).join(', ')}`)
    .option('--runs <n>', 'of suite chaos: so many runs', wholePositive)
    .option('--seed <n>', 'of suite chaos: the run of this seed, or the first of --runs', wholePositive)
    .option('--log <file>', 'of suite chaos: one JSON line a run is added to this file')
    .action(async (names: string[], options: ChaosOptions) => {
      process.exitCode = await runTests(names, chaosEnvironment(names, options));
    });
}

/** Choices that only suite `chaos` has. */
export interface ChaosOptions {
  readonly runs?: number;
  readonly seed?: number;
  readonly log?: string;
}

function wholePositive(text: string): number {
  if (/^[1-9]\d{0,8}$/u.test(text)) return Number(text);
  throw new InvalidArgumentError('It has to be a whole number from 1 on.');
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

async function runTests(names: readonly string[], chosen: Readonly<Record<string, string>>): Promise<number> {
  const config = loadConfig();
  const isCi = config.environment['CI'] !== undefined && config.environment['CI'] !== '';
  const wanted = names.length === 0 ? SUITES : names.map(suiteNamed);
  const notRun: { suite: Suite; missing: readonly string[] }[] = [];
  const runnable: Suite[] = [];
  for (const suite of wanted) {
    const missing = missingTools(suite.tools);
    if (missing.length === 0) runnable.push(suite);
    else notRun.push({ suite, missing });
  }
  for (const { suite, missing } of notRun) {
    console.error(`not run: ${suite.name} (${suite.what}): ${missing.join('; ')}`);
  }
  if (notRun.length > 0 && (isCi || names.length > 0)) {
    throw new DeckhandError('dependency_missing', `suites not run: ${notRun.map((n) => n.suite.name).join(', ')}`, {
      userMessage: 'Not every suite can run here.',
      hint: 'Install the tools named above.',
    });
  }
  const root = config.repositoryDir;
  if (names.length === 0) {
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
  if (runnable.some((suite) => suite.usesTemporal)) {
    await findOrBuildTemporal(config, undefined, (message) => console.error(message));
  }
  return run(root, 'vitest', ['run', ...runnable.flatMap((s) => ['--project', s.name])], chosen);
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
