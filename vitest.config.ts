/**
 * One project per suite of cli/test/suites.ts. The tier (DECKHAND_TEST_TIER, set by `./deckhand test`) chooses the files: `fast` leaves out
 * `*.deep.test.ts`, `deep` takes what `fast` leaves out and the unit tests with properties, `full` takes all.
 */
import { defineConfig } from 'vitest/config';
import { DEEP_FILES, deepPatterns, TEST_FILES } from './cli/test/deep-files.ts';
import { SUITES, type Suite } from './cli/test/suites.ts';
import { LongestFirst } from './testing/longest-first.ts';
import { SuiteTable } from './testing/suite-table.ts';
import { testTier } from './testing/tier.ts';

const MINUTE_MS = 60_000;
/** Limit of one test and of one hook, where a suite has no other. */
const LIMIT_MS = 10 * MINUTE_MS;
/** One more than the cores of a small machine: while some files wait, others compute. */
const FILES_AT_A_TIME = 3;
/** What is started before the files of a suite, by the servers it uses. */
const SETUPS: Readonly<Record<Suite['servers'], string[]>> = {
  none: [],
  own: [],
  shared: ['testing/shared-servers.ts'],
  stack: ['testing/shared-servers.ts', 'testing/shared-stack.ts'],
};

/** For every file; it does nothing unless the run is recorded. */
const SETUP_FILES = ['testing/take-coverage.ts'];
/** A larger space for new objects is collected less often: component tests take a twentieth less processor time. */
const execArgv = ['--max-semi-space-size=64'];
const PLAIN = { pool: 'forks' as const, execArgv, setupFiles: SETUP_FILES };
/** The suite of components runs in jsdom. A context of `vm` per file takes half of the time of a process per file, and isolates as well. */
const IN_BROWSER = {
  pool: 'vmForks' as const,
  execArgv,
  environment: 'jsdom' as const,
  setupFiles: [...SETUP_FILES, 'tests/web/support/setup.ts'],
};

/**
 * Whether the files of a suite share processes, which saves up to half of their processor time: they leave nothing behind. Files of other suites end whole
 * stacks, or their modules hold the document of a jsdom.
 */
const sharesProcesses = ({ name }: Suite): boolean => name === 'unit' || name === 'integration';

/** Files of a suite in this tier. */
function filesOf(suite: Suite) {
  const all = [`tests/${suite.name}/${TEST_FILES}`];
  switch (testTier()) {
    case 'fast':
      return { include: all, exclude: [DEEP_FILES] };
    case 'deep':
      return { include: deepPatterns(import.meta.dirname, suite) };
    case 'full':
      return { include: all };
  }
}

export default defineConfig({
  test: {
    reporters: ['default', new SuiteTable()],
    sequence: { sequencer: LongestFirst },
    // `npm run coverage`: how much of the workspace is reached without a browser.
    coverage: {
      provider: 'v8',
      include: ['web/**/*.{ts,tsx}'],
      exclude: ['web/vite.config.ts'],
      reportsDirectory: 'node_modules/.coverage',
      reporter: ['text-summary', 'json-summary'],
      thresholds: { statements: 60 },
    },
    projects: SUITES.map((suite: Suite) => ({
      // Without the stack that the development build takes for each element, components render a tenth faster.
      oxc: { jsx: { runtime: 'automatic', development: false } },
      test: {
        name: suite.name,
        ...filesOf(suite),
        ...(suite.name === 'web' ? IN_BROWSER : PLAIN),
        isolate: !sharesProcesses(suite),
        expect: { poll: { timeout: MINUTE_MS } },
        testTimeout: suite.testTimeoutMs ?? LIMIT_MS,
        hookTimeout: suite.hookTimeoutMs ?? LIMIT_MS,
        globalSetup: SETUPS[suite.servers],
        maxWorkers: FILES_AT_A_TIME,
      },
    })),
  },
});
