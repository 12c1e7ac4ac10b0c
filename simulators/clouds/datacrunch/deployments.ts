/**
 * The scheduler of container deployments: orders and ends replicas, at every change and at times that it plans.
 *
 * A replica is an instance of the core with durations, a price and a bill of its own. Replicas are added while requests wait, one for
 * every `queueThreshold` of them, and ended down to the minimum when no request has come for a while. A changed deployment gets new
 * replicas at once; the old ones are drained. A drained replica takes no more requests and ends when its last one is done, at the latest
 * after the drain. Spot replicas are evicted as machines are, without any drain.
 */
import type { Market } from '../../../domain/fleet/selection/offer.ts';
import { plan } from '../core/context.ts';
import { createInstance, drainReplica, endDrain } from '../core/instances.ts';
import { CloudRefusal } from '../core/refusal.ts';
import type { SimInstance } from '../core/state.ts';
import type { Deployment, Simulation } from './account.ts';
import { containerTypeName, LOCATIONS } from './catalogue.ts';

const LONGEST_LOG = 1000;

/** The market on which a deployment takes its replicas. */
const marketOf = (deployment: Deployment): Market => (deployment.isSpot ? 'spot' : 'ondemand');

/** Replicas that have not ended, oldest first. */
export function replicasOf({ cloud }: Simulation, deployment: Deployment): SimInstance[] {
  return deployment.replicas.flatMap(({ id }) => {
    const replica = cloud.state.instances[id];
    return replica === undefined || replica.phase === 'gone' || replica.phase === 'failed' ? [] : [replica];
  });
}

/** Replicas that count: of the present generation and not drained. */
export function currentReplicas(sim: Simulation, deployment: Deployment): SimInstance[] {
  const present = new Set(
    deployment.replicas.filter((r) => r.generation === deployment.generation).map(({ id }) => id),
  );
  return replicasOf(sim, deployment).filter((r) => r.phase !== 'deleting' && present.has(r.id));
}

/** Adds a line to the log of the containers. */
export function writeLog(deployment: Deployment, atMs: number, replica: string, message: string): void {
  deployment.logs.push({ atMs, replica, reason: '', message, count: 1 });
  if (deployment.logs.length > LONGEST_LOG) deployment.logs.shift();
}

/** Adds a line to the scheduler's log, or counts it if it is the last one again. */
function writeSystemLog(deployment: Deployment, atMs: number, replica: string, reason: string, message: string): void {
  const last = deployment.systemLogs.at(-1);
  if (last?.reason === reason && last.message === message && last.replica === replica) {
    last.count += 1;
    return;
  }
  deployment.systemLogs.push({ atMs, replica, reason, message, count: 1 });
  if (deployment.systemLogs.length > LONGEST_LOG) deployment.systemLogs.shift();
}

/** Plans a look at a deployment, unless one is planned before. */
function lookLater({ cloud }: Simulation, deployment: Deployment, atMs: number): void {
  if (deployment.lookAtMs !== null && deployment.lookAtMs <= atMs) return;
  deployment.lookAtMs = atMs;
  plan(cloud.context, atMs, { kind: 'dialect', name: deployment.name });
}

/** Replicas that the deployment should have now. Plans the next look where that changes by itself. */
function wantedReplicas(
  sim: Simulation,
  deployment: Deployment,
  present: readonly SimInstance[],
  atMs: number,
): number {
  const { scaling } = deployment;
  if (deployment.paused) return 0;
  const waiting = sim.traffic.waiting(deployment.name).size;
  const isServing = present.some((r) => sim.traffic.served(r.id) > 0);
  const forQueue = Math.min(scaling.maxReplicas, Math.ceil(waiting / scaling.queueThreshold));
  if (forQueue <= present.length) deployment.pressedSinceMs = null;
  else deployment.pressedSinceMs ??= atMs;
  if (waiting > 0 || isServing) deployment.idleSinceMs = null;
  else deployment.idleSinceMs ??= atMs;
  const kept = Math.min(scaling.maxReplicas, Math.max(scaling.minReplicas, present.length));
  if (deployment.pressedSinceMs !== null) {
    const dueMs = deployment.pressedSinceMs + scaling.scaleUpAfterMs;
    if (dueMs <= atMs) return Math.max(kept, forQueue);
    lookLater(sim, deployment, dueMs);
  }
  if (deployment.idleSinceMs !== null && present.length > scaling.minReplicas) {
    const dueMs = deployment.idleSinceMs + scaling.scaleDownAfterMs;
    if (dueMs <= atMs) return scaling.minReplicas;
    lookLater(sim, deployment, dueMs);
  }
  return kept;
}

