/** The API of a test with a worker that runs the stand-in of the deck workflow. */
import { fileURLToPath } from 'node:url';
import { startTestWorker } from '../../../testing/test-worker.ts';
import { CONTROL_QUEUE } from '../../../contracts/queues.ts';
import type { RuntimeServers } from '../../../testing/test-servers.ts';
import { startTestApi, type TestApi } from './support.ts';

const WORKFLOW = fileURLToPath(new URL('./programs/deck-workflow.ts', import.meta.url));

/** Starts both, on shared servers or on these; the worker ends with the API. */
export async function startTestApiWithWorker(servers?: RuntimeServers): Promise<TestApi> {
  const api = await startTestApi(servers);
  const worker = await startTestWorker(api, { taskQueue: CONTROL_QUEUE, workflowsPath: WORKFLOW });
  return {
    ...api,
    close: async () => {
      try {
        await worker.stop();
      } finally {
        await api.close();
      }
    },
  };
}
