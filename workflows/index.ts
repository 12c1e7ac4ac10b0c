/** Every workflow a control worker runs. Functions only: the bundler takes what is exported here. */
import { setWorkflowOptions } from '@temporalio/workflow';
import { deckAnalysis } from './deck/workflow.ts';

export { instanceLife } from './instance/workflow.ts';
export { pool } from './pool/workflow.ts';
export { reapRound } from './reaper/workflow.ts';
export { deckAnalysis };

// Where versions run side by side, a deck ends on the version it began with; without versioning this says nothing.
setWorkflowOptions({ versioningBehavior: 'PINNED' }, deckAnalysis);
