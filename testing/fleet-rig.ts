/**
 * The whole of Deckhand on a simulated provider, for tests of instances: lives are started one by one, without a pool that would decide.
 */
import type { z } from 'zod';
import type { InstanceRequest, InstanceSettings, InstanceState } from '../domain/fleet/instance-life/types.ts';
import type { InstancePhase } from '../domain/fleet/phases.ts';
import { poolConfigSchema, type fleetConfigSchema, type PoolConfig } from '../domain/fleet/pool/pool-config.ts';
import type { ScenarioInput } from '../simulators/clouds/core/scenario.ts';
import { CONTROL_QUEUE } from '../contracts/queues.ts';
import {
  INSTANCE_WORKFLOW,
  makeInstanceWorkflowId,
  REQUEST_SIGNAL,
  STATE_QUERY,
  type InstanceAsk,
  type InstanceEnd,
  type InstanceWorkflowInput,
} from '../contracts/instance.ts';
import { instanceSettingsForTests } from './instance-settings.ts';
import { startReaderProcess, startRig, type ReaderProcess, type Rig, type RigOptions } from './rig.ts';
import { startSimulatedProvider, type SimulatedProvider } from './simulated-provider.ts';
import { until } from './until.ts';

type PoolInput = z.input<typeof poolConfigSchema>;

export interface FleetRigOptions extends Omit<RigOptions, 'fleet'> {
  readonly scenario: ScenarioInput;
  /** Model server of every machine, ended with the rig; one of our own by default. */
  readonly machineModels?: ReaderProcess;
  /** Pools that the control process starts; none by default. */
  readonly pools?: readonly PoolInput[];
  /** Times of the reaper; its own defaults otherwise. */
  readonly reaper?: z.input<typeof fleetConfigSchema>['reaper'];
  /** Times of reservations and the time zone of budgets; the fleet's own defaults otherwise. */
  readonly accounting?: z.input<typeof fleetConfigSchema>['accounting'];
  /** Times of the health loops; the fleet's own defaults otherwise. */
  readonly health?: z.input<typeof fleetConfigSchema>['health'];
  /** Settings of other providers of the fleet, which are looked after like the first; none by default. */
  readonly providers?: z.input<typeof fleetConfigSchema>['providers'];
  /** How old what was seen of stock may become; the fleet's own default otherwise. */
  readonly availabilityTtlMs?: number;
}

/** How one life differs from the others. */
export interface LifeOptions {
  readonly pool?: Partial<PoolInput>;
  readonly settings?: Partial<InstanceSettings>;
  readonly staticUrl?: string;
  readonly maxHistoryLength?: number;
}

export interface FleetRig extends Rig {
  readonly provider: SimulatedProvider;
  /** The model server of every machine. */
  readonly machineModels: ReaderProcess;
  /** Starts the life of an instance. */
  startInstance(name: string, options?: LifeOptions): Promise<void>;
  ask(name: string, request: InstanceRequest, reason?: string): Promise<void>;
  /** Its state as its workflow has it; null while no worker answers. */
  stateOf(name: string): Promise<InstanceState | null>;
  /**
   * Waits until an instance is in one of these phases. Asks the database, so that it also works while the control process is down.
   * @throws Error when its life ended otherwise
   */
  reaches(name: string, ...phases: readonly InstancePhase[]): Promise<void>;
  /** Waits for the end of a life. */
  endOf(name: string): Promise<InstanceEnd>;
  /** Kills a service with -9; false when it does not run just now. */
  kill(service: string): Promise<boolean>;
}

export const INSTALLATION_ID = 'rig1';

/** Short times: a life of minutes in seconds. */
export const QUICK_SCENARIO: ScenarioInput = {
  name: 'quick',
  boot: { orderedSec: 0.1, provisioningSec: [0.1, 0.4], startSec: 0.2 },
  end: { stopSec: 0.1, deleteSec: [0.1, 0.4], diskLingerSec: 0 },
  stock: [{ types: '*', count: null }],
};

