/**
 * How a machine is made at Google: what is sent, once, and what each end of its operation means.
 */
import { describe, expect, it } from 'vitest';
import { requestIdOf } from '../../../../clouds/google/calls/instances.ts';
import { partOf } from '../../../../clouds/parts.ts';
import type { CreateInstanceRequest, DiskBoot, ImageRequest } from '../../../../clouds/provider.ts';
import { providerErrorOf } from '../../../../clouds/errors.ts';
import {
  failed,
  operation,
  PREPARATION,
  PROJECT,
  refusal,
  requestOf,
  scriptedGoogle,
  ZONE,
} from './scripted-google.ts';
import { codeOf, failureOf } from '../scripted-api.ts';

const INSERT = 'POST /zones/*/instances';
const LOOK = 'GET /zones/*/operations/*';
const ID = `${ZONE}/dh-test1-visual-1`;
/** A create of a wake. */
const wakeOf = (change: Partial<ImageRequest> = {}): CreateInstanceRequest<DiskBoot> => ({
  ...requestOf(change),
  boot: { kind: 'volume', osVolumeId: `${ZONE}/dh-test1-visual-0-os` },
});

describe('a create at Google', () => {
  it('from an image names type, disk, network, key and script', async () => {
    const rig = scriptedGoogle({ [INSERT]: () => operation() });
    expect(await rig.provider.createInstance(requestOf(), PREPARATION)).toBe(ID);
    const [call] = rig.of(INSERT);
    expect(call?.path).toBe(`/zones/${ZONE}/instances`);
    expect(call?.query.get('requestId')).toBe(requestIdOf('dh-test1-visual-1'));
    expect(call?.body).toEqual({
      name: 'dh-test1-visual-1',
      description: 'Deckhand visual-1, pool visual',
      machineType: `zones/${ZONE}/machineTypes/g2-standard-4`,
      disks: [
        {
          boot: true,
          autoDelete: false,
          type: 'PERSISTENT',
          mode: 'READ_WRITE',
          deviceName: 'dh-test1-visual-1-os',
          initializeParams: {
            diskName: 'dh-test1-visual-1-os',
            diskSizeGb: '100',
            diskType: `zones/${ZONE}/diskTypes/pd-balanced`,
            sourceImage: 'projects/images/global/images/ubuntu-v1',
            labels: { 'deckhand-instance': 'visual-1', 'deckhand-intent': 'visual-1_2f1' },
          },
        },
      ],
      networkInterfaces: [
        { network: 'global/networks/default', accessConfigs: [{ type: 'ONE_TO_ONE_NAT', name: 'External NAT' }] },
      ],
      tags: { items: ['dh-test1'] },
      labels: { 'deckhand-instance': 'visual-1', 'deckhand-intent': 'visual-1_2f1' },
      metadata: {
        items: [
          { key: 'startup-script', value: '#!/bin/sh\ntrue\n' },
          { key: 'ssh-keys', value: 'ubuntu:ssh-ed25519 AAAA deckhand' },
          { key: 'block-project-ssh-keys', value: 'TRUE' },
        ],
      },
      scheduling: { onHostMaintenance: 'TERMINATE', automaticRestart: false, provisioningModel: 'STANDARD' },
      serviceAccounts: [],
    });
  });

  it('of a machine with attached GPUs names them beside the type', async () => {
    const rig = scriptedGoogle({ [INSERT]: () => operation() });
    await rig.provider.createInstance(requestOf({ instanceType: 'n1-standard-8+nvidia-tesla-t4x2' }), PREPARATION);
    expect(rig.of(INSERT)[0]?.body).toMatchObject({
      machineType: `zones/${ZONE}/machineTypes/n1-standard-8`,
      guestAccelerators: [{ acceleratorType: `zones/${ZONE}/acceleratorTypes/nvidia-tesla-t4`, acceleratorCount: 2 }],
      scheduling: { onHostMaintenance: 'TERMINATE' },
    });
  });

  it('of a series that boots Hyperdisk only makes such a disk', async () => {
    const rig = scriptedGoogle({ [INSERT]: () => operation() });
    await rig.provider.createInstance(requestOf({ instanceType: 'g4-standard-48' }), PREPARATION);
    const diskType = `zones/${ZONE}/diskTypes/hyperdisk-balanced`;
    expect(rig.of(INSERT)[0]?.body).toMatchObject({ disks: [{ initializeParams: { diskType } }] });
  });

  it('from a kept disk sends neither image, key nor script', async () => {
    const rig = scriptedGoogle({ [INSERT]: () => operation() });
    const preparation = { ...PREPARATION, image: '', disk: 'dh-test1-visual-0-os' };
    await partOf(rig.provider, 'keptDisks').createInstance(wakeOf(), preparation);
    expect(rig.of(INSERT)[0]?.body).toMatchObject({
      disks: [
        {
          boot: true,
          autoDelete: false,
          type: 'PERSISTENT',
          mode: 'READ_WRITE',
          source: `zones/${ZONE}/disks/dh-test1-visual-0-os`,
          deviceName: 'dh-test1-visual-0-os',
        },
      ],
      metadata: { items: [{ key: 'block-project-ssh-keys', value: 'TRUE' }] },
    });
  });

  it('on the spot market ends with its machine, whose disk stays', async () => {
    const rig = scriptedGoogle({ [INSERT]: () => operation() });
    await rig.provider.createInstance(requestOf({ market: 'spot' }), PREPARATION);
    expect(rig.of(INSERT)[0]?.body).toMatchObject({
      scheduling: {
        onHostMaintenance: 'TERMINATE',
        automaticRestart: false,
        provisioningModel: 'SPOT',
        instanceTerminationAction: 'DELETE',
      },
      disks: [{ autoDelete: false }],
    });
  });

  it('has the same request id for the same host name, until it was certainly refused', async () => {
    const rig = scriptedGoogle({
      [INSERT]: (_, nth) => {
        if (nth === 1) return { drop: true };
        return nth === 2 ? failed('ZONE_RESOURCE_POOL_EXHAUSTED') : operation();
      },
    });
    const create = () => rig.provider.createInstance(requestOf(), PREPARATION);
    await expect(create()).rejects.toMatchObject({ code: 'provider_transient' });
    await expect(create()).rejects.toMatchObject({ code: 'provider_capacity' });
    await create();
    const ids = rig.of(INSERT).map(({ query }) => query.get('requestId'));
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).not.toBe(ids[1]);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u);
    expect(requestIdOf('dh-test1-visual-2')).not.toBe(requestIdOf('dh-test1-visual-1'));
  });

  it.each([
    ['ZONE_RESOURCE_POOL_EXHAUSTED', '', 'capacity'],
    ['QUOTA_EXCEEDED', "Quota 'GPUS_ALL_REGIONS' exceeded.  Limit: 0.0 globally.", 'quota'],
    ['RESOURCE_ALREADY_EXISTS', '', 'transient'],
  ] as const)('whose operation ends with %s after a while is refused as %s', async (code, message, errorClass) => {
    const rig = scriptedGoogle({
      [INSERT]: () => operation({ status: 'RUNNING' }),
      [LOOK]: (_, nth) => (nth < 3 ? operation({ status: 'RUNNING' }) : failed(code, message)),
    });
    const error = await failureOf(rig.provider.createInstance(requestOf(), PREPARATION));
    expect(providerErrorOf(error).errorClass).toBe(errorClass);
    expect(error.message).toContain(code);
  });

  it('is accepted when its operation goes on', async () => {
    const rig = scriptedGoogle({
      [INSERT]: () => operation({ status: 'RUNNING' }),
      [LOOK]: () => operation({ status: 'RUNNING' }),
    });
    const fromMs = rig.clock.nowMs;
    expect(await rig.provider.createInstance(requestOf(), PREPARATION)).toBe(ID);
    expect(rig.clock.nowMs - fromMs).toBeLessThanOrEqual(20_000);
  });

  it('that ends in unknown words is looked for, and after some of them its offer is blocked', async () => {
    const rig = scriptedGoogle({
      [INSERT]: (_, nth) => (nth === 3 ? operation() : failed('A_CODE_OF_NEXT_YEAR', 'new words')),
    });
    const classOf = async () => providerErrorOf(await failureOf(rig.provider.createInstance(requestOf(), PREPARATION)));
    expect(await classOf()).toMatchObject({ errorClass: 'transient', message: expect.stringContaining('new words') });
    expect(await classOf()).toMatchObject({ errorClass: 'transient' });
    // A success between begins the count again.
    await rig.provider.createInstance(requestOf(), PREPARATION);
    expect(await classOf()).toMatchObject({ errorClass: 'transient' });
    expect(await classOf()).toMatchObject({ errorClass: 'transient' });
    expect(await classOf()).toMatchObject({
      errorClass: 'capacity',
      message: expect.stringContaining('A_CODE_OF_NEXT_YEAR: new words'),
    });
  });

  it('that is answered in unknown words may have worked, however often', async () => {
    const rig = scriptedGoogle({ [INSERT]: () => refusal(503, 'aReasonOfNextYear') });
    for (let n = 0; n < 5; n += 1)
      expect(await codeOf(rig.provider.createInstance(requestOf(), PREPARATION))).toBe('provider_transient');
    expect(new Set(rig.of(INSERT).map(({ query }) => query.get('requestId'))).size).toBe(1);
  });

  it.each([
    [{ hostname: 'No Host_Name' }, 'is not a host name'],
    [{ hostname: '1-begins-with-a-digit' }, 'is not a host name'],
    [{ location: 'MARS-01' }, 'is not a zone of Google'],
    [{ tags: { note: 'x'.repeat(80) } }, 'too long for a label'],
  ])('with %j is refused before it is sent', async (change, words) => {
    const rig = scriptedGoogle({});
    const error = await failureOf(rig.provider.createInstance(requestOf(change), PREPARATION));
    expect(error).toMatchObject({ code: 'provider_config', message: expect.stringContaining(words) });
    expect(rig.seen).toEqual([]);
  });

  it('that was not prepared is not sent', async () => {
    const rig = scriptedGoogle({});
    await expect(rig.provider.createInstance(requestOf(), {})).rejects.toMatchObject({ code: 'provider_config' });
    expect(rig.seen).toEqual([]);
  });
});

