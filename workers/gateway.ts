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
import { assertNever } from '../domain/errors.ts';
import type { ServerKind } from '../domain/models/server-kind.ts';
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
  return async ({ instance, endpoint, serverKind: kind = 'ollama', rented }, log) => {
    switch (endpoint.kind) {
      case 'url':
        return rented === false
          ? urlMachine(endpoint.url, kind)
          : rentedMachine(process, fleet, { instance, kind, modelUrl: endpoint.url });
      case 'endpoint':
        return endpointMachine({ ...endpoint, serverKind: kind }, process.config.endpointKeys);
      case 'ssh': {
        const { host, port, user, modelPort } = endpoint;
        const { privateKey } = installationKey(process.config.home, fleet.installationId);
        const pin = instanceHostKeyPin(process.db, instance);
        const target = { host, port, user, privateKey };
        return SshMachine.create({ kind, target, pin, log, ...(modelPort === undefined ? {} : { modelPort }) });
      }
      default:
        return assertNever(endpoint);
    }
  };
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
    : urlMachine(machine.modelUrl, machine.kind);
}
