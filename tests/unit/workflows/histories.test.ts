/**
 * Runs that are under way survive a new version: every stored history is replayed against the workflows as they are now.
 *
 * When this fails, a change altered the order of what a workflow asks for. Put it behind `patched()` (docs/deployment.md, "New versions of workflows"), or,
 * if no run of the old kind can be open any more, record the history anew.
 */
import { Runtime, Worker } from '@temporalio/worker';
import { beforeAll, expect, it } from 'vitest';
import * as workflows from '../../../workflows/index.ts';
import { loadConfig, REPOSITORY_DIR } from '../../../platform/config.ts';
import { workflowBundle } from '../../../workers/support/workflow-bundle.ts';
import { historyNames, readHistory, workflowTypeOf } from '../../histories/files.ts';

type History = ReturnType<typeof readHistory>;
type Replays = ReadonlyMap<string, Error | undefined>;

const names = historyNames();
/** What became of each replay: of the histories as they are, and with another activity in place of their last. */
let unchanged: Replays;
let exchanged: Replays;

beforeAll(async () => {
  Runtime.install({
    shutdownSignals: [],
    telemetryOptions: { logging: { filter: { core: 'ERROR', other: 'ERROR' }, forward: {} } },
    logger: { log: ignore, trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore },
  });
  const bundle = await workflowBundle(REPOSITORY_DIR, loadConfig().cacheDir, {});
  unchanged = await replayAll(bundle, readHistory);
  exchanged = await replayAll(bundle, withAnotherLastActivity);
});

/** Replays all histories with one worker: to start one costs far more than a replay. */
async function replayAll(
  workflowBundle: { readonly codePath: string },
  historyOf: (name: string) => History,
): Promise<Replays> {
  const histories = names.map((name) => ({ workflowId: name, history: historyOf(name) }));
  const replays = new Map<string, Error | undefined>();
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle }, histories))
    replays.set(workflowId, error);
  return replays;
}

function withAnotherLastActivity(name: string): History {
  const history = readHistory(name);
  const last = history.events?.findLast(
    (event) =>
      event.activityTaskScheduledEventAttributes !== undefined && event.activityTaskScheduledEventAttributes !== null,
  );
  const type = last?.activityTaskScheduledEventAttributes?.activityType;
  if (type === undefined || type === null) throw new Error(`${name} schedules no activity`);
  type.name = 'somethingElse';
  return history;
}

it('stored histories: there is one of every workflow, and each was replayed', () => {
  const kept = new Set(names.map((name) => workflowTypeOf(readHistory(name))));
  expect(Object.keys(workflows).filter((type) => !kept.has(type))).toEqual([]);
  expect([...unchanged.keys()]).toEqual(names);
  expect([...exchanged.keys()]).toEqual(names);
});

it.each(names)('scenario 54: the stored history %s goes on with the workflows as they are', (name) => {
  expect(unchanged.get(name)).toBeUndefined();
});

it.each(names)('stored histories: %s with another activity in place of its last does not', (name) => {
  expect(exchanged.get(name)?.name).toMatch(/Determinism/u);
});

function ignore(): void {
  return undefined;
}
