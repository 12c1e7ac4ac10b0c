/** The simulated Google: how machines come to be and end, what operations say of it, and what is refused. */
import { describe, expect, it } from 'vitest';
import { codeOf, machine, open, reasonOf, SPOT, ZONE, type Json } from './client.ts';

const INSTANCES = `/zones/${ZONE}/instances`;
const REQUEST = '11111111-2222-4333-8444-555555555555';

describe('an insert', () => {
  it('is answered by an operation that ends when the machine runs', async () => {
    const { call, settled } = await open();
    const answer = await call('POST', INSTANCES, machine('a'));
    expect(answer).toMatchObject({
      status: 200,
      body: { kind: 'compute#operation', operationType: 'insert', status: 'RUNNING' },
    });
    expect((await call('GET', `${INSTANCES}/a`)).body).toMatchObject({ name: 'a', status: 'PROVISIONING' });
    expect(codeOf(await settled(answer))).toBeNull();
    expect((await call('GET', `${INSTANCES}/a`)).body).toMatchObject({
      status: 'RUNNING',
      networkInterfaces: [{ accessConfigs: [{ natIP: expect.stringMatching(/^198\.18\./u) }] }],
      guestAccelerators: [{ acceleratorCount: 1 }],
    });
  });

  it('attaches GPUs to a machine that takes them, and keeps them when it becomes another size', async () => {
    const { call, settled } = await open();
    const gpus = (count: number, type = 'nvidia-tesla-t4'): Json => ({
      machineType: `zones/${ZONE}/machineTypes/n1-standard-4`,
      guestAccelerators: [{ acceleratorType: `zones/${ZONE}/acceleratorTypes/${type}`, acceleratorCount: count }],
    });
    for (const wrong of [gpus(3), gpus(1, 'nvidia-l4'), { ...gpus(1), machineType: 'g2-standard-4' }])
      expect(reasonOf(await call('POST', INSTANCES, machine('a', wrong)))).toBe('400 invalid');
    expect(codeOf(await settled(await call('POST', INSTANCES, machine('a', gpus(2)))))).toBeNull();
    const shown = (size: string): Json => ({
      machineType: expect.stringMatching(new RegExp(`/machineTypes/${size}$`, 'u')),
      guestAccelerators: [{ acceleratorType: expect.stringMatching(/\/nvidia-tesla-t4$/u), acceleratorCount: 2 }],
    });
    expect((await call('GET', `${INSTANCES}/a`)).body).toMatchObject(shown('n1-standard-4'));
    await settled(await call('POST', `${INSTANCES}/a/stop`));
    const larger = { machineType: `zones/${ZONE}/machineTypes/n1-standard-8` };
    expect(codeOf(await settled(await call('POST', `${INSTANCES}/a/setMachineType`, larger)))).toBeNull();
    expect((await call('GET', `${INSTANCES}/a`)).body).toMatchObject(shown('n1-standard-8'));
  });

  it('without capacity ends later, names other zones, and leaves nothing', async () => {
    const { call, settled, sim } = await open({
      scenario: { stock: [{ types: 'g2-*', locations: ['europe-west4-c'], count: 1 }] },
    });
    const answer = await call('POST', INSTANCES, machine('a'));
    expect(answer.status).toBe(200);
    const operation = await settled(answer);
    expect(operation).toMatchObject({
      status: 'DONE',
      httpErrorStatusCode: 503,
      error: {
        errors: [
          {
            code: 'ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS',
            errorDetails: [{ errorInfo: { metadatas: { vmType: 'g2-standard-4', zonesAvailable: 'europe-west4-c' } } }],
          },
        ],
      },
    });
    expect(reasonOf(await call('GET', `${INSTANCES}/a`))).toBe('404 notFound');
    expect(sim.core.ledger().meters).toEqual([]);
  });

  it('that fails while it is made leaves neither machine nor disk', async () => {
    const { call, settled, sim, clock } = await open();
    sim.setFaults([{ effect: 'boot_fails', match: { action: 'insert' } }]);
    expect(codeOf(await settled(await call('POST', INSTANCES, machine('a'))))).toBe('INTERNAL_ERROR');
    expect(reasonOf(await call('GET', `${INSTANCES}/a`))).toBe('404 notFound');
    clock.advance(120_000);
    expect((await call('GET', `/zones/${ZONE}/disks`)).body['items']).toBeUndefined();
    sim.setFaults([]);
    expect((await call('POST', INSTANCES, machine('a'))).status).toBe(200);
  });

  it('with the request id of another is answered by its operation; with other content the name is taken', async () => {
    const { call, settled } = await open();
    const first = await call('POST', `${INSTANCES}?requestId=${REQUEST}`, machine('a'));
    const again = await call('POST', `${INSTANCES}?requestId=${REQUEST}`, machine('a'));
    expect(again.body['name']).toBe(first.body['name']);
    expect(reasonOf(await call('POST', INSTANCES, machine('a')))).toBe('409 alreadyExists');
    const other = machine('a', { machineType: `zones/${ZONE}/machineTypes/g2-standard-8` });
    expect(reasonOf(await call('POST', `${INSTANCES}?requestId=${REQUEST}`, other))).toBe('409 alreadyExists');
    await settled(first);
    await settled(await call('DELETE', `${INSTANCES}/a`));
    // What was made once is not made again.
    expect((await call('POST', `${INSTANCES}?requestId=${REQUEST}`, machine('a'))).body['name']).toBe(
      first.body['name'],
    );
    expect(reasonOf(await call('GET', `${INSTANCES}/a`))).toBe('404 notFound');
  });

  it('whose machine is deleted before it runs ends with a conflict', async () => {
    const { call, settled } = await open();
    const insert = await call('POST', INSTANCES, machine('a'));
    await settled(await call('DELETE', `${INSTANCES}/a`));
    expect(codeOf(await settled(insert))).toBe('CONFLICT');
  });

  it.each<readonly [string, Json, string]>([
    ['a name that is none', { name: 'A_b' }, '400 invalid'],
    ['a type that does not exist', { machineType: `zones/${ZONE}/machineTypes/g2-standard-5` }, '400 invalid'],
    ['a type of another zone', { machineType: 'zones/europe-west1-b/machineTypes/g2-standard-4' }, '400 invalid'],
    ['live migration', { scheduling: {} }, '400 badRequest'],
    ['a label in capitals', { labels: { Team: 'x' } }, '400 invalid'],
    ['a network that does not exist', { networkInterfaces: [{ network: 'global/networks/other' }] }, '400 invalid'],
    ['no disks', { disks: [] }, '400 invalid'],
    [
      'a disk smaller than its image',
      {
        disks: [
          {
            boot: true,
            initializeParams: {
              diskSizeGb: '5',
              sourceImage: 'projects/debian-cloud/global/images/family/debian-12',
            },
          },
        ],
      },
      '400 invalid',
    ],
    [
      'an image that does not exist',
      { disks: [{ boot: true, initializeParams: { sourceImage: 'projects/x/global/images/family/y' } }] },
      '404 notFound',
    ],
    ['a disk that does not exist', { disks: [{ boot: true, source: `zones/${ZONE}/disks/none` }] }, '404 notFound'],
    [
      'a spot machine that starts by itself',
      { scheduling: { provisioningModel: 'SPOT', onHostMaintenance: 'TERMINATE', automaticRestart: true } },
      '400 invalid',
    ],
  ])('with %s is refused', async (_what, change, reason) => {
    const { call, sim } = await open();
    expect(reasonOf(await call('POST', INSTANCES, machine('a', change)))).toBe(reason);
    expect(sim.core.allInstances()).toEqual([]);
  });

  it('beyond a quota ends with the name of the quota', async () => {
    const { call, settled } = await open({
      scenario: { dialect: { gpuQuotas: { gpusAllRegions: 3, gpusPerKind: 2, spotGpusPerKind: 0 } } },
    });
    const ended = async (name: string, change?: Json) =>
      JSON.stringify((await settled(await call('POST', INSTANCES, machine(name, change))))['error'] ?? '');
    expect(await ended('a')).toBe('""');
    expect(await ended('b', SPOT)).toContain("'PREEMPTIBLE_NVIDIA_L4_GPUS'");
    expect(await ended('b')).toBe('""');
    expect(await ended('c')).toContain("'NVIDIA_L4_GPUS'");
    const a100 = { machineType: `zones/${ZONE}/machineTypes/a2-highgpu-2g` };
    expect(await ended('d', a100)).toContain("'GPUS_ALL_REGIONS'");
  });
});

