/**
 * What is made of machines, disks and leftovers as Azure describes them, and how a machine ends.
 */
import { partOf } from '../../../../clouds/parts.ts';
import { describe, expect, it } from 'vitest';
import { virtualClock } from '../scripted-api.ts';
import { idOf, providerOf, refusal, scriptedAzure, type AzureScript } from './scripted-azure.ts';

const MACHINES = 'Microsoft.Compute/virtualMachines';
const DISKS = 'Microsoft.Compute/disks';
const NAME = 'dh-abc1-visual-1-1';
const ID = `azure/deckhand-abc1/${NAME}`;
const DISK = `${ID}-os`;

interface State {
  readonly provisioningState: string;
  readonly power?: string | null;
  readonly failure?: string;
}

const statuses = ({ provisioningState, power = null, failure }: State) => [
  {
    code: `ProvisioningState/${provisioningState.toLowerCase()}${failure === undefined ? '' : `/${failure}`}`,
    message: failure === undefined ? undefined : 'We do not have\nsufficient capacity',
  },
  ...(power === null ? [] : [{ code: `PowerState/${power}` }]),
];

const machine = (state: State, change: object = {}) => ({
  // Azure writes groups in capitals where it likes.
  id: idOf(MACHINES, NAME, 'DECKHAND-ABC1'),
  name: NAME,
  location: 'northeurope',
  tags: { 'deckhand:pool': 'visual', owner: 'somebody' },
  properties: {
    hardwareProfile: { vmSize: 'Standard_NC24ads_A100_v4' },
    provisioningState: state.provisioningState,
    timeCreated: '2026-10-01T10:00:00.123456+00:00',
    storageProfile: {
      osDisk: { name: `${NAME}-os`, deleteOption: 'Detach', managedDisk: { id: idOf(DISKS, `${NAME}-os`) } },
    },
    instanceView: { statuses: statuses(state) },
    ...change,
  },
});

const address = (name: string, properties: object) => ({
  id: idOf('Microsoft.Network/publicIPAddresses', name),
  name,
  properties,
});
const RUNNING: State = { provisioningState: 'Succeeded', power: 'running' };
const one = (state: State, change: object = {}): AzureScript => ({
  [`GET virtualMachines/${NAME}`]: () => ({ body: machine(state, change) }),
  'GET publicIPAddresses/*': () => ({ body: address(`${NAME}-ip`, { ipAddress: '20.1.2.3' }) }),
});

