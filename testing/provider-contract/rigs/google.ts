/** The rig of the provider contract for Google: its client over its simulator, in one process on one virtual clock. */
import { z } from 'zod';
import { GOOGLE_SIMULATOR_CREDENTIALS } from '../../../clouds/google/credentials.ts';
import { launchBody } from '../../../clouds/google/calls/instances.ts';
import { jsonOf } from '../../../clouds/google/http/reading.ts';
import { createGoogleTransport } from '../../../clouds/google/http/transport.ts';
import { GOOGLE } from '../../../clouds/google/provider.ts';
import { googleSettingsSchema } from '../../../clouds/google/settings.ts';
import { VirtualClock } from '../../../simulators/clouds/core/clock.ts';
import type { ScenarioInput } from '../../../simulators/clouds/core/scenario.ts';
import { createSimulatedGoogle } from '../../../simulators/clouds/google/app.ts';
import { makeImageRequest } from '../../image-request.ts';
import { orderFor } from '../acts.ts';
import type { ContractRig } from '../rig.ts';
import { clientOptions, faultsOf, partsOf, setQuotas, type Refusing } from './simulated.ts';

const REGION = 'europe-west4';
const MATCHES = {
  create: { method: 'POST', path: '/zones/*/instances' },
  start: { method: 'POST', path: '/zones/*/instances/*/start' },
  read: { method: 'GET' },
} as const;

const ANSWERS: Refusing['answers'] = {
  auth: { effect: 'error', status: 401, code: 'authError', message: 'Invalid Credentials' },
  billing: {
    effect: 'error',
    status: 403,
    code: 'BILLING_DISABLED',
    message: 'This API method requires billing to be enabled.',
  },
  throttled: { effect: 'rate_limit' },
  transient: { effect: 'error', status: 503, code: 'backendError', message: 'Backend Error' },
};

const NO_QUOTAS = { gpusAllRegions: null, gpusPerKind: null, spotGpusPerKind: null };
const ZERO_QUOTAS = { gpusAllRegions: null, gpusPerKind: 0, spotGpusPerKind: 0 };

/** Opens one. @param scenario of the simulated cloud; its faults go on beside those that a test adds */
export function openGoogleRig(scenario: ScenarioInput = {}): ContractRig {
  const clock = new VirtualClock();
  const simulator = createSimulatedGoogle({ scenario, clock });
  const { project } = simulator;
  const baseUrl = 'http://127.0.0.1/';
  const { credentials } = GOOGLE_SIMULATOR_CREDENTIALS;
  const common = { project, credentials, ...clientOptions(simulator, clock) };
  const settings = googleSettingsSchema.parse({ regions: [REGION], baseUrl });
  const provider = GOOGLE.open({ ...common, settings, installationId: 'contract' });
  const rig: ContractRig = {
    provider,
    // Nothing of the API tells what was billed.
    missing: new Set(['bill']),
    unknownIds: { instance: `${REGION}-a/dh-contract-unknown`, volume: `${REGION}-a/dh-contract-unknown-os` },
    faults: faultsOf(simulator, {
      always: scenario.faults ?? [],
      matches: MATCHES,
      answers: ANSWERS,
      wrongCode: 'invalid',
      // Later than a create waits for it.
      failsAfterSec: 40,
      limit: (state) => setQuotas(simulator, state === 'none' ? NO_QUOTAS : ZERO_QUOTAS),
    }),
    async makeForeignInstance(name) {
      const order = await orderFor(rig, 'dh-contract-foreign', { description: name, tags: {} });
      const { image = '' } = await provider.prepareCreate(order);
      const http = createGoogleTransport({ ...common, baseUrl });
      // Names that Compute Engine does not take are as near to it as can be.
      const own = name.replaceAll(/[^a-z0-9]+/gu, '-').replaceAll(/^-+|-+$/gu, '');
      const body = launchBody(
        makeImageRequest({ ...order, hostname: own, boot: { image, sshKey: { id: null, text: '' } } }),
        {
          zone: order.location,
          network: 'global/networks/default',
          subnetwork: '',
          networkTag: 'others',
          image,
          osVolumeGib: 100,
          disk: '',
        },
      );
      const call = {
        kind: 'create',
        method: 'POST',
        path: `/projects/${project}/zones/${order.location}/instances`,
        body,
      } as const;
      await http.send(call, jsonOf(call, z.looseObject({})));
      return `${order.location}/${own}`;
    },
    ...partsOf(simulator, clock),
  };
  return rig;
}
