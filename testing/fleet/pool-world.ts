/**
 * A pool on real Temporal in a world that a test describes: what it sees comes from the test, what it does to instances is noted by
 * stand-ins for their lives.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Client } from '@temporalio/client';
import type { z } from 'zod';
import type { PoolActivities } from '../../activities/fleet/pool/activities.ts';
import type { ObserveInput, PoolObservation } from '../../activities/fleet/pool/observe.ts';
import type { StoreDecisionInput } from '../../activities/fleet/pool/store.ts';
import type { Outlook } from '../../domain/fleet/prewarm/outlook.ts';
import type { poolConfigSchema } from '../../domain/fleet/pool/pool-config.ts';
import type { Demand, InstanceView } from '../../domain/fleet/pool/pool.ts';
import { makeTestNamespace } from '../test-servers.ts';
import { startTestWorker } from '../test-worker.ts';
import { loadConfig } from '../../platform/config.ts';
import { connectTemporal } from '../../platform/temporal.ts';
import { CONTROL_QUEUE } from '../../contracts/queues.ts';
import { makeInstanceWorkflowId, type InstanceAsk } from '../../contracts/instance.ts';
import { FLEET_QUEUE } from '../../contracts/queues.ts';
import {
  CONFIGURE_SIGNAL,
  DECISION_QUERY,
  makePoolWorkflowId,
  OPERATOR_SIGNAL,
  POOL_WORKFLOW,
  RETIRE_SIGNAL,
  WORK_SIGNAL,
  type PoolReport,
  type PoolWorkflowInput,
} from '../../contracts/pool.ts';
import { type OperatorRequest, type PoolSetup } from '../../domain/fleet/pool/pool-state.ts';
import { demandOf, instanceOf, NO_DEMAND, pool, setupOf } from './made-up-pools.ts';

/** One slide's worth of work. */
export const SOME_DEMAND: Demand = demandOf(23, { openCalls: 2, oldestAgeMs: 0 });

/** An instance that is ready and has polled. */
export const readyInstance = (name: string, changes: Partial<InstanceView> = {}): InstanceView =>
  instanceOf(name, { phaseSinceMs: Date.now(), idleSinceMs: Date.now(), billedSinceMs: Date.now(), ...changes });

/** What the pool is shown; a test changes it as it likes. */
export interface Shown {
  /** Null = the database does not answer. */
  demand: Demand | null;
  instances: InstanceView[];
  failures: PoolObservation['failures'];
  /** What a pool that warms instances ahead is told. */
  outlook: Outlook;
  /** Analyses that are over. */
  over: Set<string>;
}

/** One pool and its world. */
export interface PoolUnderTest {
  readonly name: string;
  readonly shown: Shown;
  readonly looks: readonly ObserveInput[];
  readonly decisions: readonly StoreDecisionInput[];
  readonly setup: PoolSetup;
  announce(analysisId: string): Promise<void>;
  ask(instance: string, request: OperatorRequest): Promise<void>;
  configure(changes: Partial<PoolSetup>): Promise<void>;
  retire(): Promise<void>;
  report(): Promise<PoolReport>;
  /** Names of the instances that were ever started, oldest first. */
  startedInstances(): Promise<string[]>;
  /** What an instance was asked. */
  asked(instance: string): Promise<readonly InstanceAsk[]>;
  /** Runs the pool has had, continued as new ones included. */
  runs(): Promise<number>;
  /** Waits for the end of the pool. */
  end(): Promise<void>;
}

export interface PoolWorld {
  readonly temporal: Client;
  start(
    config?: Partial<z.input<typeof poolConfigSchema>>,
    options?: { readonly setup?: Partial<PoolSetup>; readonly maxHistoryLength?: number },
  ): Promise<PoolUnderTest>;
  stop(): Promise<void>;
}

