/**
 * Prints, at the end of a run of vitest, what each suite took and the ten slowest files, and one closing line with the counts of tests.
 */
import path from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { renderTestTable, type FileOutcome } from '../cli/test/table.ts';

/** The reporter that `./deckhand test` adds to vitest's own. */
export class SuiteTable implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const root = process.cwd();
    process.stdout.write(`\n${renderTestTable(modules.map((module) => outcomeOf(module, root)))}\n`);
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
