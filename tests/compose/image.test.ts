/** The image, built and run without an engine: the Dockerfile's steps in a copy of the checkout, then each process that compose starts. */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { REPOSITORY_DIR } from '../../platform/config.ts';
import { carryOutStage, exists, runStep, stagesOf } from './image-steps.ts';

const START_MS = 30_000;
const stages = stagesOf(readFileSync(join(REPOSITORY_DIR, 'Dockerfile'), 'utf8'));
let app = '';

const node = (args: readonly string[], variables: Readonly<Record<string, string>> = {}) =>
  runStep(app, ['node', ...args], { limitMs: START_MS, variables: { DECKHAND_HOME: join(app, 'home'), ...variables } });

beforeAll(async () => {
  app = await mkdtemp(join(tmpdir(), 'deckhand-image-'));
  await carryOutStage(stages[0] ?? [], app);
});
afterAll(() => rm(app, { recursive: true, force: true }));

it('the image holds the sources, the packages they run on and the database client, and nothing else of the checkout', () => {
  for (const path of [
    'workers/control.ts',
    'node_modules/@temporalio/worker',
    'generated/prisma',
    'prisma/migrations',
  ]) {
    expect(exists(app, path), path).toBe(true);
  }
  for (const path of ['tests', 'samples', '.env', '.git', '.deckhand', 'node_modules/vitest', 'node_modules/oxlint']) {
    expect(exists(app, path), path).toBe(false);
  }
});

it('the image ends its stages as a user that is not root, with no secret in its environment', () => {
  const last = stages.at(-1) ?? [];
  expect(last.filter(({ name }) => name === 'USER').map(({ value }) => value)).toEqual(['1000:1000']);
  expect(
    stages
      .flat()
      .filter(({ name, value }) => ['ENV', 'ARG'].includes(name) && /PASSWORD|SECRET|TOKEN|KEY/i.test(value)),
  ).toEqual([]);
});

it('the image answers to deckhand --help', async () => {
  expect(await node(['cli/main.ts', '--help'])).toMatchObject({
    code: 0,
    output: expect.stringContaining('migrate'),
  });
});

// With a setting that cannot be right, a process loads everything it is made of and then ends by naming the setting.
it.each(['api/main.ts', 'workers/control.ts', 'workers/convert.ts', 'workers/gateway.ts'])(
  'the image can load %s',
  async (entry) => {
    const { code, output } = await node([entry], { DECKHAND_API_PORT: 'none' });
    expect(output).toContain('DECKHAND_API_PORT');
    expect(code).toBe(1);
  },
);

it('the image can load the migration, which says when the database is not there', async () => {
  const { code, output } = await node(['prisma/main.ts'], {
    DATABASE_URL: 'postgresql://deckhand@127.0.0.1:1/deckhand',
  });
  expect(output).toContain('database cannot be reached');
  expect(code).not.toBe(0);
});

it('the image can load the built-in reader', async () => {
  expect(await node(['simulators/ollama/main.ts', '--help'])).toMatchObject({
    code: 0,
    output: expect.stringContaining('--bind'),
  });
});

it('the image calls a worker unhealthy whose Temporal does not answer', async () => {
  const { code, output } = await node(['workers/health-check.ts', 'control'], { TEMPORAL_ADDRESS: '127.0.0.1:1' });
  expect(code).toBe(1);
  expect(output).not.toBe('');
  expect(output).not.toContain('ERR_MODULE_NOT_FOUND');
});
