/**
 * What the tests of the gateway share: Postgres, Temporal, API and control process of a runtime, gateways as processes of their own, and a
 * stand-in for the instance workflow.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WorkflowHandle } from '@temporalio/client';
import { installationKey } from '../../../activities/gateway/keys.ts';
import type { ServeEnd } from '../../../activities/gateway/activities.ts';
import type { HealthMeasurement, ProbeReading } from '../../../domain/health/types.ts';
import type { InstanceServing } from '../../../generated/prisma/client.ts';
import { loadFleet } from '../../../clouds/fleet-file.ts';
import { makeInstanceWorkflowId, type ReadinessReport, type ServeInput } from '../../../contracts/instance.ts';
import { drawPlainDeck } from '../../../testing/plain-deck.ts';
import { startReaderProcess, startRig, type SharedRig } from '../../../testing/rig.ts';
import { startTestWorker } from '../../../testing/test-worker.ts';
import { sharedServers } from '../../../testing/test-servers.ts';
import { until } from '../../../testing/until.ts';
import { aPool } from '../../../testing/make.ts';
import type { StandInState } from './programs/instance-workflow.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const SERVERS = fileURLToPath(new URL('./programs/servers.ts', import.meta.url));
const WORKFLOW = fileURLToPath(new URL('./programs/instance-workflow.ts', import.meta.url));
const POOL = 'both';
/** Parallel calls per instance in these tests. */
export const SLOTS = 3;

/** A gateway process. */
export interface GatewayProcess {
  readonly pid: number;
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
}

/** An instance as its stand-in workflow sees it. */
export interface AttachedInstance {
  readonly name: string;
  readonly handle: WorkflowHandle;
  /** Reports that gateways sent so far. */
  reports(): Promise<readonly ReadinessReport[]>;
  /** Waits for a report that fits. */
  report(right: (report: ReadinessReport) => boolean): Promise<ReadinessReport>;
  /** Waits until the instance's row fits. */
  serving(right: (row: InstanceServing) => boolean): Promise<InstanceServing>;
  row(): Promise<InstanceServing | null>;
  drain(): Promise<ServeEnd>;
  standIn(): Promise<StandInState>;
  /** Has its gateway look at the machine, over the host queue. */
  measure(): Promise<HealthMeasurement>;
  /** Has a model of it generate, over the host queue. */
  probe(timeoutMs: number): Promise<ProbeReading>;
}

export interface GatewayRig extends SharedRig {
  /** OpenSSH line of the key that the gateways use. */
  readonly publicKey: string;
  startGateway(): GatewayProcess;
  attach(name: string, input: Partial<ServeInput> & Pick<ServeInput, 'endpoint'>): Promise<AttachedInstance>;
  /** A deck of its own bytes with so many slides. Returns its id. */
  deck(company: string, slides: number): Promise<string>;
  /** Ends what a test that failed left attached. */
  detachAll(): Promise<void>;
}

