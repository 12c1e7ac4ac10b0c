/**
 * The worked example of a changed workflow: runs that are open go on as they began, new ones take the new step, and the recorded histories of both
 * are replayed against the code, as tests/unit/workflows/histories.test.ts does for Deckhand's own.
 */
import { fileURLToPath } from 'node:url';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../../platform/config.ts';
import { temporalDataConverter } from '../../../platform/temporal/data-converter.ts';
import { folderPerTest } from '../../../testing/per-file.ts';
import { makeTestNamespace } from '../../../testing/test-servers.ts';
import { startTestWorker } from '../../../testing/test-worker.ts';
import { until } from '../../../testing/until.ts';

const TASK_QUEUE = 'reminders';
const programOf = (version: string): string => fileURLToPath(new URL(`./example/${version}.ts`, import.meta.url));

it('a run that is open when a workflow changes goes on as it began, and its history replays', async () => {
  const place = await makeTestNamespace();
  const config = loadConfig({ ...loadConfig().environment, DECKHAND_HOME: folderPerTest() });
  const connection = await Connection.connect({ address: place.temporalAddress });
  onTestFinished(() => connection.close());
  const dataConverter = temporalDataConverter(config);
  const { workflow } = new Client({ connection, namespace: place.temporalNamespace, dataConverter });
  const done: Record<string, string[]> = {};
  const workerOf = (version: string) =>
    startTestWorker(
      { ...place, config },
      {
        taskQueue: TASK_QUEUE,
        workflowsPath: programOf(version),
        activities: {
          act: (what: string) => {
            done[version] = [...(done[version] ?? []), what];
            return Promise.resolve();
          },
        },
      },
    );
  const start = (workflowId: string): Promise<WorkflowHandle> =>
    workflow.start('reminder', { workflowId, taskQueue: TASK_QUEUE });
  const replayOf = async (version: string, handle: WorkflowHandle): Promise<string | null> => {
    const history = await handle.fetchHistory();
    const histories = [{ workflowId: handle.workflowId, history }];
    const replays = Worker.runReplayHistories({ workflowsPath: programOf(version), dataConverter }, histories);
    for await (const { error } of replays) return error?.name ?? null;
    return 'nothing was replayed';
  };

  const before = await workerOf('before');
  const open = await start('open');
  await until(() => done['before']?.length ?? 0).is(1);
  await before.stop();

  const after = await workerOf('after');
  await open.signal('answer');
  await open.result();
  expect(done).toEqual({ before: ['remind'], after: ['close'] });
  done['after'] = [];
  const fresh = await start('fresh');
  await fresh.signal('answer');
  await fresh.result();
  expect(done['after']).toEqual(['remind', 'thank', 'close']);
  await after.stop();

  expect(await replayOf('after', open)).toBeNull();
  expect(await replayOf('after', fresh)).toBeNull();
  expect(await replayOf('unguarded', open)).toMatch(/Determinism/u);
});