/** Orders one replica where there is stock. @throws CloudRefusal of the last place */
function orderReplica(sim: Simulation, deployment: Deployment, atMs: number): SimInstance {
  const { cloud } = sim;
  const { name, size } = deployment.compute;
  const instanceType = containerTypeName(name, size);
  const market = marketOf(deployment);
  const places = LOCATIONS.map((l) => l.code);
  const location = places.find((place) => cloud.isAvailable(instanceType, place, market)) ?? LOCATIONS[0].code;
  const [container] = deployment.containers;
  const replica = createInstance(
    cloud.context,
    {
      hostname: `${deployment.name}-${deployment.ordered + 1}`,
      description: '',
      instanceType,
      location,
      market,
      boot: {
        kind: 'image',
        image: String(container?.['image']),
        osVolume: null,
        sshKeyIds: [],
        startupScriptId: null,
      },
      newVolumes: [],
      existingVolumeIds: [],
      tags: [],
      isReplica: true,
    },
    {},
    atMs,
  );
  deployment.ordered += 1;
  return replica;
}

/** Drains a replica; one without requests ends at once. */
function drain(sim: Simulation, replica: SimInstance, atMs: number): void {
  drainReplica(sim.cloud.context, replica, atMs);
  endIfDone(sim, replica, atMs);
}

/** Ends a drained replica that has no request left. */
export function endIfDone(sim: Simulation, replica: SimInstance, atMs: number): void {
  if (replica.phase === 'deleting' && sim.traffic.served(replica.id) === 0) endDrain(sim.cloud.context, replica, atMs);
}

/** Brings the replicas of a deployment to what it should have. */
export function reconcile(sim: Simulation, deployment: Deployment, atMs: number): void {
  const living = new Set(replicasOf(sim, deployment).map((r) => r.id));
  deployment.replicas = deployment.replicas.filter(({ id }) => living.has(id));
  const present = currentReplicas(sim, deployment);
  const wanted = wantedReplicas(sim, deployment, present, atMs);
  // Newest first: those that still start have done least.
  const surplus = present.toReversed().slice(0, Math.max(0, present.length - wanted));
  const outdated = replicasOf(sim, deployment).filter((r) => r.phase !== 'deleting' && !present.includes(r));
  for (const replica of [...surplus, ...outdated]) drain(sim, replica, atMs);
  for (let missing = wanted - present.length; missing > 0; missing -= 1) {
    try {
      const { id } = orderReplica(sim, deployment, atMs);
      deployment.replicas.push({ id, generation: deployment.generation });
      deployment.refusal = null;
    } catch (error) {
      if (!(error instanceof CloudRefusal)) throw error;
      deployment.refusal = error.reason;
      writeSystemLog(deployment, atMs, '', 'SchedulingFailed', `No replica: ${error.reason}`);
      lookLater(sim, deployment, atMs + sim.cloud.scenario.containers.retrySec * 1000);
      break;
    }
  }
  if (wanted <= present.length) deployment.refusal = null;
}

/** A change of a deployment that needs new replicas. */
export function renew(sim: Simulation, deployment: Deployment): void {
  deployment.generation += 1;
  reconcile(sim, deployment, sim.cloud.settle());
}

/** Removes a deployment; its replicas are drained. */
export function removeDeployment(sim: Simulation, deployment: Deployment): void {
  const nowMs = sim.cloud.settle();
  delete sim.account.deployments[deployment.name];
  sim.traffic.wake(deployment.name);
  for (const replica of replicasOf(sim, deployment)) if (replica.phase !== 'deleting') drain(sim, replica, nowMs);
}

const EVENTS: Readonly<Partial<Record<SimInstance['phase'], readonly [string, string]>>> = {
  preparing: ['Pulled', 'The image is there'],
  running: ['Started', 'The replica answers'],
  deleting: ['Killing', 'SIGTERM was sent'],
  failed: ['Failed', 'The replica did not start'],
};

/** Connects the scheduler to the core: its own planned looks, and every change of a replica. */
export function startScheduler(sim: Simulation): void {
  sim.cloud.context.dialect.due = (name, atMs) => {
    const deployment = sim.account.deployments[name];
    if (deployment === undefined) return;
    if (deployment.lookAtMs !== null && deployment.lookAtMs <= atMs) deployment.lookAtMs = null;
    reconcile(sim, deployment, atMs);
  };
  sim.cloud.onTransition((replica, atMs) => {
    if (!replica.isReplica) return;
    if (replica.phase === 'gone') sim.traffic.cut(replica.id);
    const deployment = Object.values(sim.account.deployments).find((d) => d.replicas.some((r) => r.id === replica.id));
    if (deployment === undefined) return;
    const gone =
      replica.endedBy === 'eviction' ? ['Preempted', 'Killed without notice'] : ['Killed', 'The replica ended'];
    const [reason = '', message = ''] = replica.phase === 'gone' ? gone : (EVENTS[replica.phase] ?? []);
    if (reason !== '') writeSystemLog(deployment, atMs, replica.hostname, reason, message);
    // Not at once: the core is in the middle of a step.
    lookLater(sim, deployment, atMs);
    sim.traffic.wake(deployment.name);
  });
}
