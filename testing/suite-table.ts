/**
 * Prints, at the end of a run of vitest, what each suite took and the ten slowest files, and one closing line with the counts of tests. Of the
 * fast tier it says what is over its budget.
 */
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';
import { budgetLines, failureLines, renderTestTable, type FileOutcome } from '../cli/test/table.ts';
import { failuresFile, testTier } from './tier.ts';

/** The reporter that `./deckhand test` adds to vitest's own. */
export class SuiteTable implements Reporter {
  #startedMs = performance.now();

  onTestRunStart(): void {
    this.#startedMs = performance.now();
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const root = process.cwd();
    const files = modules.map((module) => outcomeOf(module, root));
    const outside = unhandled.map((error) => `failed: outside a test: ${firstLine(error)}`);
    const failures = failuresFile();
    if (failures !== undefined)
      appendFileSync(failures, [...failureLines(files), ...outside].map((line) => `${line}\n`).join(''));
    const budget =
      testTier() === 'fast' ? `\n${budgetLines(files, performance.now() - this.#startedMs).join('\n')}\n` : '';
    process.stdout.write(`${budget}\n${[...outside, renderTestTable(files)].join('\n')}\n`);
  }
}

function outcomeOf(module: TestModule, root: string): FileOutcome {
  const tests = [...module.children.allTests()];
  const count = (state: 'passed' | 'failed' | 'skipped'): number =>
    tests.filter((test) => test.result().state === state).length;
  const failures = [
    ...module.errors().map((error) => `the file itself: ${firstLine(error)}`),
    ...[...module.children.allSuites()].flatMap((suite) =>
      suite.errors().map((error) => `${suite.fullName}: ${firstLine(error)}`),
    ),
    ...tests.flatMap((test) =>
      (test.result().state === 'failed' ? (test.result().errors ?? []) : [])
        .slice(0, 1)
        .map((error) => `${test.fullName}: ${firstLine(error)}`),
    ),
  ];
  const { collectDuration, setupDuration, environmentSetupDuration, prepareDuration, duration } = module.diagnostic();
  return {
    suite: module.project.name,
    file: path.relative(root, module.moduleId),
    passed: count('passed'),
    // A file that cannot be loaded, or whose hook fails, has no failed test and failed all the same.
    failed: Math.max(count('failed'), module.ok() ? 0 : 1),
    failures,
    skipped: count('skipped'),
    durationMs: collectDuration + setupDuration + environmentSetupDuration + prepareDuration + duration,
  };
}

const firstLine = ({ message }: SerializedError): string => message.split('\n', 1)[0] ?? '';
