/**
 * Worker versioning: with a build id a control worker takes only the workflows of its version, so that two versions can run side by side
 * while the older one's decks come to their end.
 */
import type { WorkerOptions } from '@temporalio/worker';

/** Name of the deployment whose versions Temporal tells apart. */
export const DEPLOYMENT_NAME = 'deckhand';

/**
 * Options of the worker that runs workflows. Long-running workflows (pools, instances) move to the current version with their next
 * task; a deck's run stays on its version (workflows/index.ts).
 *
 * @param buildId undefined = no versioning
 */
export function versionOf(buildId: string | undefined): Pick<WorkerOptions, 'workerDeploymentOptions'> {
  if (buildId === undefined) return {};
  return {
    workerDeploymentOptions: {
      version: { deploymentName: DEPLOYMENT_NAME, buildId },
      useWorkerVersioning: true,
      defaultVersioningBehavior: 'AUTO_UPGRADE',
    },
  };
}
