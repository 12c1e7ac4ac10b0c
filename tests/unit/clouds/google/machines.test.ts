/**
 * Machines and disks of Google as the port shows them, whatever their description has or lacks, and how they end.
 */
import { partOf } from '../../../../clouds/parts.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ownTags, toLabels } from '../../../../clouds/google/labels.ts';
import { readId, regionOfZone } from '../../../../clouds/google/settings.ts';
import { forAll } from '../../../../testing/property.ts';
import { failed, operation, PROJECT, refusal, scriptedGoogle, ZONE } from './scripted-google.ts';
import { codeOf } from '../scripted-api.ts';

const url = (path: string): string => `https://www.googleapis.com/compute/v1/projects/${PROJECT}${path}`;
const NAME = 'dh-test1-visual-1';
const ID = `${ZONE}/${NAME}`;
const INSTANCE = {
  name: NAME,
  status: 'RUNNING',
  machineType: url(`/zones/${ZONE}/machineTypes/g2-standard-4`),
  zone: url(`/zones/${ZONE}`),
  scheduling: { provisioningModel: 'STANDARD', preemptible: false },
  networkInterfaces: [{ networkIP: '10.0.0.2', accessConfigs: [{ natIP: '34.1.2.3' }] }],
  disks: [
    { source: url(`/zones/${ZONE}/disks/${NAME}-os`), boot: true, deviceName: 'os', autoDelete: false },
    { source: url(`/zones/${ZONE}/disks/data`), boot: false, deviceName: 'data', autoDelete: true },
  ],
  labels: { 'deckhand-instance': 'visual-1', 'deckhand-intent': 'visual-1_2f1', team: 'ml' },
  metadata: { items: [{ key: 'simulated-model-url', value: 'http://127.0.0.1:1' }] },
  creationTimestamp: '2026-09-30T22:00:00.000-02:00',
};
const DISK = {
  name: `${NAME}-os`,
  status: 'READY',
  sizeGb: '100',
  zone: url(`/zones/${ZONE}`),
  users: [url(`/zones/${ZONE}/instances/${NAME}`)],
  labels: {},
  creationTimestamp: '2026-10-01T00:00:00Z',
};
const ONE = 'GET /zones/*/instances/*';
const OPERATIONS = 'GET /zones/*/operations';

