/** Providers over their simulators on one virtual clock, for lives of instances: the real client, without sockets. */
import { AWS } from '../../clouds/aws/provider.ts';
import { writeId } from '../../clouds/aws/settings.ts';
import { AZURE } from '../../clouds/azure/provider.ts';
import { azureSettingsSchema, writeId as writeAzureId } from '../../clouds/azure/settings.ts';
import { createDataCrunchClient } from '../../clouds/datacrunch/client.ts';
import { DATACRUNCH } from '../../clouds/datacrunch/provider.ts';
import { GOOGLE_SIMULATOR_CREDENTIALS } from '../../clouds/google/credentials.ts';
import { GOOGLE } from '../../clouds/google/provider.ts';
import { googleSettingsSchema, writeId as writeGoogleId } from '../../clouds/google/settings.ts';
import type { CloudProvider } from '../../clouds/provider.ts';
import { makeOsVolumeName } from '../../domain/fleet/provider/names.ts';
import type { ProviderCapabilities } from '../../domain/fleet/provider/billing.ts';
import { createSimulatedAws } from '../../simulators/clouds/aws/app.ts';
import { createSimulatedAzure } from '../../simulators/clouds/azure/app.ts';
import type { VirtualClock } from '../../simulators/clouds/core/clock.ts';
import type { Scenario } from '../../simulators/clouds/core/scenario.ts';
import type { SimulatedCloud } from '../../simulators/clouds/core/simulated-cloud.ts';
import type { Simulator, SimulatorOptions } from '../../simulators/clouds/core/simulator.ts';
import type { SimInstance } from '../../simulators/clouds/core/state.ts';
import { createSimulatedDataCrunch, type SimulatedDataCrunch } from '../../simulators/clouds/datacrunch/app.ts';
import { createSimulatedGoogle } from '../../simulators/clouds/google/app.ts';

export interface VirtualCloudOptions extends SimulatorOptions {
  readonly clock: VirtualClock;
  /** What Deckhand's own clock shows. */
  readonly now: () => number;
}

/** A simulated cloud, as tests look at it and make it go wrong. */
export interface VirtualSimulator extends Simulator {
  /** What exists of networks, where a machine has a network of its own. */
  pieces?(): readonly string[];
}

export interface VirtualCloud {
  readonly sim: VirtualSimulator;
  readonly provider: CloudProvider;
  /** An image that its types boot. */
  readonly image: string;
  /** The provider's id of a simulated machine. */
  readonly idOf: (machine: SimInstance) => string;
}

/** Opens one. */
export type OpenVirtualCloud = (options: VirtualCloudOptions) => VirtualCloud;

type Send<Answer> = (input: string, init: RequestInit) => Promise<Answer>;

/** Without the time limit of a request, which goes by real time. */
const timeless =
  <Answer>(send: Send<Answer>): Send<Answer> =>
  (input, init) =>
    send(input, { ...init, signal: null });

/** Options that open a client of a simulator. */
const clientOf = (sim: Simulator, { clock, now }: Pick<VirtualCloudOptions, 'clock' | 'now'>) => ({
  installationId: 'test1',
  fetch: timeless((input: string, init: RequestInit) => sim.fetch(input, init)),
  now,
  /** A call that waits holds up everything else: one process, one thing at a time. Clocks count whole milliseconds. */
  pause: (ms: number) => {
    clock.advance(Math.ceil(ms));
    return Promise.resolve();
  },
  random: () => 0.5,
});

const billingOf = ({ billing }: Scenario): Partial<ProviderCapabilities> => ({
  billing,
  billsStopped: billing.billsStopped,
});

/** A client of the simulated DataCrunch. */
export const clientOfDataCrunch = (sim: SimulatedDataCrunch, clock: VirtualClock, now = () => clock.nowMs()) =>
  createDataCrunchClient({
    baseUrl: 'http://127.0.0.1/v1',
    credentials: { clientId: sim.clientId, clientSecret: sim.clientSecret },
    ...clientOf(sim, { clock, now }),
  });

export const virtualDataCrunch: OpenVirtualCloud = (options) => {
  const sim = createSimulatedDataCrunch(options);
  const client = clientOfDataCrunch(sim, options.clock, options.now);
  const provider = DATACRUNCH.open({ client, capabilities: billingOf(sim.scenario), now: options.now });
  return { sim, provider, image: 'ubuntu-24.04', idOf: ({ id }) => id };
};

const REGION = 'eu-west-1';

export const virtualAws: OpenVirtualCloud = (options) => {
  const sim = createSimulatedAws(options);
  const provider = AWS.open({
    settings: { regions: [REGION], profile: null, subnetIds: {}, baseUrl: 'http://127.0.0.1/' },
    credentials: { accessKeyId: sim.accessKeyId, secretAccessKey: sim.secretAccessKey },
    ...clientOf(sim, options),
  });
  const image = 'base-oss-nvidia-driver-gpu-ubuntu-24.04';
  return { sim, provider, image, idOf: ({ id }) => writeId({ region: REGION, id }) };
};

export const virtualGoogle: OpenVirtualCloud = (options) => {
  const sim = createSimulatedGoogle(options);
  const provider = GOOGLE.open({
    settings: googleSettingsSchema.parse({ regions: ['europe-west4'], baseUrl: 'http://127.0.0.1/' }),
    project: sim.project,
    credentials: GOOGLE_SIMULATOR_CREDENTIALS.credentials,
    ...clientOf(sim, options),
  });
  const image = 'ubuntu-os-accelerator-images/ubuntu-accelerator-2404-amd64-with-nvidia-580';
  return { sim, provider, image, idOf: ({ hostname, location }) => writeGoogleId({ zone: location, name: hostname }) };
};

export const virtualAzure: OpenVirtualCloud = (options) => {
  const sim = createSimulatedAzure(options);
  const settings = azureSettingsSchema.parse({
    locations: ['northeurope', 'westeurope'],
    resourceGroup: 'machines',
    baseUrl: 'http://127.0.0.1',
  });
  const provider = AZURE.open({
    settings,
    credentials: sim.secrets,
    ...clientOf(sim, options),
  });
  const idOf = ({ hostname }: SimInstance): string => writeAzureId({ resourceGroup: 'machines', name: hostname });
  return { sim, provider, image: settings.image, idOf };
};

/** Phases of a simulated machine in which it may run, or come to run. */
const LIVING: ReadonlySet<SimInstance['phase']> = new Set([
  'accepted',
  'preparing',
  'running',
  'stopping',
  'stopped',
  'starting',
]);

/** Machines that exist and run or may come to run, whatever the API shows. */
export const livingMachines = (core: SimulatedCloud): readonly SimInstance[] =>
  core.allInstances().filter((instance) => LIVING.has(instance.phase));

/** Makes a machine on demand beside those of Deckhand, as somebody else does, or a run that was forgotten. */
export function createMachine(
  core: SimulatedCloud,
  hostname: string,
  instanceType: string,
  location: string,
): SimInstance {
  const osVolume = {
    name: makeOsVolumeName(hostname),
    sizeGib: 60,
    type: 'NVMe',
    onEviction: 'keep',
    tags: [],
  } as const;
  const boot = { kind: 'image', image: 'ubuntu-24.04', osVolume, sshKeyIds: [], startupScriptId: null } as const;
  const none = { description: '', newVolumes: [], existingVolumeIds: [], tags: [] };
  return core.create({ hostname, instanceType, location, market: 'ondemand', boot, ...none });
}
