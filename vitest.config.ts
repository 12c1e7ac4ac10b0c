/**
 * Test suites by folder. The tier (DECKHAND_TEST_TIER, set by `./deckhand test`) chooses the files: `fast` leaves out `*.deep.test.ts`, `deep`
 * takes those alone, `full` takes both. Two cores: files run two at a time, except suites that measure or that use up the machine.
 */
import { defineConfig } from 'vitest/config';
import { testTier } from './tests/support/tier.ts';

const DEEP = '**/*.deep.test.ts';

/** What the tier leaves of a suite in this folder. Unit tests have no deep files: the deep tier runs their properties for longer. */
function filesOf(folder: string) {
  const all = `tests/${folder}/**/*.test.ts`;
  switch (testTier()) {
    case 'fast':
      return { include: [all], exclude: [DEEP] };
    case 'deep':
      return { include: [folder === 'unit' ? all : `tests/${folder}/${DEEP}`] };
    case 'full':
      return { include: [all] };
  }
}

interface SuiteOptions {
  readonly testTimeout: number;
  readonly hookTimeout?: number;
}

/** A suite whose files take databases and namespaces from the shared servers and run beside each other. */
const shared = (name: string, { testTimeout, hookTimeout = 180_000 }: SuiteOptions) => ({
  test: {
    name,
    ...filesOf(name),
    pool: 'forks' as const,
    maxWorkers: 2,
    testTimeout,
    hookTimeout,
    globalSetup: ['tests/support/shared-servers.ts'],
  },
});

/** A suite whose files have the machine for themselves, one after the other. */
const alone = (name: string, { testTimeout, hookTimeout = 180_000 }: SuiteOptions) => ({
  test: {
    name,
    ...filesOf(name),
    pool: 'forks' as const,
    fileParallelism: false,
    testTimeout,
    hookTimeout,
    sequence: { groupOrder: 1 },
  },
});

const MINUTE_MS = 60_000;

export default defineConfig({
  test: {
    maxWorkers: 2,
    reporters: ['default'],
    projects: [
      { test: { name: 'unit', ...filesOf('unit'), maxWorkers: 2, testTimeout: MINUTE_MS } },
      shared('integration', { testTimeout: 2 * MINUTE_MS }),
      shared('e2e', { testTimeout: 10 * MINUTE_MS }),
      shared('fleet', { testTimeout: 10 * MINUTE_MS }),
      shared('pages', { testTimeout: 2 * MINUTE_MS }),
      alone('chaos', { testTimeout: 5 * MINUTE_MS }),
      alone('ssh', { testTimeout: 2 * MINUTE_MS }),
      alone('conformance', { testTimeout: 2 * MINUTE_MS, hookTimeout: 10 * MINUTE_MS }),
      alone('compose', { testTimeout: 15 * MINUTE_MS, hookTimeout: 15 * MINUTE_MS }),
      alone('monitoring', { testTimeout: 5 * MINUTE_MS, hookTimeout: 15 * MINUTE_MS }),
      alone('ollama', { testTimeout: 15 * MINUTE_MS, hookTimeout: 15 * MINUTE_MS }),
    ],
  },
});
