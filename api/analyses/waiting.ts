/**
 * What a run waits for, in words: a deck does not fail for want of capacity, so it has to say that it waits.
 */
import type { Client } from '@temporalio/client';
import type { ConvertActivities } from '../../activities/convert/activities.ts';
import type { TextActivities } from '../../activities/text/activities.ts';
import type { VisionActivities } from '../../activities/vision/activities.ts';
import type { Logger } from '../../platform/log.ts';

/** A pending activity as Temporal describes it, as far as it matters here. */
export interface PendingActivity {
  readonly name: string;
  /** True while a worker runs it. */
  readonly started: boolean;
  readonly scheduledAtMs: number;
  /** Message of its last failed attempt. */
  readonly lastFailure: string | null;
}

const DESCRIBE_DEADLINE_MS = 1500;
/** Shorter waits are the ordinary way of a queue. */
const WAITING_AFTER_MS = 3000;
/** `PENDING_ACTIVITY_STATE_SCHEDULED` of the API. */
const SCHEDULED = 1;

/** Who runs an activity; what is not named here is the control worker's. */
const WORKER_OF: Readonly<Partial<Record<string, string>>> = {
  ...named<VisionActivities>('a model host for images', ['describeSlide', 'giveSlideFeedback']),
  ...named<ConvertActivities>('a convert worker', ['probeDeck', 'convertWindow']),
  ...named<TextActivities>('a model host for text', [
    'condenseSlide',
    'extractValue',
    'classifySector',
    'answerQuestion',
    'scoreAnswer',
    'analyseSpecialised',
  ]),
};

function named<Activities>(worker: string, activities: readonly (keyof Activities & string)[]): Record<string, string> {
  return Object.fromEntries(activities.map((name) => [name, worker]));
}

/** Why nothing of a run moves; null when something does, or when it has only just been scheduled. */
export function waitingReason(pending: readonly PendingActivity[], nowMs: number): string | null {
  if (pending.length === 0 || pending.some((a) => a.started)) return null;
  const failing = pending.find((a) => a.lastFailure !== null);
  if (failing !== undefined) return failing.lastFailure;
  const longest = pending.reduce((a, b) => (a.scheduledAtMs <= b.scheduledAtMs ? a : b));
  if (nowMs - longest.scheduledAtMs < WAITING_AFTER_MS) return null;
  return WORKER_OF[longest.name] ?? 'a control worker';
}

/** Asks Temporal what a run waits for; null when it does not answer. */
export async function waitingFor(temporal: Client, workflowId: string, log: Logger): Promise<string | null> {
  try {
    const { raw } = await temporal.withDeadline(Date.now() + DESCRIBE_DEADLINE_MS, () =>
      temporal.workflow.getHandle(workflowId).describe(),
    );
    const pending = (raw.pendingActivities ?? []).map((a) => ({
      name: a.activityType?.name ?? '',
      started: a.state !== SCHEDULED,
      scheduledAtMs: Number(a.scheduledTime?.seconds ?? 0) * 1000,
      lastFailure: a.lastFailure?.message ?? null,
    }));
    return waitingReason(pending, Date.now());
  } catch (error) {
    // Not an error of the request: the progress is there without it.
    log.debug({ err: error, workflowId }, 'Temporal did not say what the run waits for');
    return null;
  }
}