describe('a machine of Azure', () => {
  it('is read with all that is known of it', async () => {
    const api = await scriptedAzure(one(RUNNING));
    expect(await providerOf(api).getInstance(ID)).toEqual({
      id: ID,
      hostname: NAME,
      status: 'running',
      rawStatus: 'Succeeded, running',
      instanceType: 'Standard_NC24ads_A100_v4',
      location: 'northeurope',
      market: 'ondemand',
      priceUsdPerHour: 0,
      ip: '20.1.2.3',
      osVolumeId: DISK,
      volumeIds: [DISK],
      tags: { pool: 'visual' },
      createdAtMs: Date.parse('2026-10-01T10:00:00.123Z'),
      simulatedModelUrl: null,
    });
  });

  it.each<readonly [State, string, string]>([
    [{ provisioningState: 'Creating' }, 'starting', 'Creating'],
    [{ provisioningState: 'Creating', power: 'running' }, 'starting', 'Creating, running'],
    [{ provisioningState: 'Updating', power: 'running' }, 'running', 'Updating, running'],
    [{ provisioningState: 'Updating', power: 'deallocating' }, 'starting', 'Updating, deallocating'],
    [{ provisioningState: 'Succeeded', power: 'deallocated' }, 'stopped', 'Succeeded, deallocated'],
    // Shut down by itself, it costs as before.
    [{ provisioningState: 'Succeeded', power: 'stopped' }, 'running', 'Succeeded, stopped'],
    [{ provisioningState: 'Deleting', power: 'running' }, 'deleting', 'Deleting, running'],
    [
      { provisioningState: 'Failed', failure: 'AllocationFailed' },
      'failed',
      'Failed (AllocationFailed: We do not have sufficient capacity)',
    ],
    // A start that got no place.
    [
      { provisioningState: 'Failed', power: 'deallocated', failure: 'AllocationFailed' },
      'stopped',
      'Failed, deallocated (AllocationFailed: We do not have sufficient capacity)',
    ],
    [
      { provisioningState: 'Failed', power: 'running', failure: 'OSProvisioningTimedOut' },
      'running',
      expect.any(String) as string,
    ],
    [{ provisioningState: 'Thawing' }, 'starting', 'Thawing'],
  ])('%j is %s', async (state, status, rawStatus) => {
    const api = await scriptedAzure(one(state));
    expect(await providerOf(api).getInstance(ID)).toMatchObject({ status, rawStatus });
  });

  it('may lack everything but its id and name', async () => {
    const clock = virtualClock();
    const api = await scriptedAzure({
      [`GET virtualMachines/${NAME}`]: () => ({
        body: { id: idOf(MACHINES, NAME), name: NAME, tags: { x: 1 }, properties: null },
      }),
    });
    expect(await providerOf(api, clock).getInstance(ID)).toMatchObject({
      status: 'starting',
      volumeIds: [],
      tags: {},
      createdAtMs: clock.nowMs,
    });
  });

  it('is listed with its power and its address, which are in lists of their own', async () => {
    const spot = machine({ provisioningState: 'Succeeded' }, { priority: 'Spot', instanceView: undefined });
    const api = await scriptedAzure({
      'GET virtualMachines': ({ url }) =>
        url.searchParams.get('statusOnly') === 'true'
          ? { body: { value: [machine(RUNNING)] } }
          : { body: { value: [spot] } },
      'GET publicIPAddresses': () => ({ body: { value: [address(`${NAME}-ip`, { ipAddress: '20.1.2.3' })] } }),
    });
    expect(await providerOf(api).listInstances()).toMatchObject([
      { id: ID, status: 'running', market: 'spot', ip: '20.1.2.3' },
    ]);
  });

  it('is not left out of a list where it cannot be read: the list is not one then', async () => {
    const api = await scriptedAzure({
      'GET virtualMachines': () => ({ body: { value: [machine(RUNNING), { name: 'x' }] } }),
      'GET publicIPAddresses': () => ({ body: { value: [] } }),
    });
    await expect(providerOf(api).listInstances()).rejects.toMatchObject({ code: 'provider_transient' });
  });

  it('of an id that is not of Azure is not asked for', async () => {
    const api = await scriptedAzure({});
    const provider = providerOf(api);
    expect(await provider.getInstance('eu-west-1/i-0abc')).toBeNull();
    await provider.deleteInstance('azure/../../x', []);
    await expect(partOf(provider, 'stopping').start('abc')).rejects.toMatchObject({ code: 'provider_gone' });
    expect(api.seen).toEqual([]);
  });
});

