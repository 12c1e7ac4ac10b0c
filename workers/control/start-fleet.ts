/**
 * What a control process sets going when it starts: the schedule of the reaper. Repeating it changes nothing.
 */
import type { Client } from '@temporalio/client';
import type { Fleet } from '../../platform/fleet-config.ts';
import type { WorkerProcess } from '../support/worker-process.ts';
import { startReaper } from './start-reaper.ts';

/** A fleet that cannot be set going ends neither the process nor the reviews it carries: it is said, and the next start tries again. */
export async function startFleet({ log }: WorkerProcess, fleet: Fleet, temporal: Client): Promise<void> {
  try {
    if (fleet.provider !== 'static') await startReaper(temporal, fleet);
  } catch (error) {
    log.error({ err: error }, 'the fleet was not set going');
  }
}
