/**
 * Machines and volumes at AWS as the provider port shows them, over real sockets with scripted answers.
 */
import { describe, expect, it } from 'vitest';
import { codeOf, virtualClock } from '../scripted-api.ts';
import { answerOf, HOSTNAME, instancesXml, instanceXml, providerOf, refusal, scriptedAws } from './scripted-aws.ts';

const ID = 'eu-west-1/i-0abc';
const volumesXml = (content: string): string => answerOf('DescribeVolumes', `<volumeSet>${content}</volumeSet>`);

describe('machines at AWS', () => {
  it('are listed over all regions, without those that have ended', async () => {
    const api = await scriptedAws({
      DescribeInstances: ({ region }) =>
        region === 'eu-west-1'
          ? instancesXml(instanceXml(), instanceXml({ id: 'i-0dead', state: 'terminated' }))
          : instancesXml(instanceXml({ id: 'i-0def', zone: 'us-east-1c' })),
    });
    const found = await providerOf(api).listInstances();
    expect(found.map(({ id, location }) => [id, location])).toEqual([
      ['eu-west-1/i-0abc', 'eu-west-1a'],
      ['us-east-1/i-0def', 'us-east-1c'],
    ]);
  });

  it('are not listed at all when one region does not answer', async () => {
    const api = await scriptedAws({
      DescribeInstances: ({ region }) =>
        region === 'eu-west-1' ? instancesXml(instanceXml()) : refusal('Unavailable', 'oops', 503),
    });
    expect(await codeOf(providerOf(api).listInstances())).toBe('provider_transient');
  });

  it('are described as the port wants them', async () => {
    const extra = `<ipAddress>54.1.2.3</ipAddress><instanceLifecycle>spot</instanceLifecycle><networkInterfaceSet><item>
      <attachment><attachTime>2026-10-01T00:00:00.000Z</attachTime></attachment></item></networkInterfaceSet>`;
    const disks = [
      { id: 'vol-0abc', device: '/dev/sda1', deleted: false },
      { id: 'vol-0def', device: '/dev/sdf', deleted: true },
    ];
    const api = await scriptedAws({ DescribeInstances: () => instancesXml(instanceXml({ extra, disks })) });
    expect(await providerOf(api).getInstance(ID)).toEqual({
      id: ID,
      hostname: HOSTNAME,
      status: 'running',
      rawStatus: 'running',
      instanceType: 'g6e.xlarge',
      location: 'eu-west-1a',
      market: 'spot',
      priceUsdPerHour: 0,
      ip: '54.1.2.3',
      osVolumeId: 'eu-west-1/vol-0abc',
      volumeIds: ['eu-west-1/vol-0abc', 'eu-west-1/vol-0def'],
      tags: { pool: 'visual' },
      // The launch time is that of the last start.
      createdAtMs: Date.parse('2026-10-01T00:00:00Z'),
      simulatedModelUrl: null,
    });
  });

  it.each([
    ['pending', 'pending', 'starting'],
    ['running', '', 'running'],
    ['stopping', 'Client.UserInitiatedShutdown', 'starting'],
    ['stopped', 'Client.UserInitiatedShutdown', 'stopped'],
    ['stopped', 'Client.InstanceInitiatedShutdown', 'stopped'],
    ['shutting-down', 'Client.UserInitiatedShutdown', 'deleting'],
    ['shutting-down', 'Server.InsufficientInstanceCapacity', 'failed'],
    ['terminated', 'Client.UserInitiatedShutdown', 'gone'],
    ['terminated', 'Client.InstanceInitiatedShutdown', 'gone'],
    ['terminated', 'Server.SpotInstanceTermination', 'gone'],
    ['terminated', '', 'gone'],
    ['terminated', 'Server.InsufficientInstanceCapacity', 'failed'],
    ['terminated', 'Client.VolumeLimitExceeded', 'failed'],
    ['terminated', 'Server.InternalError', 'failed'],
    ['terminated', 'Client.InternalError', 'failed'],
    ['terminated', 'Client.InvalidSnapshot.NotFound', 'failed'],
    ['dreaming', '', 'starting'],
    ['constructor', '', 'starting'],
  ])('that are %s (%s) have the status %s', async (state, reason, status) => {
    const api = await scriptedAws({ DescribeInstances: () => instancesXml(instanceXml({ state, reason })) });
    const found = await providerOf(api).getInstance(ID);
    expect([found?.status, found?.rawStatus]).toEqual([
      status,
      reason === '' || reason === state ? state : `${state} (${reason})`,
    ]);
  });

  it('keep their host name when someone renames them, and foreign ones have their tag', async () => {
    const api = await scriptedAws({
      DescribeInstances: () =>
        instancesXml(instanceXml({ name: 'renamed' }), instanceXml({ id: 'i-0def', token: 'a-uuid', name: 'theirs' })),
    });
    const found = await providerOf(api, { settings: { regions: ['eu-west-1'] } }).listInstances();
    expect(found.map(({ hostname }) => hostname)).toEqual([HOSTNAME, 'theirs']);
  });

  it('that were copied in the console with the name of one of ours have no name', async () => {
    const api = await scriptedAws({ DescribeInstances: () => instancesXml(instanceXml({ token: 'a-uuid' })) });
    expect((await providerOf(api).getInstance(ID))?.hostname).toBe('');
  });

  it('that never ran are failed for some minutes after their launch, to every process, then gone', async () => {
    const ended = instancesXml(instanceXml({ state: 'terminated', reason: 'Server.InsufficientInstanceCapacity' }));
    const api = await scriptedAws({ DescribeInstances: () => ended });
    const clock = virtualClock();
    const statusAt = async (ms: number) => {
      clock.nowMs = Date.parse('2026-10-01T00:10:00.000Z') + ms;
      return (await providerOf(api, { clock }).getInstance(ID))?.status;
    };
    expect([await statusAt(0), await statusAt(299_999), await statusAt(300_000)]).toEqual(['failed', 'failed', 'gone']);
  });

  it('without a public address have their private one, once they run', async () => {
    const api = await scriptedAws({
      DescribeInstances: (_call, nth) => instancesXml(instanceXml({ state: nth === 1 ? 'pending' : 'running' })),
    });
    const provider = providerOf(api);
    expect([(await provider.getInstance(ID))?.ip, (await provider.getInstance(ID))?.ip]).toEqual([null, '10.0.0.7']);
  });

  it('are null where AWS does not know the id, or it is none of AWS', async () => {
    const api = await scriptedAws({ DescribeInstances: () => refusal('InvalidInstanceID.NotFound') });
    const provider = providerOf(api);
    expect(await provider.getInstance(ID)).toBeNull();
    for (const id of ['i-0abc', 'eu-west-1/../x', 'evil.example/i-0abc', ''])
      expect(await provider.getInstance(id)).toBeNull();
    expect(api.seen).toHaveLength(1);
  });

  it('say where their model server is at a simulator only', async () => {
    const tag =
      '<tagSet><item><key>deckhand:simulated-model-url</key><value>http://127.0.0.1:9</value></item></tagSet>';
    const api = await scriptedAws({
      DescribeInstances: () => instancesXml(instanceXml().replace(/<tagSet>.*<\/tagSet>/u, tag)),
    });
    const near = await providerOf(api).getInstance(ID);
    expect([near?.simulatedModelUrl, near?.tags]).toEqual(['http://127.0.0.1:9', {}]);
    const far = await providerOf(api, {
      settings: { baseUrl: null },
      fetch: (_url, init) => fetch(api.baseUrl, init),
    }).getInstance(ID);
    expect(far?.simulatedModelUrl).toBeNull();
  });
});

