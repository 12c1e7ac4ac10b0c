/**
 * The activities a health loop uses: one block per retry class, with its reason.
 */
import { proxyActivities } from '@temporalio/workflow';
import type { HealthActivities } from '../../activities/health/contract.ts';
import type { InstanceActivities } from '../../activities/fleet/instance/contract.ts';
import { LONGEST_LOAD_MS } from '../../domain/health/rules.ts';
import { FLEET_QUEUE, makeHostQueue } from '../../contracts/queues.ts';
import type { HostHealthActivities } from '../../contracts/health.ts';

/** A look that finds nobody, or takes for ever, is a missing sample: it is not repeated but judged. */
const SHORTEST_MS = 5_000;
const LONGEST_START_MS = 15_000;
const LONGEST_SAMPLE_MS = 30_000;
/** A probe waits a moment for its slot and looks before and afterwards where the model is. */
const PROBE_GRACE_MS = 15_000;

const within = (ms: number, longestMs: number): number => Math.min(longestMs, Math.max(SHORTEST_MS, ms));

/** What is asked over the host queue of the gateway that is attached. Never repeated: the next look is due soon. */
export function hostHealth(
  instance: string,
  times: { readonly sampleIntervalMs: number; readonly probeTimeoutMs: number },
) {
  const common = {
    taskQueue: makeHostQueue(instance),
    scheduleToStartTimeout: within(times.sampleIntervalMs / 4, LONGEST_START_MS),
    heartbeatTimeout: '10s',
    retry: { maximumAttempts: 1 },
  } as const;
  const sampling = proxyActivities<Pick<HostHealthActivities, 'measureHealth'>>({
    ...common,
    startToCloseTimeout: within(times.sampleIntervalMs / 2, LONGEST_SAMPLE_MS),
  });
  const probing = proxyActivities<Pick<HostHealthActivities, 'probeHealth'>>({
    ...common,
    // A model that is not in memory is loaded first. Given up before that is over, it would never be, and nobody would know why.
    startToCloseTimeout: LONGEST_LOAD_MS + times.probeTimeoutMs + PROBE_GRACE_MS,
  });
  return { measureHealth: sampling.measureHealth, probeHealth: probing.probeHealth };
}

/** Rows and words: tried for a while. What could not be stored is stored with the next look; looking does not wait for a database. */
export const storing = proxyActivities<
  Pick<HealthActivities, 'storeHealth'> & Pick<InstanceActivities, 'alertOperator'>
>({
  taskQueue: FLEET_QUEUE,
  startToCloseTimeout: '10s',
  retry: { initialInterval: '200ms', backoffCoefficient: 3, maximumInterval: '5s', maximumAttempts: 5 },
});
