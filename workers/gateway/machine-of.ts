/**
 * The way to an instance's machine, by the kind of its endpoint.
 */
import { instanceHostKeyPin } from '../../activities/gateway/host-key-pin.ts';
import { installationKey } from '../../activities/gateway/keys.ts';
import { urlMachine } from '../../activities/gateway/machine.ts';
import { assertNever } from '../../domain/errors.ts';
import type { Fleet } from '../../platform/fleet-config.ts';
import type { WorkerProcess } from '../support/worker-process.ts';
import type { GatewayDeps } from './serve-instance.ts';
import { SshMachine } from './tunnel/ssh-machine.ts';

/** Knows the installation's key and where host keys are pinned. */
export const makeMachineOf =
  (process: WorkerProcess, fleet: Fleet): GatewayDeps['machineOf'] =>
  ({ instance, endpoint }, log) => {
    switch (endpoint.kind) {
      case 'url':
        return Promise.resolve(urlMachine(endpoint.url));
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