describe('what a create needs at Google', () => {
  const FAMILY = 'GET /compute/v1/projects/images/global/images/family/ubuntu';
  const RULE = 'GET /global/firewalls/dh-test1';
  const MAKE = 'POST /global/firewalls';
  const image = () => ({ body: { name: 'ubuntu-v1', diskSizeGb: '120' } });
  const open = {
    direction: 'INGRESS',
    disabled: false,
    sourceRanges: ['0.0.0.0/0'],
    targetTags: ['dh-test1'],
    allowed: [{ IPProtocol: 'tcp', ports: ['22'] }],
  };

  it('is found: the newest image of its family, the network and the firewall rule', async () => {
    const rig = scriptedGoogle({ [FAMILY]: image, [RULE]: () => ({ body: open }) });
    expect(await rig.provider.prepareCreate(requestOf())).toEqual({ ...PREPARATION, osVolumeGib: '120' });
    expect(rig.seen.every(({ method }) => method === 'GET')).toBe(true);
  });

  it('is made where it is missing: a rule for SSH to machines with its tag', async () => {
    const rig = scriptedGoogle({
      [FAMILY]: image,
      [RULE]: () => refusal(404, 'notFound'),
      [MAKE]: () => operation({ zone: undefined, status: 'RUNNING' }),
      'GET /global/operations/operation-1': () => operation({ zone: undefined }),
    });
    await rig.provider.prepareCreate(requestOf());
    expect(rig.of(MAKE).map(({ body }) => body)).toEqual([
      {
        name: 'dh-test1',
        description: 'Deckhand: SSH only',
        network: `projects/${PROJECT}/global/networks/default`,
        direction: 'INGRESS',
        sourceRanges: ['0.0.0.0/0'],
        targetTags: ['dh-test1'],
        allowed: [{ IPProtocol: 'tcp', ports: ['22'] }],
      },
    ]);
  });

  it('may be made by two at once', async () => {
    const rig = scriptedGoogle({
      [FAMILY]: image,
      [RULE]: () => refusal(404, 'notFound'),
      [MAKE]: () => refusal(409, 'alreadyExists'),
    });
    await expect(rig.provider.prepareCreate(requestOf())).resolves.toMatchObject({ networkTag: 'dh-test1' });
  });

  it.each<readonly [string, Readonly<Record<string, unknown>>]>([
    ['is switched off', { disabled: true }],
    ['is for other machines', { targetTags: ['web'] }],
    ['lets something else in', { allowed: [{ IPProtocol: 'tcp', ports: ['80'] }] }],
    ['denies', { allowed: undefined, denied: [{ IPProtocol: 'tcp' }] }],
  ])('is refused where the rule %s', async (_what, change) => {
    const { provider } = scriptedGoogle({ [FAMILY]: image, [RULE]: () => ({ body: { ...open, ...change } }) });
    await expect(provider.prepareCreate(requestOf())).rejects.toMatchObject({ code: 'provider_config' });
  });

  it('is refused without a network', async () => {
    const { provider } = scriptedGoogle({
      [FAMILY]: image,
      [RULE]: () => refusal(404, 'notFound'),
      [MAKE]: () => refusal(400, 'invalid', 'The referenced network resource cannot be found.'),
    });
    await expect(provider.prepareCreate(requestOf())).rejects.toMatchObject({
      code: 'provider_config',
      hint: expect.stringContaining('"network"'),
    });
  });

  it('is refused without an image family', async () => {
    const { provider } = scriptedGoogle({ [FAMILY]: () => refusal(404, 'notFound'), [RULE]: () => ({ body: open }) });
    await expect(provider.prepareCreate(requestOf())).rejects.toMatchObject({
      code: 'provider_config',
      message: 'the project images has no image family ubuntu',
    });
  });

  it('is the disk for a wake, in its own zone', async () => {
    const DISK = 'GET /zones/*/disks/*';
    const rig = scriptedGoogle({
      [RULE]: () => ({ body: open }),
      [DISK]: () => ({ body: { name: 'dh-test1-visual-0-os' } }),
    });
    const keptDisks = partOf(rig.provider, 'keptDisks');
    expect(await keptDisks.prepareCreate(wakeOf())).toMatchObject({
      disk: 'dh-test1-visual-0-os',
      image: '',
    });
    expect(await codeOf(keptDisks.prepareCreate(wakeOf({ location: 'europe-west4-b' })))).toBe('provider_config');
    const hyperdisk = wakeOf({ instanceType: 'g4-standard-48' });
    const balanced = scriptedGoogle({
      [RULE]: () => ({ body: open }),
      [DISK]: () => ({ body: { name: 'dh-test1-visual-0-os', type: `zones/${ZONE}/diskTypes/pd-balanced` } }),
    });
    const unfit = await partOf(balanced.provider, 'keptDisks').prepareCreate(hyperdisk).catch(providerErrorOf);
    expect(unfit).toMatchObject({ errorClass: 'capacity', block: null });
    const gone = scriptedGoogle({ [RULE]: () => ({ body: open }), [DISK]: () => refusal(404, 'notFound') });
    expect(await codeOf(partOf(gone.provider, 'keptDisks').prepareCreate(wakeOf()))).toBe('provider_config');
  });
});
