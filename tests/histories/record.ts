/**
 * Records the histories that tests/unit/workflows replays: `npm run record-histories [-- NAME…]` walks each path on a whole Deckhand with a
 * simulated provider and keeps what Temporal wrote down. Payloads are recorded in clear; the decks are made up.
 */
import type { WorkflowExecutionInfo } from '@temporalio/client';
import { QUICK_SCENARIO, startFleetRig } from '../../testing/fleet-rig.ts';
import { writeHistory } from './files.ts';
import { HEALTH, PATHS, POOL } from './paths.ts';

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => PATHS[name] === undefined);
if (unknown.length > 0) throw new Error(`no path ${unknown.join(', ')}; there are ${Object.keys(PATHS).join(', ')}`);

const rig = await startFleetRig({
  scenario: { ...QUICK_SCENARIO, quotas: { gpus: 2 } },
  pools: [POOL],
  health: HEALTH,
  readerArgs: ['--call-seconds', '0.02'],
  environment: { DECKHAND_ENCRYPTION: 'off' },
});

/** Every run of a workflow id, oldest first: one that was continued as new has several. */
async function runsOf(workflowId: string): Promise<WorkflowExecutionInfo[]> {
  const runs: WorkflowExecutionInfo[] = [];
  for await (const run of rig.temporal.workflow.list({ query: `WorkflowId = '${workflowId}'` })) runs.push(run);
  return runs.toSorted((a, b) => a.startTime.getTime() - b.startTime.getTime());
}

try {
  for (const [name, walk] of Object.entries(PATHS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const workflowIds = await walk(rig);
    for (const [part, workflowId] of Object.entries(workflowIds)) {
      const runs = await runsOf(workflowId);
      if (runs.length === 0) throw new Error(`${name}: ${workflowId} never ran`);
      // Of a long chain the ends tell enough.
      const kept = runs.length > 2 ? [runs[0], runs.at(-1)] : runs;
      for (const [index, run] of kept.entries()) {
        if (run === undefined) continue;
        const history = await rig.temporal.workflow.getHandle(workflowId, run.runId).fetchHistory();
        const suffix = kept.length === 1 ? '' : `-run-${index + 1}`;
        const file = `${part === '' ? name : `${name}-${part}`}${suffix}`;
        writeHistory(file, history);
        process.stdout.write(`${file}: ${history.events?.length ?? 0} events\n`);
      }
    }
  }
} finally {
  await rig.stop();
}
