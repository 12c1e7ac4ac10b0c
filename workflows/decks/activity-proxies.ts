/** The activities a deck's run uses: one block per retry class, with its reason. */
import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow';
import type { ConvertActivities } from '../../activities/convert/activities.ts';
import type { SecondReadingActivities } from '../../activities/convert/second-reading.ts';
import type { DeckActivities } from '../../activities/decks/activities.ts';
import type { ModelActivities } from '../../activities/models/activities.ts';
import type { GpuClass } from '../../domain/models/model-tasks.ts';
import { STEP_RETRY } from '../retry-policies.ts';
import { CONTROL_QUEUE, CONVERT_QUEUE, SECOND_READING_QUEUE } from '../../contracts/queues.ts';

/** Decide and store: milliseconds of database work, repeated until the database answers. A lost worker is noticed by its heartbeat. */
export const control = proxyActivities<DeckActivities>({
  taskQueue: CONTROL_QUEUE,
  startToCloseTimeout: '2m',
  heartbeatTimeout: '30s',
  retry: STEP_RETRY,
});

/** Render: CPU work in killable processes with their own limits; a lost worker is noticed by its heartbeat. */
export const convert = proxyActivities<ConvertActivities>({
  taskQueue: CONVERT_QUEUE,
  startToCloseTimeout: '10m',
  heartbeatTimeout: '30s',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: STEP_RETRY,
});

/**
 * Second reading: CPU work in killable processes that keep their own time. A deck has its values without it, so its end waits for a while
 * only: for a place, and for three attempts.
 */
export const secondReading = proxyActivities<SecondReadingActivities>({
  taskQueue: SECOND_READING_QUEUE,
  scheduleToCloseTimeout: '10m',
  startToCloseTimeout: '5m',
  heartbeatTimeout: '30s',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { ...STEP_RETRY, maximumAttempts: 3 },
});

// Model calls hold a GPU. No schedule-to-start limit: a deck waits for capacity and says so. A call has up to three attempts and a model load
// inside, each with its own limit that follows from its tokens and may be hours on a slow machine; a lost worker is noticed by its heartbeat.
// So this limit only bounds what is broken. Cancellation waits until the request is really gone, because only then is the GPU free.
const modelCall = {
  startToCloseTimeout: '7d',
  heartbeatTimeout: '30s',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: STEP_RETRY,
} as const;

/** Model calls, by the class queue that they wait in. */
export const modelCalls = {
  'gpu-visual': proxyActivities<ModelActivities>({ taskQueue: 'gpu-visual', ...modelCall }),
  'gpu-text': proxyActivities<ModelActivities>({ taskQueue: 'gpu-text', ...modelCall }),
} as const satisfies Record<GpuClass, unknown>;
