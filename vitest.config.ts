/**
 * One project per suite of cli/test/suites.ts. The tier (DECKHAND_TEST_TIER, set by `./deckhand test`) chooses the files: `fast` leaves out
 * `*.deep.test.ts`, `deep` takes what `fast` leaves out and the unit tests with properties, `full` takes all.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { SUITES, type Suite } from './cli/test/suites.ts';
import { SuiteTable } from './testing/suite-table.ts';
import { testTier } from './testing/tier.ts';

const DEEP = '**/*.deep.test.ts';
const MINUTE_MS = 60_000;
/** Limit of one test and of one hook, where a suite has no other. */
const LIMIT_MS = 10 * MINUTE_MS;
/** What is started before the files of a suite, by the servers it uses. */
const SETUPS: Readonly<Record<Suite['servers'], string[]>> = {
  none: [],
  own: [],
  shared: ['testing/shared-servers.ts'],
  stack: ['testing/shared-servers.ts', 'testing/shared-stack.ts'],
};

/** The suite of components runs in jsdom; the others in plain Node. */
const IN_BROWSER = { environment: 'jsdom' as const, setupFiles: ['tests/web/support/setup.ts'] };

/** Test files of a folder whose properties are longer in the deep tier. */
const withProperties = (folder: string) =>
  globSync(`${folder}/**/*.test.ts`, { cwd: import.meta.dirname }).filter((file) =>
    /testing\/(?:property|tier)\.ts'/u.test(readFileSync(path.join(import.meta.dirname, file), 'utf8')),
  );

/** Files of a suite in this tier. */
function filesOf({ name, isFast }: Suite) {
  const all = [`tests/${name}/**/*.test.{ts,tsx}`];
  switch (testTier()) {
    case 'fast':
      return { include: all, exclude: [DEEP] };
    case 'deep':
      if (name === 'unit') return { include: withProperties(`tests/${name}`) };
      return { include: isFast ? [`tests/${name}/${DEEP}`] : all };
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
        ...(suite.name === 'web' ? IN_BROWSER : {}),
        pool: 'forks' as const,
        expect: { poll: { timeout: MINUTE_MS } },
        testTimeout: suite.testTimeoutMs ?? LIMIT_MS,
        hookTimeout: suite.hookTimeoutMs ?? LIMIT_MS,
        globalSetup: SETUPS[suite.servers],
        // Suites with the same number of files at a time are a group; a group begins when the one before has ended.
        maxWorkers: suite.filesAtATime,
        sequence: { groupOrder: 3 - suite.filesAtATime },
      },
    })),
  },
});