/** A pool that decides, boots and sleeps within seconds, and whose machines serve every class. */
export const quickPool = ({ timing, ...changes }: Partial<PoolInput> = {}): PoolInput => ({
  name: 'visual',
  classes: ['gpu-visual', 'gpu-text'],
  min: 0,
  max: 2,
  sleepPolicy: 'fixed',
  launchBudgetPerHour: 100,
  ...changes,
  timing: {
    tickMs: 300,
    idleTickMs: 60_000,
    fixedIdleMs: 1000,
    minIdleMs: 500,
    bootPollMs: 200,
    bootPollMaxMs: 400,
    ladderPauseMs: 300,
    ladderPauseMaxMs: 600,
    goneConfirmMs: 300,
    destroyRetryMs: 300,
    ...timing,
  },
});

/** Starts everything. Takes a few seconds; share one per test file. */
export async function startFleetRig(options: FleetRigOptions): Promise<FleetRig> {
  // One reader stands for the model server of every machine.
  const models = options.machineModels ?? (await startReaderProcess(options.readerArgs));
  const provider = await startSimulatedProvider(options.scenario, models.host);
  const fleet = {
    provider: 'datacrunch',
    baseUrl: provider.baseUrl,
    installationId: INSTALLATION_ID,
    access: 'simulated',
    pools: options.pools ?? [],
    reaper: options.reaper,
    accounting: options.accounting,
    health: options.health,
    providers: options.providers,
    availabilityTtlMs: options.availabilityTtlMs,
  };
  const rig = await startRig({ ...options, fleet });
  const handleOf = (name: string) => rig.temporal.workflow.getHandle(makeInstanceWorkflowId(name));

  return {
    ...rig,
    provider,
    machineModels: models,
    startInstance: async (name, life = {}) => {
      await rig.temporal.workflow.start(INSTANCE_WORKFLOW, {
        workflowId: makeInstanceWorkflowId(name),
        taskQueue: CONTROL_QUEUE,
        args: [lifeInput(name, life)],
      });
    },
    ask: (name, request, reason = 'asked by a test') =>
      handleOf(name).signal<[InstanceAsk]>(REQUEST_SIGNAL, { request, reason }),
    stateOf: async (name) => {
      try {
        return await handleOf(name).query<InstanceState>(STATE_QUERY);
      } catch {
        return null;
      }
    },
    reaches: async (name, ...phases) => {
      const row = await until(() => rig.db.fleetInstance.findUnique({ where: { name } })).is(
        (now) => now !== null && (now.endedAt !== null || phases.includes(now.phase as InstancePhase)),
      );
      if (!phases.includes(row?.phase as InstancePhase)) {
        throw new Error(`${name} is ${row?.phase ?? 'unknown'} and never ${phases.join(' or ')}: ${row?.reason ?? ''}`);
      }
    },
    endOf: (name) => handleOf(name).result() as Promise<InstanceEnd>,
    kill: async (service) => {
      const { children } = await rig.runtime.status();
      const pid = children.find((child) => child.name === service)?.pid;
      if (pid === undefined || pid === null) return false;
      try {
        process.kill(pid, 'SIGKILL');
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
        throw error;
      }
    },
    stop: async () => {
      await rig.stop();
      await provider.stop();
      await models.stop();
    },
  };
}

/** Pool of the lives in tests. */
export const testPool = (changes: Partial<PoolInput> = {}): PoolConfig =>
  poolConfigSchema.parse({
    name: 'visual',
    classes: ['gpu-visual', 'gpu-text'],
    selector: 'h100-or-less',
    launchBudgetPerHour: 100,
    ...changes,
  });

function lifeInput(name: string, life: LifeOptions): InstanceWorkflowInput {
  return {
    name,
    provider: life.staticUrl === undefined ? 'datacrunch' : 'static',
    pool: testPool(life.pool),
    settings: instanceSettingsForTests({ installationId: INSTALLATION_ID, ...life.settings }),
    staticUrl: life.staticUrl ?? null,
    ...(life.maxHistoryLength === undefined ? {} : { maxHistoryLength: life.maxHistoryLength }),
  };
}