describe('machines of Google', () => {
  it('are read with all that is known of them', async () => {
    const { provider } = scriptedGoogle({ [ONE]: () => ({ body: INSTANCE }) });
    expect(await provider.getInstance(ID)).toEqual({
      id: ID,
      hostname: NAME,
      status: 'running',
      rawStatus: 'RUNNING',
      instanceType: 'g2-standard-4',
      location: ZONE,
      market: 'ondemand',
      priceUsdPerHour: 0,
      ip: '34.1.2.3',
      osVolumeId: `${ZONE}/${NAME}-os`,
      volumeIds: [`${ZONE}/${NAME}-os`, `${ZONE}/data`],
      tags: { instance: 'visual-1', intent: 'visual-1/1' },
      createdAtMs: Date.parse('2026-10-01T00:00:00Z'),
      simulatedModelUrl: null,
    });
  });

  it.each([
    ['PENDING', 'starting'],
    ['PROVISIONING', 'starting'],
    ['STAGING', 'starting'],
    ['REPAIRING', 'starting'],
    ['STOPPING', 'starting'],
    ['SUSPENDING', 'starting'],
    ['A_STATUS_OF_NEXT_YEAR', 'starting'],
    ['constructor', 'starting'],
    ['RUNNING', 'running'],
    ['TERMINATED', 'stopped'],
    ['SUSPENDED', 'stopped'],
    ['DEPROVISIONING', 'deleting'],
  ])('in status %s are %s', async (status, expected) => {
    const { provider } = scriptedGoogle({ [ONE]: () => ({ body: { ...INSTANCE, status } }) });
    expect(await provider.getInstance(ID)).toMatchObject({ status: expected, rawStatus: status });
  });

  it('may have nulls, wrong kinds and missing fields everywhere but in the name', async () => {
    const odd = {
      name: NAME,
      zone: null,
      disks: null,
      labels: 7,
      scheduling: 'x',
      networkInterfaces: [{}],
      metadata: [],
    };
    const { provider, clock } = scriptedGoogle({ [ONE]: () => ({ body: odd }) });
    expect(await provider.getInstance(ID)).toMatchObject({
      hostname: NAME,
      status: 'starting',
      volumeIds: [],
      osVolumeId: null,
      ip: null,
      tags: {},
      // Of unknown age is too young for any cleaning up.
      createdAtMs: clock.nowMs,
    });
  });

  it('have no control characters in what others wrote', async () => {
    const odd = { ...INSTANCE, name: 'a\u009B31mb', statusMessage: 'x\ny\u0007', labels: { 'deckhand-a': 'b\nc' } };
    const { provider } = scriptedGoogle({ [ONE]: () => ({ body: odd }) });
    expect(JSON.stringify(await provider.getInstance(ID))).not.toMatch(/\\[bfnrt]|\\u00|[\u007F-\u009F]/u);
  });

  it('are spot in either spelling, and have the private address where there is no other', async () => {
    const bare = { ...INSTANCE, networkInterfaces: [{ networkIP: '10.0.0.2' }] };
    const { provider } = scriptedGoogle({
      [ONE]: (_, nth) => ({
        body: { ...bare, scheduling: nth === 1 ? { provisioningModel: 'SPOT' } : { preemptible: true } },
      }),
    });
    expect(await provider.getInstance(ID)).toMatchObject({ market: 'spot', ip: '10.0.0.2' });
    expect(await provider.getInstance(ID)).toMatchObject({ market: 'spot' });
  });

  it('whose insert failed lately are shown as failed, with the reason, and then no more', async () => {
    const { provider, clock, of } = scriptedGoogle({
      [ONE]: () => refusal(404, 'notFound'),
      [OPERATIONS]: () => ({
        body: {
          items: [
            failed('ZONE_RESOURCE_POOL_EXHAUSTED', 'not enough').body,
            operation({ operationType: 'delete', insertTime: '2026-10-01T00:00:09Z' }).body,
          ],
        },
      }),
    });
    expect(await provider.getInstance(ID)).toMatchObject({
      id: ID,
      hostname: NAME,
      status: 'failed',
      rawStatus: 'capacity: ZONE_RESOURCE_POOL_EXHAUSTED not enough',
    });
    expect(of(OPERATIONS)[0]?.query.get('filter')).toBe(`targetLink eq ".*/zones/${ZONE}/instances/${NAME}"`);
    clock.nowMs += 121_000;
    expect(await provider.getInstance(ID)).toBeNull();
  });

  it('that were there and are gone are unknown, as those of which nothing is known', async () => {
    const { provider } = scriptedGoogle({
      [ONE]: () => refusal(404, 'notFound'),
      [OPERATIONS]: (_, nth) => (nth === 1 ? { body: { items: [operation().body] } } : { body: {} }),
    });
    expect(await provider.getInstance(ID)).toBeNull();
    expect(await provider.getInstance(ID)).toBeNull();
    expect(await provider.getInstance('eu-west-1/i-0abc')).toBeNull();
  });

  it('are not taken for gone because something in between answers 404', async () => {
    const { provider } = scriptedGoogle({ [ONE]: () => ({ status: 404, body: '<html>not here</html>' }) });
    await expect(provider.getInstance(ID)).rejects.toMatchObject({ code: 'provider_transient' });
  });
});

