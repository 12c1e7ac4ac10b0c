/**
 * Worker process `gateway`: access to model hosts. Process entry.
 *
 * It takes attachments of instances from queue `gateway`, several at a time; several gateways may run side by side. Servers that run already
 * are instances like any other.
 */
import { Worker } from '@temporalio/worker';
import { AnalysisContexts } from '../activities/models/analysis-context.ts';
import { loadFleet } from '../clouds/fleet-file.ts';
import type { Fleet } from '../clouds/fleet.ts';
import { isLoopbackUrl } from '../platform/loopback.ts';
import { GATEWAY_QUEUE } from '../contracts/queues.ts';
import { instanceHostKeyPin } from '../activities/gateway/host-key-pin.ts';
import { installationKey } from '../activities/gateway/keys.ts';
import { urlMachine, type Machine } from '../activities/gateway/machine.ts';
import { providerUrl } from '../clouds/providers.ts';
import { Egress, reachWith } from '../activities/models/client/egress.ts';
import { assertNever } from '../domain/errors.ts';
import { serverAt, type ServerKind } from '../domain/models/server-kind.ts';
import { endpointMachine } from './gateway/endpoint-machine.ts';
import { simulatedMachine } from './gateway/simulated-machine.ts';
import { SshMachine } from './gateway/tunnel/ssh-machine.ts';
import { createGatewayActivities, type GatewayDeps } from './gateway/serve-instance.ts';
import { runUntilStopped, runWorkerProcess, type WorkerProcess } from './support/worker-process.ts';

/** Attachments one gateway takes; the others wait for another gateway. */
const MAX_ATTACHMENTS = 20;

await runWorkerProcess('gateway', async (process) => {
  const { config, db, options, stopping } = process;
  const fleet = loadFleet(config);
  const contexts = new AnalysisContexts(db);
  const activities = createGatewayActivities({
    process,
    contexts,
    fleetPools: fleet.pools,
    machineOf: makeMachineOf(process, fleet),
  });
  const worker = await Worker.create({
    ...options,
    taskQueue: GATEWAY_QUEUE,
    activities: { ...activities },
    maxConcurrentActivityTaskExecutions: MAX_ATTACHMENTS,
  });
  await runUntilStopped([worker], stopping);
});

/** Connects to an instance's machine by the kind of its endpoint, with the installation's key and the pinned host keys. */
function makeMachineOf(process: WorkerProcess, fleet: Fleet): GatewayDeps['machineOf'] {
  const { config, db } = process;
  return async ({ instance, endpoint, serverKind: kind = 'ollama', rented }, log) => {
    const outside = (allowedBy: () => Promise<string>) => (host: string, address: string) =>
      void allowedBy().then(
        (by) => log.warn({ host, address, allowedBy: by }, `slides leave the network: ${host} is outside`),
        (error: unknown) => log.warn({ host, address, err: error }, `slides leave the network: ${host}`),
      );
    switch (endpoint.kind) {
      case 'url': {
        const byEnvironment = outside(() => Promise.resolve('DECKHAND_DATA_LEAVES_HOST'));
        return rented === false
          ? machineAt(endpoint.url, new Egress(reachWith(config.dataLeavesHost), byEnvironment))
          : rentedMachine(process, fleet, { instance, kind, modelUrl: endpoint.url });
      }
      case 'endpoint': {
        const { reach, ...target } = endpoint;
        const egress = new Egress(
          reach,
          outside(() => allowedBy(db, target.url)),
        );
        return endpointMachine({ ...target, serverKind: kind, egress }, config.endpointKeys);
      }
      case 'ssh': {
        const { host, port, user, modelPort } = endpoint;
        const { privateKey } = installationKey(config.home, fleet.installationId);
        const pin = instanceHostKeyPin(db, instance);
        const target = { host, port, user, privateKey };
        return SshMachine.create({ kind, target, pin, log, ...(modelPort === undefined ? {} : { modelPort }) });
      }
      default:
        return assertNever(endpoint);
    }
  };
}

/** The operator, or the file, that allowed that slides leave for a server. */
async function allowedBy(db: WorkerProcess['db'], url: string): Promise<string> {
  const row = await db.modelServer.findFirst({ where: { url, dataLeavesHost: true }, select: { changedBy: true } });
  return row?.changedBy ?? 'the fleet file';
}

/** A server that runs already; its address says its protocol. */
function machineAt(address: string, egress: Egress): Machine {
  const { kind, url } = serverAt(address);
  return urlMachine(url, kind, egress);
}

/** A machine of a local simulator has its shell there; shell commands for other machines always use SSH. */
async function rentedMachine(
  { db }: WorkerProcess,
  fleet: Fleet,
  machine: { readonly instance: string; readonly kind: ServerKind; readonly modelUrl: string },
): Promise<Machine> {
  const row = await db.fleetInstance.findUnique({ where: { name: machine.instance }, select: { provider: true } });
  const provider = row?.provider ?? fleet.provider;
  const url = providerUrl(fleet, provider);
  return fleet.access === 'simulated' && url !== null && isLoopbackUrl(url)
    ? simulatedMachine({ ...machine, providerUrl: url, installationId: fleet.installationId })
    : urlMachine(machine.modelUrl, machine.kind, new Egress('ours'));
}
