/**
 * Prints, at the end of a run of vitest, what each suite took and the ten slowest files, and one closing line with the counts of tests. Of the
 * fast tier it says what is over its budget.
 */
import path from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { budgetLines, renderTestTable, type FileOutcome } from '../cli/test/table.ts';
import { testTier } from './tier.ts';

/** The reporter that `./deckhand test` adds to vitest's own. */
export class SuiteTable implements Reporter {
  #startedMs = performance.now();

  onTestRunStart(): void {
    this.#startedMs = performance.now();
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const root = process.cwd();
    const files = modules.map((module) => outcomeOf(module, root));
    const budget =
      testTier() === 'fast' ? `\n${budgetLines(files, performance.now() - this.#startedMs).join('\n')}\n` : '';
    process.stdout.write(`${budget}\n${renderTestTable(files)}\n`);
  }
}

function outcomeOf(module: TestModule, root: string): FileOutcome {
  const tests = [...module.children.allTests()];
  const count = (state: 'passed' | 'failed' | 'skipped'): number =>
    tests.filter((test) => test.result().state === state).length;
  const { collectDuration, setupDuration, environmentSetupDuration, prepareDuration, duration } = module.diagnostic();
  return {
    suite: module.project.name,
    file: path.relative(root, module.moduleId),
    passed: count('passed'),
    // A file that cannot be loaded, or whose hook fails, has no failed test and failed all the same.
    failed: Math.max(count('failed'), module.ok() ? 0 : 1),
    skipped: count('skipped'),
    durationMs: collectDuration + setupDuration + environmentSetupDuration + prepareDuration + duration,
  };
}