describe('the end of a machine of Google', () => {
  const AUTO = 'POST /zones/*/instances/*/setDiskAutoDelete';
  const DELETE = 'DELETE /zones/*/instances/*';

  it('takes exactly the disks along that are named', async () => {
    const rig = scriptedGoogle({
      [ONE]: () => ({ body: INSTANCE }),
      [AUTO]: (_, nth) => operation({ status: nth === 1 ? 'RUNNING' : 'DONE' }),
      'GET /zones/*/operations/*': () => operation(),
      [DELETE]: () => operation({ status: 'RUNNING' }),
    });
    await rig.provider.deleteInstance(ID, [`${ZONE}/${NAME}-os`]);
    expect(rig.of(AUTO).map(({ query }) => Object.fromEntries(query))).toEqual([
      { deviceName: 'os', autoDelete: 'true' },
      { deviceName: 'data', autoDelete: 'false' },
    ]);
    // In this order: a disk that is to be kept must not go with the machine.
    expect(rig.seen.map(({ method, path }) => `${method} ${path.split('/').at(-1)}`)).toEqual([
      `GET ${NAME}`,
      'POST setDiskAutoDelete',
      'GET operation-1',
      'POST setDiskAutoDelete',
      `DELETE ${NAME}`,
    ]);
    expect(await rig.provider.getInstance(ID)).toMatchObject({ status: 'running' });
  });

  it('does not come while a disk cannot be marked', async () => {
    const rig = scriptedGoogle({ [ONE]: () => ({ body: INSTANCE }), [AUTO]: () => failed('RESOURCE_NOT_READY') });
    await expect(rig.provider.deleteInstance(ID, [])).rejects.toMatchObject({ code: 'provider_not_yet' });
    expect(rig.of(DELETE)).toEqual([]);
  });

  it('shows as being deleted to the process that ordered it', async () => {
    const rig = scriptedGoogle({
      [ONE]: (_, nth) => ({ body: { ...INSTANCE, disks: [], status: nth === 1 ? 'RUNNING' : 'STOPPING' } }),
      [DELETE]: () => operation({ status: 'RUNNING' }),
    });
    await rig.provider.deleteInstance(ID, []);
    expect(await rig.provider.getInstance(ID)).toMatchObject({ status: 'deleting' });
  });
});

describe('changes of a machine of Google', () => {
  it('have ended when they are answered, or are not yet', async () => {
    const done = scriptedGoogle({
      [ONE]: () => ({ body: INSTANCE }),
      'POST /zones/*/instances/*/setMachineType': () => operation({ status: 'RUNNING' }),
      'GET /zones/*/operations/*': (_, nth) => operation({ status: nth < 3 ? 'RUNNING' : 'DONE' }),
    });
    await partOf(done.provider, 'typeChange').changeType(ID, 'g2-standard-8');
    expect(done.of('POST /zones/*/instances/*/setMachineType')[0]?.body).toEqual({
      machineType: `zones/${ZONE}/machineTypes/g2-standard-8`,
    });
    const never = scriptedGoogle({
      [ONE]: () => ({ body: INSTANCE }),
      'POST /zones/*/instances/*/setMachineType': () => operation({ status: 'RUNNING' }),
      'GET /zones/*/operations/*': () => operation({ status: 'RUNNING' }),
    });
    expect(await codeOf(partOf(never.provider, 'typeChange').changeType(ID, 'g2-standard-8'))).toBe('provider_not_yet');
  });

  it('make a machine another size of its series only', async () => {
    const { provider, seen } = scriptedGoogle({ [ONE]: () => ({ body: INSTANCE }) });
    expect(await codeOf(partOf(provider, 'typeChange').changeType(ID, 'a2-highgpu-1g'))).toBe('provider_config');
    expect(seen).toHaveLength(1);
  });

  it('keep the GPUs that are attached to a machine when it becomes another size', async () => {
    const gpus = {
      acceleratorType: `https://www.googleapis.com/compute/v1/projects/${PROJECT}/zones/${ZONE}/acceleratorTypes/nvidia-tesla-t4`,
      acceleratorCount: 1,
    };
    const body = {
      ...INSTANCE,
      machineType: INSTANCE.machineType.replace('g2-standard-4', 'n1-standard-4'),
      guestAccelerators: [gpus],
    };
    const { provider, of } = scriptedGoogle({
      [ONE]: () => ({ body }),
      'POST /zones/*/instances/*/setMachineType': () => operation(),
    });
    expect(await provider.getInstance(ID)).toMatchObject({ instanceType: 'n1-standard-4+nvidia-tesla-t4x1' });
    await partOf(provider, 'typeChange').changeType(ID, 'n1-standard-8+nvidia-tesla-t4x1');
    expect(of('POST /zones/*/instances/*/setMachineType').map((call) => call.body)).toEqual([
      { machineType: `zones/${ZONE}/machineTypes/n1-standard-8` },
    ]);
    expect(await codeOf(partOf(provider, 'typeChange').changeType(ID, 'n1-standard-8+nvidia-tesla-t4x2'))).toBe(
      'provider_config',
    );
  });

  it('need an id of Google', async () => {
    const { provider } = scriptedGoogle({});
    for (const id of ['i-0abc', 'eu-west-1/i-0abc', `${ZONE}/No Name`, `${ZONE}/a/b`])
      await expect(partOf(provider, 'stopping').shutdown(id)).rejects.toMatchObject({ code: 'provider_gone' });
  });
});

