/**
 * Checks whether a worker process of this machine works: `node workers/health-check.ts control|convert|gateway`.
 *
 * A worker has no port, and a process that exists may be stuck. So this asks Temporal which processes polled the worker's queues
 * lately. Exit code 0: every queue was polled; 1: not, with one line on stderr that says which. Container engines run it.
 */
import { hostname } from 'node:os';
import { loadConfig } from '../platform/config.ts';
import { connectTemporal, temporalTarget } from '../platform/temporal.ts';
import { POLLED_QUEUES } from '../contracts/queues.ts';

/** Number of activity queues in the API's enum of queue types. */
const ACTIVITY = 2;
/** A poll lasts a minute at most, so a worker at work was seen since. */
const SEEN_WITHIN_MS = 150_000;
const ANSWER_WITHIN_MS = 10_000;

/** Queues of the worker that none of its processes polled lately. */
async function unpolledQueues(worker: string, queues: readonly string[]): Promise<string[]> {
  const config = loadConfig();
  const target = temporalTarget(config);
  const { connection } = await connectTemporal(target, config);
  try {
    const unpolled: string[] = [];
    for (const name of queues) {
      const { pollers } = await connection.withDeadline(Date.now() + ANSWER_WITHIN_MS, () =>
        connection.workflowService.describeTaskQueue({
          namespace: target.namespace,
          taskQueue: { name },
          taskQueueType: ACTIVITY,
        }),
      );
      const seen = (pollers ?? []).some(
        ({ identity, lastAccessTime }) =>
          identity?.startsWith(`${worker}/${hostname()}/`) === true &&
          Date.now() - Number(lastAccessTime?.seconds ?? 0) * 1_000 < SEEN_WITHIN_MS,
      );
      if (!seen) unpolled.push(name);
    }
    return unpolled;
  } finally {
    await connection.close();
  }
}

const worker = process.argv[2] ?? '';
const queues = new Map<string, readonly string[]>(Object.entries(POLLED_QUEUES)).get(worker);
try {
  if (queues === undefined)
    throw new Error(`usage: node workers/health-check.ts ${Object.keys(POLLED_QUEUES).join('|')}`);
  const unpolled = await unpolledQueues(worker, queues);
  if (unpolled.length > 0) throw new Error(`${worker} does not poll ${unpolled.join(', ')}`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
