/**
 * One project per suite of cli/test/suites.ts. The tier (DECKHAND_TEST_TIER, set by `./deckhand test`) chooses the files: `fast` leaves out
 * `*.deep.test.ts`, `deep` takes those alone, `full` takes both. On two cores files run two at a time, those of suites that are `isAlone` one.
 */
import { defineConfig } from 'vitest/config';
import { SUITES, type Suite } from './cli/test/suites.ts';
import { SuiteTable } from './testing/suite-table.ts';
import { testTier } from './testing/tier.ts';

const DEEP = '**/*.deep.test.ts';
const MINUTE_MS = 60_000;
const FILES_AT_A_TIME = 2;
/** What is started before the files of a suite, by the servers it uses. */
const SETUPS: Readonly<Record<Suite['servers'], string[]>> = {
  none: [],
  own: [],
  shared: ['testing/shared-servers.ts'],
  stack: ['testing/shared-servers.ts', 'testing/shared-stack.ts'],
};

/** Files of a suite in this tier. The deep tier of the unit tests is the same files with longer properties. */
function filesOf({ name, isFast }: Suite) {
  const all = [`tests/${name}/**/*.test.ts`];
  switch (testTier()) {
    case 'fast':
      return { include: all, exclude: [DEEP] };
    case 'deep':
      return { include: name === 'unit' || !isFast ? all : [`tests/${name}/${DEEP}`] };
    case 'full':
      return { include: all };
  }
}

export default defineConfig({
  test: {
    reporters: ['default', new SuiteTable()],
    projects: SUITES.map((suite: Suite) => ({
      test: {
        name: suite.name,
        ...filesOf(suite),
        pool: 'forks' as const,
        expect: { poll: { timeout: MINUTE_MS } },
        testTimeout: suite.testTimeoutMs ?? MINUTE_MS,
        hookTimeout: suite.hookTimeoutMs ?? 3 * MINUTE_MS,
        globalSetup: SETUPS[suite.servers],
        // A group begins when the one before has ended.
        ...(suite.isAlone ? { maxWorkers: 1, sequence: { groupOrder: 1 } } : { maxWorkers: FILES_AT_A_TIME }),
      },
    })),
  },
});
