/**
 * The activities a pool uses: one block per retry class, with its reason.
 */
import { proxyActivities } from '@temporalio/workflow';
import type { PoolActivities } from '../../../activities/fleet/pool/activities.ts';
import { FLEET_QUEUE } from '../../../contracts/queues.ts';

/** A killed worker is noticed within this time: a deck waits for this look. */
const startToCloseTimeout = '10s';

/** A look: after a few tries it is better to say that nothing is known, and hold, than to wait. */
export const looking = proxyActivities<Pick<PoolActivities, 'observePool'>>({
  taskQueue: FLEET_QUEUE,
  startToCloseTimeout,
  retry: { initialInterval: '200ms', backoffCoefficient: 3, maximumInterval: '5s', maximumAttempts: 4 },
});

/** Rows that others read (an instance's row stands under its pool's): written before anything follows, so retried without an end. */
export const storing = proxyActivities<Pick<PoolActivities, 'registerPool' | 'storePoolDecision'>>({
  taskQueue: FLEET_QUEUE,
  startToCloseTimeout,
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '15s' },
});
