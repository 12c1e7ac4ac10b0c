/**
 * Runs that are under way survive a new version: every stored history is replayed against the workflows as they are now.
 *
 * When this fails, a change altered the order of what a workflow asks for. Put it behind `patched()` (docs/deployment.md, "New versions of workflows"), or,
 * if no run of the old kind can be open any more, record the history anew.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Runtime, Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as workflows from '../../../workflows/index.ts';
import { workflowBundle } from '../../../workers/support/workflow-bundle.ts';
import { historyNames, readHistory, workflowTypeOf } from '../../histories/files.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const names = historyNames();
const directory = mkdtempSync(path.join(tmpdir(), 'deckhand-histories-'));
let bundle: { readonly codePath: string };

beforeAll(async () => {
  Runtime.install({
    shutdownSignals: [],
    telemetryOptions: { logging: { filter: { core: 'ERROR', other: 'ERROR' }, forward: {} } },
    logger: { log: ignore, trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore },
  });
  bundle = await workflowBundle(ROOT, directory, {});
}, 60_000);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** The error of a replay, if there was one. */
async function replay(history: ReturnType<typeof readHistory>, workflowId: string): Promise<Error | undefined> {
  for await (const result of Worker.runReplayHistories({ workflowBundle: bundle }, [{ workflowId, history }])) {
    return result.error;
  }
  throw new Error('nothing was replayed');
}

describe('stored histories', () => {
  it('there is one of every workflow', () => {
    const kept = new Set(names.map((name) => workflowTypeOf(readHistory(name))));
    expect(Object.keys(workflows).filter((type) => !kept.has(type))).toEqual([]);
  });

  it.each(names)('scenario 54: %s goes on with the workflows as they are', async (name) => {
    expect(await replay(readHistory(name), name)).toBeUndefined();
  });

  it.each(names)('%s with another activity in place of its last does not', async (name) => {
    const history = readHistory(name);
    const last = history.events?.findLast(
      (event) =>
        event.activityTaskScheduledEventAttributes !== undefined && event.activityTaskScheduledEventAttributes !== null,
    );
    const type = last?.activityTaskScheduledEventAttributes?.activityType;
    if (type === undefined || type === null) throw new Error(`${name} schedules no activity`);
    type.name = 'somethingElse';
    expect((await replay(history, name))?.name).toMatch(/Determinism/u);
  });
});

function ignore(): void {
  return undefined;
}