describe('volumes at AWS', () => {
  const volume = (status: string, attachment = ''): string =>
    volumesXml(`<item><volumeId>vol-0abc</volumeId><size>65</size><availabilityZone>eu-west-1a</availabilityZone><status>${status}</status>
      <createTime>2026-10-01T00:00:00.000Z</createTime><attachmentSet>${attachment}</attachmentSet>
      <tagSet><item><key>Name</key><value>${HOSTNAME}-os</value></item><item><key>deckhand:pool</key><value>visual</value></item></tagSet></item>`);
  const attached = (status: string): string =>
    `<item><volumeId>vol-0abc</volumeId><instanceId>i-0abc</instanceId><device>/dev/sda1</device><status>${status}</status></item>`;

  it('are described as the port wants them', async () => {
    const api = await scriptedAws({ DescribeVolumes: () => volume('in-use', attached('attached')) });
    expect(await providerOf(api).getVolume('eu-west-1/vol-0abc')).toEqual({
      id: 'eu-west-1/vol-0abc',
      name: `${HOSTNAME}-os`,
      sizeGib: 65,
      location: 'eu-west-1a',
      status: 'attached',
      rawStatus: 'in-use',
      isOsVolume: true,
      instanceId: ID,
      usdPerMonth: 65 * 0.08,
      tags: { pool: 'visual' },
      createdAtMs: Date.parse('2026-10-01T00:00:00Z'),
    });
  });

  it.each([
    ['available', '', 'detached'],
    ['creating', '', 'changing'],
    ['in-use', attached('detaching'), 'changing'],
    ['deleting', '', 'deleted'],
    ['error', '', 'detached'],
    ['odd', '', 'changing'],
  ])('that are %s have the status of the port', async (status, attachment, expected) => {
    const api = await scriptedAws({ DescribeVolumes: () => volume(status, attachment) });
    expect((await providerOf(api).getVolume('eu-west-1/vol-0abc'))?.status).toBe(expected);
  });
});
