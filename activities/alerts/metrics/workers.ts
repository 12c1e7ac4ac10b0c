/** Metrics of Deckhand's own processes: who asks Temporal for work. The control process is not among them: it is the one that asks. */
import { durationWords } from '../../../domain/text/words.ts';
import { CONVERT_QUEUE } from '../../../contracts/queues.ts';
import { GATEWAY_QUEUE } from '../../../contracts/queues.ts';
import type { MetricReader } from './reader.ts';

/** A queue that every process of the kind polls all the time. */
const QUEUES = [
  { worker: 'convert', queue: CONVERT_QUEUE },
  { worker: 'gateway', queue: GATEWAY_QUEUE },
] as const;

/** Number of activity queues in the server's enum of queue types. */
const ACTIVITY = 2;
/** The server forgets a poller after five minutes; longer than that is not known. */
const FORGOTTEN_AFTER_SEC = 300;
const ANSWER_WITHIN_MS = 10_000;

/** When any process of a kind last asked for work. */
export const readSilentWorkers: MetricReader = ({ temporal, now }) =>
  Promise.all(
    QUEUES.map(async ({ worker, queue }) => {
      const { pollers } = await temporal.withDeadline(Date.now() + ANSWER_WITHIN_MS, () =>
        temporal.workflowService.describeTaskQueue({
          namespace: temporal.options.namespace,
          taskQueue: { name: queue },
          taskQueueType: ACTIVITY,
        }),
      );
      const lastSec = Math.max(0, ...(pollers ?? []).map((poller) => Number(poller.lastAccessTime?.seconds ?? 0)));
      const value = Math.min(FORGOTTEN_AFTER_SEC, Math.max(0, now.getTime() / 1000 - lastSec));
      const over = value === FORGOTTEN_AFTER_SEC ? ' or longer' : '';
      const message = `No ${worker} process has asked for work for ${durationWords(value * 1000)}${over}.`;
      return { subject: worker, value, message };
    }),
  );