describe('the end of a machine', () => {
  const ended: AzureScript = {
    [`PATCH virtualMachines/${NAME}`]: () => ({ body: {} }),
    [`DELETE virtualMachines/${NAME}`]: () => ({ status: 202 }),
  };
  const routes = (api: { readonly seen: readonly { readonly route: string }[] }): readonly string[] =>
    api.seen.map(({ route }) => route).filter((route) => !/^(?:GET|POST token)/u.test(route));

  it('takes along the disk that a create from an image still makes, and keeps one that it only attaches', async () => {
    const making = (createOption: string): object => ({
      storageProfile: {
        osDisk: {
          name: `${NAME}-os`,
          createOption,
          deleteOption: 'Detach',
          managedDisk: { id: idOf(DISKS, `${NAME}-os`) },
        },
      },
    });
    const creating: State = { provisioningState: 'Creating' };
    const fresh = await scriptedAzure({ ...one(creating, making('FromImage')), ...ended });
    await providerOf(fresh).deleteInstance(ID, []);
    expect(routes(fresh)).toEqual([`PATCH virtualMachines/${NAME}`, `DELETE virtualMachines/${NAME}`]);
    const waking = await scriptedAzure({ ...one(creating, making('Attach')), ...ended });
    await providerOf(waking).deleteInstance(ID, []);
    expect(routes(waking)).toEqual([`DELETE virtualMachines/${NAME}`]);
  });

  it('does not fail for a disk that cannot be marked', async () => {
    const busy = { [`PATCH virtualMachines/${NAME}`]: () => refusal('Conflict') };
    const api = await scriptedAzure({ ...one(RUNNING), ...ended, ...busy });
    await providerOf(api).deleteInstance(ID, [DISK]);
    expect(routes(api).at(-1)).toBe(`DELETE virtualMachines/${NAME}`);
  });

  it('an end that is under way already is not ordered again', async () => {
    const api = await scriptedAzure(one({ provisioningState: 'Deleting' }));
    await providerOf(api).deleteInstance(ID, [DISK]);
    expect(routes(api)).toEqual([]);
  });
});

describe('a disk of Azure', () => {
  it.each([
    ['Attached', 'attached'],
    ['Reserved', 'attached'],
    ['Unattached', 'detached'],
    ['ReadyToUpload', 'changing'],
    ['constructor', 'changing'],
  ])('that is %s is %s, and costs as the next larger kind', async (diskState, status) => {
    const api = await scriptedAzure({
      'GET disks/*': () => ({
        body: {
          id: idOf(DISKS, `${NAME}-os`),
          name: `${NAME}-os`,
          location: 'NorthEurope',
          managedBy: idOf(MACHINES, NAME),
          properties: { diskSizeGB: 100, diskState, osType: 'Linux', timeCreated: '2026-10-01T10:00:00Z' },
        },
      }),
    });
    expect(await providerOf(api).getVolume(DISK)).toMatchObject({
      id: DISK,
      name: `${NAME}-os`,
      sizeGib: 100,
      location: 'northeurope',
      status,
      isOsVolume: true,
      instanceId: ID,
      usdPerMonth: 19.71,
    });
  });
});

describe('what a machine leaves', () => {
  const nic = (name: string, virtualMachine: string | null) => ({
    id: idOf('Microsoft.Network/networkInterfaces', name),
    name,
    properties: virtualMachine === null ? {} : { virtualMachine: { id: idOf(MACHINES, virtualMachine) } },
  });

  it('is told by its name: interfaces without a machine, and addresses without an interface', async () => {
    const api = await scriptedAzure({
      'GET networkInterfaces': () => ({
        body: { value: [nic(`${NAME}-nic`, null), nic('dh-abc1-b-1-nic', 'b'), nic('other', null)] },
      }),
      'GET publicIPAddresses': () => ({
        body: {
          value: [
            address(`${NAME}-ip`, { ipConfiguration: { id: 'c' } }),
            address('dh-abc1-c-1-ip', { ipAddress: '20.1.2.4' }),
            address('a-gateway', {}),
          ],
        },
      }),
    });
    expect(await partOf(providerOf(api), 'leftovers').list()).toEqual([
      { id: `${ID}-nic`, name: `${NAME}-nic`, hostname: NAME },
      { id: 'azure/deckhand-abc1/dh-abc1-c-1-ip', name: 'dh-abc1-c-1-ip', hostname: 'dh-abc1-c-1' },
    ]);
  });

  it('is deleted where nothing hangs on it', async () => {
    const api = await scriptedAzure({
      'DELETE networkInterfaces/*': () => refusal('ResourceNotFound', 'no', 404),
      'DELETE publicIPAddresses/*': () => refusal('PublicIPAddressCannotBeDeleted', 'in use', 400),
    });
    const provider = providerOf(api);
    await partOf(provider, 'leftovers').delete(`${ID}-nic`);
    await expect(partOf(provider, 'leftovers').delete(`${ID}-ip`)).rejects.toMatchObject({ code: 'provider_not_yet' });
  });
});
