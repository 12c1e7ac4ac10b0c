/**
 * Tests by folder: unit (pure, fast), contract and integration (real processes and sockets), e2e (the whole pipeline), compose, and
 * real-ollama (needs the server that `./deckhand test ollama` builds). Two cores: files with servers run one after the other.
 */
import { defineConfig } from 'vitest/config';

const servers = { pool: 'forks' as const, fileParallelism: false, testTimeout: 120_000, hookTimeout: 180_000 };

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['tests/unit/**/*.test.ts'], testTimeout: 60_000 } },
      { test: { name: 'integration', include: ['tests/integration/**/*.test.ts'], ...servers } },
      { test: { name: 'e2e', include: ['tests/e2e/**/*.test.ts'], ...servers, testTimeout: 600_000 } },
      { test: { name: 'fleet', include: ['tests/fleet/**/*.test.ts'], ...servers, testTimeout: 600_000 } },
      { test: { name: 'chaos', include: ['tests/chaos/**/*.test.ts'], ...servers, testTimeout: 300_000 } },
      { test: { name: 'pages', include: ['tests/pages/**/*.test.ts'], ...servers } },
      { test: { name: 'ssh', include: ['tests/ssh/**/*.test.ts'], ...servers } },
      { test: { name: 'conformance', include: ['tests/conformance/**/*.test.ts'], ...servers, hookTimeout: 600_000 } },
      {
        test: {
          name: 'compose',
          include: ['tests/compose/**/*.test.ts'],
          ...servers,
          testTimeout: 900_000,
          hookTimeout: 900_000,
        },
      },
      {
        test: {
          name: 'monitoring',
          include: ['tests/monitoring/**/*.test.ts'],
          ...servers,
          testTimeout: 300_000,
          hookTimeout: 900_000,
        },
      },
      {
        test: {
          name: 'ollama',
          include: ['tests/real-ollama/**/*.test.ts'],
          ...servers,
          testTimeout: 900_000,
          hookTimeout: 900_000,
        },
      },
    ],
  },
});
