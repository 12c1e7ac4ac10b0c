/** The deployment of an endpoint pool as the pool keeps it: it looks, steps the pure life, and carries out at most one command per round. */
import { ActivityFailure, log, proxyActivities } from '@temporalio/workflow';
import type { EndpointActivities } from '../../../activities/fleet/endpoint/activities.ts';
import {
  isAtRest,
  newEndpoint,
  stepEndpoint,
  type EndpointCommand,
  type EndpointEvent,
  type EndpointState,
} from '../../../domain/fleet/endpoint-life/endpoint-life.ts';
import type { PoolSetup } from '../../../domain/fleet/pool/pool-state.ts';
import { FLEET_QUEUE } from '../../../contracts/queues.ts';
import { failureMessage } from '../instance/failure-info.ts';

/** A look that does not come through is made again at the next round. */
const looking = proxyActivities<Pick<EndpointActivities, 'lookAtEndpoint'>>({
  taskQueue: FLEET_QUEUE,
  startToCloseTimeout: '30s',
  heartbeatTimeout: '5s',
  retry: { maximumAttempts: 2 },
});

/** A command is sent once: the next look shows what it came to. */
const changing = proxyActivities<Pick<EndpointActivities, 'changeEndpoint'>>({
  taskQueue: FLEET_QUEUE,
  startToCloseTimeout: '2m',
  heartbeatTimeout: '5s',
  retry: { maximumAttempts: 1 },
});

const RESTART_PAUSE_MS = 30 * 60_000;

/**
 * One round. Answers the state afterwards.
 *
 * @param setup `retired` also where the pool is configured without a deployment now
 * @param before null = nothing is known of the deployment yet: it is looked for
 * @param instances of the pool, as far as their life has not ended
 * @param sickSinceMs begin of the latest episode for which one of them is repaired; null = none is
 */
export async function keepEndpoint(
  setup: PoolSetup,
  before: EndpointState | null,
  instances: number,
  sickSinceMs: number | null,
): Promise<EndpointState> {
  const { config: pool, retired = false, capabilities } = setup;
  const { ladderPauseMs, ladderPauseMaxMs } = pool.timing;
  const isRetired = retired && instances === 0;
  if (before !== null && isAtRest(before, instances) && !(isRetired && before.phase === 'paused')) return before;
  const patience = {
    visibilityWindowMs:
      pool.timing.visibilityWindowMs ?? capabilities.deploymentVisibilityMs ?? capabilities.visibilityWindowMs,
    retryMs: ladderPauseMs,
    longestRetryMs: ladderPauseMaxMs,
    restartPauseMs: RESTART_PAUSE_MS,
  };
  let state = before ?? newEndpoint(Date.now());
  const step = (event: EndpointEvent): EndpointCommand | null => {
    const result = stepEndpoint(state, event, patience);
    ({ state } = result);
    return result.command;
  };
  try {
    const { sight, claims, error } = await looking.lookAtEndpoint({ pool });
    if (error !== null) return { ...state, reason: `its provider does not answer: ${error}` };
    const command = step({ kind: 'looked', atMs: Date.now(), sight, claims, isRetired, sickSinceMs });
    if (command !== null)
      step({ kind: 'answered', atMs: Date.now(), commandId: command.id, ...(await send(pool, command)) });
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    log.warn('the deployment of the pool could not be looked at', { pool: pool.name, error: failureMessage(error) });
  }
  return state;
}

type Sent = Awaited<ReturnType<EndpointActivities['changeEndpoint']>>;

async function send(pool: PoolSetup['config'], command: EndpointCommand): Promise<Sent> {
  const size = 'replicas' in command ? ` to ${command.replicas}` : '';
  try {
    const summary = `${command.kind}${size}`;
    return await changing.changeEndpoint.executeWithOptions({ summary }, [{ pool, command }]);
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    return { outcome: 'unknown', message: `${command.kind}: ${failureMessage(error)}` };
  }
}