describe('a machine', () => {
  it('stops, becomes another size and starts, on its disk; the address is another one', async () => {
    const { call, settled } = await open();
    await settled(await call('POST', INSTANCES, machine('a')));
    const running = await settled(
      await call('POST', `${INSTANCES}/a/setMachineType`, { machineType: `zones/${ZONE}/machineTypes/g2-standard-8` }),
    );
    expect(codeOf(running)).toBe('RESOURCE_NOT_READY');
    await settled(await call('POST', `${INSTANCES}/a/stop`));
    expect((await call('GET', `${INSTANCES}/a`)).body).toMatchObject({ status: 'TERMINATED' });
    const other = { machineType: `zones/${ZONE}/machineTypes/a2-highgpu-1g` };
    expect(reasonOf(await call('POST', `${INSTANCES}/a/setMachineType`, other))).toBe('400 invalid');
    await settled(
      await call('POST', `${INSTANCES}/a/setMachineType`, { machineType: `zones/${ZONE}/machineTypes/g2-standard-8` }),
    );
    expect(codeOf(await settled(await call('POST', `${INSTANCES}/a/start`)))).toBeNull();
    expect((await call('GET', `${INSTANCES}/a`)).body).toMatchObject({
      status: 'RUNNING',
      machineType: expect.stringMatching(/g2-standard-8$/u),
    });
  });

  it('stays stopped when there is no capacity for its start', async () => {
    const { call, settled, sim } = await open();
    await settled(await call('POST', INSTANCES, machine('a')));
    await settled(await call('POST', `${INSTANCES}/a/stop`));
    sim.core.setStock([{ types: '*', count: 0 }]);
    expect(codeOf(await settled(await call('POST', `${INSTANCES}/a/start`)))).toBe(
      'ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS',
    );
    expect((await call('GET', `${INSTANCES}/a`)).body).toMatchObject({ status: 'TERMINATED' });
  });

  it('leaves its disk, which boots another machine, or takes it along where it is told to', async () => {
    const { call, settled } = await open();
    await settled(await call('POST', INSTANCES, machine('a')));
    expect(reasonOf(await call('DELETE', `/zones/${ZONE}/disks/a-os`))).toBe('400 resourceInUseByAnotherResource');
    await settled(await call('DELETE', `${INSTANCES}/a`));
    const kept = { disks: [{ boot: true, autoDelete: false, deviceName: 'os', source: `zones/${ZONE}/disks/a-os` }] };
    await settled(await call('POST', INSTANCES, machine('b', kept)));
    expect((await call('GET', `/zones/${ZONE}/disks/a-os`)).body).toMatchObject({
      users: [expect.stringMatching(/instances\/b$/u)],
    });
    expect(reasonOf(await call('POST', INSTANCES, machine('c', kept)))).toBe('400 resourceInUseByAnotherResource');
    await settled(await call('POST', `${INSTANCES}/b/setDiskAutoDelete?deviceName=os&autoDelete=true`));
    await settled(await call('DELETE', `${INSTANCES}/b`));
    expect(reasonOf(await call('GET', `/zones/${ZONE}/disks/a-os`))).toBe('404 notFound');
  });

  it('of the spot market is taken back after its notice, and its disk stays', async () => {
    const { call, settled, sim, clock } = await open();
    await settled(await call('POST', INSTANCES, machine('a', SPOT)));
    const [one] = sim.core.allInstances();
    sim.core.evict(one?.id ?? '');
    expect((await call('GET', `${INSTANCES}/a`)).body).toMatchObject({ status: 'RUNNING' });
    clock.advance(31_000);
    expect(reasonOf(await call('GET', `${INSTANCES}/a`))).toBe('404 notFound');
    expect((await call('GET', `/zones/${ZONE}/disks/a-os`)).body).toMatchObject({ status: 'READY' });
  });

  it('costs from its run to its stop, at the price of its zone, and its disk all the time', async () => {
    const { call, settled, sim, clock } = await open({
      scenario: { end: { stopSec: 0 }, boot: { orderedSec: 0, provisioningSec: 10 } },
    });
    await settled(await call('POST', INSTANCES, machine('a')));
    clock.advance(3_000_000);
    expect((await call('POST', `${INSTANCES}/a/stop`)).status).toBe(200);
    clock.advance(3_600_000);
    const usd = ((sim.core.price('g2-standard-4', 'ondemand', ZONE) ?? 0) * 3_000) / 3_600;
    const machines = sim.core.ledger().meters.filter(({ resource }) => resource === 'instance');
    expect(machines).toHaveLength(1);
    expect(machines[0]?.chargedUsd).toBeGreaterThan(usd * 0.999);
    expect(machines[0]?.chargedUsd).toBeLessThan(usd * 1.01);
    expect(
      sim.core.ledger().meters.filter(({ resource, untilMs }) => resource === 'volume' && untilMs === null),
    ).toHaveLength(1);
  });

  it('goes on after a restart of the simulator, with its operations and request ids', async () => {
    const before = await open();
    const insert = await before.call('POST', `${INSTANCES}?requestId=${REQUEST}`, machine('a'));
    const copy = JSON.parse(JSON.stringify(before.sim.snapshot())) as ReturnType<typeof before.sim.snapshot>;
    const { call, clock } = await open({}, copy);
    const operation = insert.body['name'];
    expect((await call('POST', `${INSTANCES}?requestId=${REQUEST}`, machine('a'))).body['name']).toBe(operation);
    clock.advance(120_000);
    expect((await call('GET', `${INSTANCES}/a`)).body).toMatchObject({ status: 'RUNNING' });
    expect((await call('GET', `/zones/${ZONE}/operations/${String(operation)}`)).body).toMatchObject({
      status: 'DONE',
    });
  });
});
