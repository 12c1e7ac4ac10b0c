/** Every workflow a control worker runs. Functions only: the bundler takes what is exported here. */
export { deckAnalysis } from './deck/workflow.ts';
export { instanceLife } from './instance/workflow.ts';
export { pool } from './pool/workflow.ts';
export { reapRound } from './reaper/workflow.ts';
