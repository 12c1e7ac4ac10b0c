/** Every workflow a control worker runs. Functions only: the bundler takes what is exported here. */
import { setWorkflowOptions, workflowInfo } from '@temporalio/workflow';
import { deckAnalysis } from './deck/workflow.ts';

export { costReport } from './accounting/cost-report.ts';
export { settleLedger } from './accounting/settle.ts';
export { alertRound } from './alerts/workflow.ts';
export { deleteDeck } from './deletion/workflow.ts';
export { gpuDiagnosis } from './diagnosis/workflow.ts';
export { instanceHealth } from './health/workflow.ts';
export { instanceLife } from './instance/workflow.ts';
export { deliverWebhook } from './notification/workflow.ts';
export { pool } from './pool/workflow.ts';
export { reapRound } from './reaper/workflow.ts';
export { deckAnalysis };

// Where versions run side by side, a deck ends on the version it began with. A server refuses the word from a worker without a version.
setWorkflowOptions(
  // A worker without a version has a build id of the SDK's own, and no deployment.
  () =>
    (workflowInfo().currentDeploymentVersion?.deploymentName ?? '') === '' ? {} : { versioningBehavior: 'PINNED' },
  deckAnalysis,
);
