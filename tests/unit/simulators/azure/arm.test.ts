/**
 * The simulated Azure: what its resources do that a client must not be surprised by.
 */
import { beforeEach, describe, expect, it } from 'vitest';
import { AZURE } from '../../../../clouds/azure/provider.ts';
import { azureSettingsSchema } from '../../../../clouds/azure/settings.ts';
import { partOf } from '../../../../clouds/parts.ts';
import type { CloudProvider, ImageRequest } from '../../../../clouds/provider.ts';
import { createSimulatedAzure, type SimulatedAzure } from '../../../../simulators/clouds/azure/app.ts';
import { VirtualClock } from '../../../../simulators/clouds/core/clock.ts';
import type { ScenarioInput } from '../../../../simulators/clouds/core/scenario.ts';
import { makeImageRequest } from '../../../../testing/image-request.ts';
import { clientOptions } from '../../../../testing/provider-contract/rigs/simulated.ts';

const MINUTE_MS = 60_000;
let clock: VirtualClock;
let azure: SimulatedAzure;
let provider: CloudProvider;

function open(scenario: string | ScenarioInput = {}): void {
  clock = new VirtualClock();
  azure = createSimulatedAzure({ clock, scenario });
  provider = AZURE.open({
    settings: azureSettingsSchema.parse({
      locations: ['northeurope', 'westeurope', 'eastus'],
      baseUrl: 'http://127.0.0.1',
    }),
    credentials: azure.secrets,
    installationId: 'test1',
    ...clientOptions(azure, clock),
  });
}

beforeEach(() => open());

const order = (hostname: string, change: Partial<ImageRequest> = {}): ImageRequest =>
  makeImageRequest({
    hostname,
    instanceType: 'Standard_NC4as_T4_v3',
    location: 'northeurope',
    boot: { image: 'microsoft-dsvm:ubuntu-hpc:2204:latest' },
    ...change,
  });

async function create(hostname: string, change: Partial<ImageRequest> = {}): Promise<string> {
  const request = order(hostname, change);
  const id = await provider.createInstance(request, await provider.prepareCreate(request));
  clock.advance(5 * MINUTE_MS);
  return id;
}

const own = (): readonly string[] => azure.pieces().filter((piece) => /^(?:publicIP|networkInterfaces)/u.test(piece));

/** Of the public address of a machine, USD per hour. */
const ADDRESS = 0.005;

describe('the simulated Azure', () => {
  it('takes a spot machine back with its network and its disk', async () => {
    const id = await create('dh-spot-1', { market: 'spot' });
    expect(own()).toHaveLength(2);
    azure.core.evict(azure.core.allInstances()[0]?.id ?? '');
    clock.advance(2 * MINUTE_MS);
    expect(await provider.getInstance(id)).toBeNull();
    expect(own()).toEqual([]);
    expect(await provider.listVolumes()).toEqual([]);
  });

  it('accepts a start for which there is no place, and shows the machine as stopped again', async () => {
    const id = await create('dh-start-1');
    await partOf(provider, 'stopping').shutdown(id);
    clock.advance(MINUTE_MS);
    azure.core.settle();
    azure.core.setStock([{ types: '*', count: 0 }]);
    await partOf(provider, 'stopping').start(id);
    expect(await provider.getInstance(id)).toMatchObject({
      status: 'stopped',
      rawStatus: expect.stringMatching(/^Failed, deallocated \(AllocationFailed: /u),
    });
    azure.core.setStock([{ types: '*', count: 1 }]);
    await partOf(provider, 'stopping').start(id);
    clock.advance(2 * MINUTE_MS);
    expect(await provider.getInstance(id)).toMatchObject({ status: 'running', rawStatus: 'Succeeded, running' });
  });

  it('bills a machine while it has a place, and not while it is deallocated', async () => {
    const id = await create('dh-bill-1');
    await partOf(provider, 'stopping').shutdown(id);
    clock.advance(MINUTE_MS);
    const machineUsd = (): number =>
      azure.core
        .ledger()
        .meters.filter(({ resource }) => resource === 'instance')
        .reduce((sum, meter) => sum + meter.chargedUsd, 0);
    const asleep = machineUsd();
    clock.advance(60 * MINUTE_MS);
    expect(machineUsd()).toBe(asleep);
    expect(asleep).toBeGreaterThan(0);
  });

  it.each([
    ['of all machines of a location', { regional: 4 }, 'ondemand', 'Total Regional Cores quota'],
    ['of a family', { family: 4 }, 'ondemand', 'Standard NCASv3_T4 Family Cores quota'],
    ['of spot machines', { spot: 4 }, 'spot', 'LowPriorityCores quota'],
  ] as const)('counts cores %s, also those of deallocated machines', async (_what, coreQuotas, market, words) => {
    open({ dialect: { coreQuotas } });
    const id = await create('dh-quota-1', { market });
    await partOf(provider, 'stopping').shutdown(id);
    clock.advance(MINUTE_MS);
    await expect(create('dh-quota-2', { market })).rejects.toThrow(words);
    await create('dh-quota-3', { market, location: 'eastus' });
    // What was refused left nothing.
    clock.advance(MINUTE_MS);
    expect(own()).toHaveLength(4);
  });

  it('refuses a size that the subscription may not rent, and does not list it there', async () => {
    const change = { instanceType: 'Standard_ND96isr_H100_v5', location: 'westeurope' };
    await expect(create('dh-closed-1', change)).rejects.toMatchObject({ code: 'provider_capacity' });
    const types = await provider.listInstanceTypes();
    const places = types.find(({ instanceType }) => instanceType === change.instanceType)?.pricesByLocation ?? {};
    expect(Object.keys(places)).toEqual(['eastus']);
  });

  it('sells what the price list says, in each location and market', async () => {
    const types = await provider.listInstanceTypes();
    expect(types.map(({ instanceType }) => instanceType)).not.toContain('Standard_NV12ads_A10_v5');
    for (const { instanceType, pricesByLocation = {} } of types)
      for (const [location, price] of Object.entries(pricesByLocation)) {
        expect(price.onDemandUsdPerHour).toBeCloseTo(
          (azure.core.price(instanceType, 'ondemand', location) ?? 0) + ADDRESS,
          5,
        );
        expect(price.spotUsdPerHour).toBeCloseTo((azure.core.price(instanceType, 'spot', location) ?? 0) + ADDRESS, 5);
      }
    azure.core.setPrices([{ types: 'Standard_NC4as_T4_v3', spotUsd: 0.05 }]);
    clock.advance(61 * MINUTE_MS);
    const after = await provider.listInstanceTypes();
    const t4 = after.find(({ instanceType }) => instanceType === 'Standard_NC4as_T4_v3');
    expect(t4?.pricesByLocation?.['eastus']?.spotUsdPerHour).toBeCloseTo(0.05 + ADDRESS, 6);
  });

  it('goes on from a copy of its state, with tokens, network and machines', async () => {
    const id = await create('dh-copy-1');
    const copy = JSON.parse(JSON.stringify(azure.snapshot())) as ReturnType<SimulatedAzure['snapshot']>;
    const again = createSimulatedAzure({ clock: new VirtualClock(), scenario: {} });
    again.restore(copy);
    const before = azure;
    azure = again;
    expect(own()).toHaveLength(2);
    expect(await provider.getInstance(id)).toMatchObject({
      status: 'running',
      ip: expect.stringMatching(/^198\.18\./u),
    });
    azure = before;
  });
});
