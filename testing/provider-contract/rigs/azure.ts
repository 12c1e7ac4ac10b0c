/** The rig of the provider contract for Azure: its client over its simulator, in one process on one virtual clock. */
import { z } from 'zod';
import { makeMachineNetwork } from '../../../clouds/azure/calls/network.ts';
import { resourcePath, write } from '../../../clouds/azure/http/arm.ts';
import { createAzureTransport } from '../../../clouds/azure/http/transport.ts';
import { AZURE } from '../../../clouds/azure/provider.ts';
import { azureSettingsSchema, writeId } from '../../../clouds/azure/settings.ts';
import { VirtualClock } from '../../../simulators/clouds/core/clock.ts';
import type { ScenarioInput } from '../../../simulators/clouds/core/scenario.ts';
import { createSimulatedAzure, type SimulatedAzure } from '../../../simulators/clouds/azure/app.ts';
import { orderFor } from '../acts.ts';
import type { ContractRig } from '../rig.ts';
import { clientOptions, faultsOf, partsOf, setQuotas, type Refusing } from './simulated.ts';

export interface AzureRig extends ContractRig {
  readonly simulator: SimulatedAzure;
}

/** Longer than a machine of the simulator needs to end. */
const END_MS = 120_000;
const MACHINE = '/Microsoft.Compute/virtualMachines/*';
const MATCHES = {
  create: { method: 'PUT', path: MACHINE },
  start: { method: 'POST', path: `${MACHINE}/start` },
  read: { method: 'GET' },
} as const;

const ANSWERS: Refusing['answers'] = {
  auth: {
    effect: 'error',
    status: 403,
    code: 'AuthorizationFailed',
    message: 'The client does not have authorization',
  },
  billing: {
    effect: 'error',
    status: 409,
    code: 'ReadOnlyDisabledSubscription',
    message: 'The subscription is disabled and therefore marked as read only.',
  },
  throttled: { effect: 'rate_limit' },
  transient: { effect: 'error', status: 500, code: 'InternalServerError', message: 'An internal error has occurred' },
};

const NO_QUOTAS = { family: null, regional: null, spot: null };
const ZERO_QUOTAS = { family: 0, spot: 0 };

/** Opens one. @param scenario of the simulated cloud; its faults go on beside those that a test adds */
export function openAzureRig(scenario: ScenarioInput = {}): AzureRig {
  const clock = new VirtualClock();
  const simulator = createSimulatedAzure({ scenario, clock });
  const { secrets } = simulator;
  const baseUrl = 'http://127.0.0.1';
  const settings = azureSettingsSchema.parse({ locations: ['northeurope', 'westeurope'], baseUrl });
  const common = { credentials: secrets, ...clientOptions(simulator, clock) };
  const provider = AZURE.open({ ...common, settings, installationId: 'contract' });
  const rig: AzureRig = {
    provider,
    simulator,
    // A start is accepted first: that there is no place shows later, as a machine that is stopped again.
    missing: new Set(['start capacity', 'bill']),
    unknownIds: { instance: 'azure/deckhand-contract/dh-nothing-1', volume: 'azure/deckhand-contract/dh-nothing-1-os' },
    faults: faultsOf(simulator, {
      always: scenario.faults ?? [],
      matches: MATCHES,
      answers: ANSWERS,
      wrongCode: 'InvalidParameter',
      limit: (state) => setQuotas(simulator, state === 'none' ? NO_QUOTAS : ZERO_QUOTAS),
    }),
    /** Makes a machine and its network with no tag of ours. */
    makeForeignInstance: async (given) => {
      // Names are checked there; a tag may be anything.
      const name = given.replaceAll(/[^A-Za-z0-9.-]/gu, '');
      const http = createAzureTransport({ ...common, baseUrl });
      const order = await orderFor(rig, 'dh-contract-foreign');
      const { subnetId = '', securityGroupId = '' } = await provider.prepareCreate(order);
      const resourceGroup = 'deckhand-contract';
      const interfaceId = await makeMachineNetwork(http, {
        resourceGroup,
        machine: name,
        location: order.location,
        subnetId,
        securityGroupId,
        tags: { note: given },
      });
      const body = {
        location: order.location,
        tags: { note: given },
        properties: {
          hardwareProfile: { vmSize: order.instanceType },
          storageProfile: {
            imageReference: { publisher: 'microsoft-dsvm', offer: 'ubuntu-hpc', sku: '2204', version: 'latest' },
            osDisk: { createOption: 'FromImage', deleteOption: 'Delete' },
          },
          networkProfile: { networkInterfaces: [{ id: interfaceId, properties: { deleteOption: 'Delete' } }] },
          osProfile: { computerName: name, adminUsername: 'somebody', adminPassword: 'a password' },
        },
      };
      const path = resourcePath(http, resourceGroup, 'Microsoft.Compute/virtualMachines', name);
      await write(http, { kind: 'create', method: 'PUT', path, body }, z.unknown());
      return writeId({ resourceGroup, name });
    },
    ...partsOf(simulator, clock),
    close: () => {
      // Of a machine nothing is left but what all share, once its end is over.
      clock.advance(END_MS);
      const left = simulator.pieces().filter((piece) => !/^(?:virtualNetworks|networkSecurityGroups)\//u.test(piece));
      if (left.length > 0) throw new Error(`left behind: ${left.join(', ')}`);
      return Promise.resolve();
    },
  };
  return rig;
}