/** Starts everything but gateways; reviews ask the first questions of each chapter alone. Takes some seconds; share one rig per test file. */
export async function startGatewayRig(): Promise<GatewayRig> {
  // A provider without pools: nothing serves or is rented but what a test attaches.
  const provider = { provider: 'datacrunch', baseUrl: 'http://127.0.0.1:9/v1' };
  const rig = await startRig({
    servers: sharedServers,
    ollamaHost: null,
    supervisorArgs: [SERVERS],
    // The machines that tests attach are real ones, although the provider's address is that of a simulator.
    fleet: { ...provider, access: 'ssh', pools: [] },
    template: 'short',
    environment: { DECKHAND_MODEL_CONCURRENCY: String(SLOTS), DECKHAND_LOST_WORKER_SEC: '6' },
  });
  const { config, db, runtime, temporal } = rig;
  const worker = await startTestWorker({ ...runtime, config }, { taskQueue: STAND_IN_QUEUE, workflowsPath: WORKFLOW });
  const gateways: ChildProcess[] = [];
  const attached = new Set<string>();
  await aPool(db, { name: POOL, classes: ['gpu-visual', 'gpu-text'], max: 9 });

  const attach: GatewayRig['attach'] = async (name, input) => {
    const data = { name, pool: POOL, provider: 'datacrunch', phase: 'booting', phaseSince: new Date(), reason: 'test' };
    await db.fleetInstance.upsert({ where: { name }, create: data, update: {} });
    const serve: ServeInput = {
      instance: name,
      pool: POOL,
      classes: ['gpu-visual', 'gpu-text'],
      attachment: 7,
      proveTimeoutMs: 60_000,
      drainTimeoutMs: 60_000,
      ...input,
    };
    const handle = await temporal.workflow.start('attachedInstance', {
      taskQueue: STAND_IN_QUEUE,
      workflowId: makeInstanceWorkflowId(name),
      args: [serve],
    });
    attached.add(handle.workflowId);
    const standIn = (): Promise<StandInState> => handle.query<StandInState>('standIn');
    const reports = async (): Promise<readonly ReadinessReport[]> => (await standIn()).reports;
    const row = (): Promise<InstanceServing | null> => db.instanceServing.findUnique({ where: { instanceName: name } });
    return {
      name,
      handle,
      standIn,
      reports,
      row,
      report: async (right) => {
        const all = await until(reports).is((list) => list.some(right));
        return all.find(right) as ReadinessReport;
      },
      measure: () => handle.executeUpdate<HealthMeasurement, []>('measure'),
      probe: (timeoutMs) => handle.executeUpdate<ProbeReading, [number]>('probe', { args: [timeoutMs] }),
      serving: async (right) => (await until(row).is((r) => r !== null && right(r))) as InstanceServing,
      drain: async () => {
        await handle.signal('drain');
        return (await handle.result()) as ServeEnd;
      },
    };
  };

  return {
    ...rig,
    publicKey: installationKey(config.home, loadFleet(config).installationId).publicKey,
    attach,
    startGateway: () => {
      const child = spawn(process.execPath, [path.join(ROOT, 'workers/gateway.ts')], {
        cwd: ROOT,
        stdio: ['ignore', 'inherit', 'inherit'],
        env: { ...config.environment, DECKHAND_LOG_LEVEL: 'warn' },
      });
      gateways.push(child);
      if (child.pid === undefined) throw new Error('the gateway did not start');
      return {
        pid: child.pid,
        kill: async (signal) => {
          child.kill(signal);
          if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
        },
      };
    },
    deck: async (company, slides) => {
      const bytes = await drawPlainDeck(
        Array.from({ length: slides }, (_, i) => ({
          title: `${company} ${i + 1}`,
          lines: [`${company} makes sensor number ${i + 1} for hospitals.`, `Seed round of ${i + 2} million dollars.`],
        })),
      );
      return rig.upload(bytes, `${company}.pdf`);
    },
    detachAll: async () => {
      for (const workflowId of attached) {
        // Whatever run it has now, not the one that was started.
        const handle = temporal.workflow.getHandle(workflowId);
        const { status } = await handle.describe();
        if (status.name === 'RUNNING') await handle.terminate();
      }
      attached.clear();
    },
    stop: async () => {
      for (const child of gateways) child.kill('SIGKILL');
      await worker.stop();
      await rig.stop();
    },
  };
}

const STAND_IN_QUEUE = 'gateway-tests';

/** A proof asks each model once, every proof the same: from the second on they count as repeated. */
export const CALLS_OF_A_PROOF = 2;

/** More slots than a gateway gives an instance: what bounds the calls is the gateway. */
export const READER = ['--parallel', '16', '--call-seconds', '0.3'];

/** A reader that ends with the test. */
export async function machine(args: readonly string[]) {
  const reader = await startReaderProcess(args);
  return { ...reader, [Symbol.asyncDispose]: () => reader.stop() };
}

/** A gateway that ends with the test. */
export function gatewayProcess(rig: GatewayRig) {
  const gateway = rig.startGateway();
  return { ...gateway, [Symbol.asyncDispose]: () => gateway.kill('SIGKILL') };
}
