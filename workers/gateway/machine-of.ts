/**
 * Connects to an instance's machine, by the kind of its endpoint.
 */
import { instanceHostKeyPin } from '../../activities/gateway/host-key-pin.ts';
import { installationKey } from '../../activities/gateway/keys.ts';
import { urlMachine } from '../../activities/gateway/machine.ts';
import { assertNever } from '../../domain/errors.ts';
import { isLoopbackUrl, type Fleet } from '../../platform/fleet-config.ts';
import type { WorkerProcess } from '../support/worker-process.ts';
import type { GatewayDeps } from './serve-instance.ts';
import { simulatedMachine } from './simulated-machine.ts';
import { SshMachine } from './tunnel/ssh-machine.ts';

/** Makes the connection function, with the installation's key and the pinned host keys. */
export const makeMachineOf =
  (process: WorkerProcess, fleet: Fleet): GatewayDeps['machineOf'] =>
  ({ instance, endpoint, rented }, log) => {
    switch (endpoint.kind) {
      case 'url':
        return Promise.resolve(
          isSimulated(fleet) && rented !== false
            ? simulatedMachine({
                providerUrl: fleet.baseUrl,
                installationId: fleet.installationId,
                instance,
                modelUrl: endpoint.url,
              })
            : urlMachine(endpoint.url),
        );
      case 'ssh': {
        const { host, port, user, modelPort } = endpoint;
        const { privateKey } = installationKey(process.config.home, fleet.installationId);
        const pin = instanceHostKeyPin(process.db, instance);
        const target = { host, port, user, privateKey };
        return SshMachine.create({ target, pin, log, ...(modelPort === undefined ? {} : { modelPort }) });
      }
      default:
        return assertNever(endpoint);
    }
  };

/** True for machines of the local simulator. Shell commands for other machines always use SSH. */
const isSimulated = (fleet: Fleet): boolean =>
  fleet.provider === 'datacrunch' && fleet.access === 'simulated' && isLoopbackUrl(fleet.baseUrl);