/** Starts the workers on a namespace of their own; share one world per test file. */
export async function startPoolWorld(): Promise<PoolWorld> {
  const home = mkdtempSync(path.join(tmpdir(), 'deckhand-pool-'));
  const config = loadConfig({ ...loadConfig().environment, DECKHAND_HOME: home, DECKHAND_LOG_LEVEL: 'silent' });
  const place = await makeTestNamespace();
  const { temporalAddress: address, temporalNamespace: namespace } = place;
  const temporal = await connectTemporal({ address, namespace }, config);
  const pools = new Map<string, { shown: Shown; looks: ObserveInput[]; decisions: StoreDecisionInput[] }>();
  const worldOf = (name: string) => {
    const world = pools.get(name);
    if (world === undefined) throw new Error(`no pool ${name}`);
    return world;
  };
  const activities: PoolActivities = {
    registerPool: () => Promise.resolve({ idleGapsSec: [], instancesMade: 0 }),
    observePool: (input) => {
      const { shown, looks } = worldOf(input.pool);
      looks.push(input);
      if (shown.demand === null) throw new Error('the database is away');
      return Promise.resolve({
        observation: {
          atMs: Date.now(),
          demand: shown.demand,
          instances: shown.instances,
          recentCalls: 0,
          busySlotSeconds: 0,
        },
        liveIntents: input.wakeIntents.filter((id) => !shown.over.has(id)),
        known: shown.instances.map((i) => i.name),
        failures: shown.failures,
        bootSec: null,
      });
    },
    foreseeArrivals: ({ setup }) => Promise.resolve(worldOf(setup.config.name).shown.outlook),
    storePoolDecision: (input) => {
      worldOf(input.pool).decisions.push(input);
      return Promise.resolve();
    },
  };
  const workflowsPath = path.join(import.meta.dirname, 'pool-workflows.ts');
  const workers = [
    await startTestWorker({ ...place, config }, { taskQueue: CONTROL_QUEUE, workflowsPath }),
    await startTestWorker({ ...place, config }, { taskQueue: FLEET_QUEUE, activities: { ...activities } }),
  ];

  let made = 0;
  return {
    temporal,
    start: async (changes = {}, { setup: setupChanges, maxHistoryLength } = {}) => {
      const name = `p${(made += 1)}`;
      const setup: PoolSetup = {
        ...setupOf(pool({ name, ...changes }), {
          billing: { quantumSec: 1, refundsUnused: false },
          visibilityWindowMs: 1000,
          deletesWhileProvisioning: false,
          expectedBootMs: 1000,
          suspendStrategies: ['discontinue_keep_volume', 'delete'],
        }),
        ...setupChanges,
      };
      const outlook: Outlook = { madeAtMs: 0, verdict: 'too_little_history', words: '', windows: [] };
      const shown: Shown = { demand: NO_DEMAND, instances: [], failures: null, outlook, over: new Set() };
      const world = { shown, looks: [], decisions: [] };
      pools.set(name, world);
      const workflowId = makePoolWorkflowId(name);
      const input: PoolWorkflowInput = { setup, ...(maxHistoryLength === undefined ? {} : { maxHistoryLength }) };
      await temporal.workflow.start(POOL_WORKFLOW, { workflowId, taskQueue: CONTROL_QUEUE, args: [input] });
      const handle = temporal.workflow.getHandle(workflowId);
      return {
        name,
        ...world,
        setup,
        announce: (analysisId) => handle.signal(WORK_SIGNAL, { analysisId }),
        ask: (instance, request) => handle.signal(OPERATOR_SIGNAL, { instance, request, by: 'a test' }),
        configure: (changed) => handle.signal(CONFIGURE_SIGNAL, { ...setup, ...changed }),
        retire: () => handle.signal(RETIRE_SIGNAL),
        report: () => handle.query<PoolReport>(DECISION_QUERY),
        startedInstances: () => startedBy(temporal, workflowId),
        asked: async (instance) => {
          const life = temporal.workflow.getHandle(makeInstanceWorkflowId(instance));
          return (await life.query<{ asks: readonly InstanceAsk[] }>('asked')).asks;
        },
        runs: async () => (await runsOf(temporal, workflowId)).length,
        end: () => handle.result(),
      };
    },
    stop: async () => {
      for (const worker of workers) await worker.stop();
      await temporal.connection.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Histories of all runs of a workflow, oldest first: what it did, whatever the server's index says by now. */
async function runsOf(temporal: Client, workflowId: string) {
  let runId: string | null | undefined;
  const runs = [];
  for (;;) {
    const handle = temporal.workflow.getHandle(workflowId, runId ?? (await firstRunOf(temporal, workflowId)));
    const { events } = await handle.fetchHistory();
    runs.push(events ?? []);
    runId = events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId;
    if (runId === null || runId === undefined || runId === '') return runs;
  }
}

async function firstRunOf(temporal: Client, workflowId: string): Promise<string> {
  const { raw } = await temporal.workflow.getHandle(workflowId).describe();
  return raw.workflowExecutionInfo?.firstRunId ?? '';
}

async function startedBy(temporal: Client, workflowId: string): Promise<string[]> {
  const runs = await runsOf(temporal, workflowId);
  return runs.flat().flatMap((event) => {
    const id = event.childWorkflowExecutionStartedEventAttributes?.workflowExecution?.workflowId;
    return id === null || id === undefined ? [] : [id.replace('instance/', '')];
  });
}