describe('disks of Google', () => {
  it.each([
    [{}, { status: 'attached', instanceId: ID, sizeGib: 100, usdPerMonth: 10, isOsVolume: true }],
    [{ users: undefined }, { status: 'detached', instanceId: null }],
    [{ status: 'CREATING', users: [] }, { status: 'changing' }],
    [{ status: 'DELETING', users: [] }, { status: 'deleted' }],
    [{ status: 'FAILED', users: [] }, { status: 'detached' }],
    [{ status: 'A_STATUS_OF_NEXT_YEAR' }, { status: 'changing' }],
    [{ name: 'data' }, { isOsVolume: false }],
    [{ name: 'data', sourceImage: 'projects/x/global/images/y' }, { isOsVolume: true }],
  ])('%j are %j', async (change, expected) => {
    const { provider } = scriptedGoogle({ 'GET /zones/*/disks/*': () => ({ body: { ...DISK, ...change } }) });
    expect(await provider.getVolume(`${ZONE}/${NAME}-os`)).toMatchObject(expected);
  });
});

describe('tags as labels', () => {
  const text = fc.string({ maxLength: 8, unit: 'grapheme' });

  it('come back as they were given', () =>
    forAll([fc.dictionary(text, text)], {}, (tags) => {
      const bytes = (word: string): number => Buffer.byteLength(word) * 3;
      fc.pre(
        Object.entries(tags).every(
          ([key, value]) => bytes(key) < 50 && bytes(value) < 60 && key.isWellFormed() && value.isWellFormed(),
        ),
      );
      const labels = toLabels(tags);
      for (const [key, value] of Object.entries(labels)) {
        expect(key).toMatch(/^[a-z][a-z0-9_-]{0,62}$/u);
        expect(value).toMatch(/^[a-z0-9_-]{0,63}$/u);
      }
      expect(ownTags({ ...labels, team: 'ml' })).toEqual(tags);
    }));

  it('are refused where they are too long', () => {
    expect(() => toLabels({ note: 'x'.repeat(64) })).toThrow(/too long for a label/u);
  });
});

it.each([
  ['europe-west4-a/dh-test1-visual-1', { zone: 'europe-west4-a', name: 'dh-test1-visual-1' }],
  ['us-central1-f/x', { zone: 'us-central1-f', name: 'x' }],
  ['eu-west-1/i-0abc', null],
  ['europe-west4/x', null],
  ['europe-west4-a/X', null],
  ['europe-west4-a/x/y', null],
  ['8a4ec0f8-1111-4222-8333-444444444444', null],
])('the id %s is %j', (written, expected) => {
  expect(readId(written)).toEqual(expected);
});

it('the region of a zone is its name without the letter', () => {
  expect(regionOfZone('northamerica-northeast1-a')).toBe('northamerica-northeast1');
  expect(regionOfZone('MARS-01')).toBeNull();
});
