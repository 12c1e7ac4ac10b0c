/** Every workflow a control worker runs. Functions only: the bundler takes what is exported here. */
import { setWorkflowOptions, workflowInfo } from '@temporalio/workflow';
import { deckAnalysis } from './decks/workflow.ts';

export { costReport } from './costs/cost-report.ts';
export { settleLedger } from './costs/settle.ts';
export { alertRound } from './alerts/workflow.ts';
export { deleteDeck } from './deletion/workflow.ts';
export { gpuDiagnosis } from './health/diagnosis.ts';
export { instanceHealth } from './health/workflow.ts';
export { instanceLife } from './fleet/instance/workflow.ts';
export { deliverWebhook } from './webhooks/workflow.ts';
export { pool } from './fleet/pool/workflow.ts';
export { reapRound } from './fleet/reaper/workflow.ts';
export { deckAnalysis };

// Where versions run side by side, a deck ends on the version it began with. A server refuses the word from a worker without a version.
setWorkflowOptions(
  // A worker without a version has a build id of the SDK's own, and no deployment.
  () =>
    (workflowInfo().currentDeploymentVersion?.deploymentName ?? '') === '' ? {} : { versioningBehavior: 'PINNED' },
  deckAnalysis,
);
