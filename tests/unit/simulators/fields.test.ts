/** What the simulated DataCrunch takes and refuses in the fields of bodies, and how it answers them. */
import { describe, expect, it } from 'vitest';
import { MAX_HOSTNAME_LENGTH } from '../../../domain/fleet/provider/names.ts';
import { startRig } from './datacrunch-client.ts';

const KEY = 'AAAAC3NzaC1lZDI1NTE5AAAAILe7mmhodAhp3yK0tEEHckHHJfopLkiftHUvL+sdflJp';

describe('a create at the simulated DataCrunch', () => {
  it.each(['a', 'dh-abc1-visual-0-1', 'Node1.example.org', 'h'.repeat(MAX_HOSTNAME_LENGTH)])(
    'takes the host name %s',
    async (hostname) => {
      const rig = await startRig();
      expect((await rig.create({ hostname })).status).toBe(202);
    },
  );

  it.each([
    [{ hostname: '' }, 'hostname should not be empty'],
    [{ hostname: 'two words' }, 'hostname must be a valid hostname'],
    [{ hostname: '-x' }, 'hostname must be a valid hostname'],
    [{ hostname: 'x_y' }, 'hostname must be a valid hostname'],
    [{ hostname: 'a..b' }, 'hostname must be a valid hostname'],
    [{ hostname: 'h'.repeat(MAX_HOSTNAME_LENGTH + 1) }, 'hostname must be shorter than or equal to 60 characters'],
    [{ os_volume: { name: 'x', size: 10 } }, 'os_volume.size must not be less than 40'],
    [{ os_volume: { name: 'x', size: 50.5 } }, 'os_volume.size should be int'],
    [{ volumes: [{ name: 'x', size: 50, type: 'SSD' }] }, 'volumes.0.type must be one of the following values'],
    [{ volumes: [{ name: 'x', size: 50, type: 'HDD' }] }, 'HDD volumes are no longer supported'],
    [{ instance_type: '16H200' }, 'Invalid instance type'],
    [{ instance_type: 'CPU.8V.32G' }, 'Operating system is not valid for this instance type'],
    [
      { instance_type: 'CPU.8V.32G', image: '77777777-4f48-4249-82b3-f199fb9b701b' },
      'Operating system is not valid for this instance type',
    ],
  ])('refuses %j', async (fields, message) => {
    const rig = await startRig();
    const answer = await rig.create(fields);
    expect([answer.status, answer.json()]).toEqual([
      400,
      { code: 'invalid_request', message: expect.stringContaining(message) },
    ]);
    expect(rig.datacrunch.core.allInstances()).toEqual([]);
  });

  it('takes an image by its id and answers with its type, from the first answer on', async () => {
    const rig = await startRig();
    const { text } = await rig.create({ image: '77777777-4f48-4249-82b3-f199fb9b701b' });
    const seen = [];
    for (let look = 0; look < 3; look += 1) {
      const { status, image, os_name } = (await rig.call('GET', `/instances/${text}`)).json();
      seen.push([status, image, os_name]);
      rig.clock.advance(30_000);
    }
    const image = ['ubuntu-24.04-cuda-12.8-open-docker', 'Ubuntu 24.04 + CUDA 12.8 Open + Docker'];
    expect(seen).toEqual([
      ['ordered', ...image],
      ['provisioning', ...image],
      ['running', ...image],
    ]);
    // The ids of the list are taken as well.
    const images = (await rig.call('GET', '/images?instance_type=1V100.6V')).json<
      { id: string; image_type: string }[]
    >();
    for (const { id, image_type } of images) {
      const made = await rig.create({ instance_type: '1V100.6V', image: id });
      expect((await rig.call('GET', `/instances/${made.text}`)).json()).toMatchObject({ image: image_type });
    }
  });

  it('says of long-term contracts that they are not simulated', async () => {
    const rig = await startRig();
    const expected = { code: 'not_implemented', message: 'not simulated: long-term contracts' };
    const answer = await rig.create({ contract: 'LONG_TERM' });
    expect([answer.status, answer.json()]).toEqual([501, expected]);
    for (const path of ['', '/instances', '/clusters'])
      expect((await rig.call('GET', `/long-term/periods${path}`)).json()).toEqual([]);
  });
});

it.each([
  [`ssh-ed25519 ${KEY} me@here`, 201],
  [`  ssh-ed25519 ${KEY}\n`, 201],
  ['nonsense', 400],
  ['', 400],
  [KEY, 400],
  [`ssh-rsa ${KEY}`, 400],
  ['ssh-ed25519 AAAA', 400],
  ['ssh-ed25519 a%b', 400],
  [`-----BEGIN OPENSSH PRIVATE KEY-----\n${KEY}`, 400],
])('the SSH key %j is answered with %i', async (key, status) => {
  const rig = await startRig();
  const answer = await rig.call('POST', '/ssh-keys', { name: 'k', key });
  expect(answer.status).toBe(status);
  if (status === 400)
    expect(answer.json()).toEqual({ code: 'invalid_request', message: 'key must be a valid SSH public key' });
});

it('tags have short ids, and keys with signs of an address are found', async () => {
  const rig = await startRig();
  const { text } = await rig.create({ tags: [{ key: 'team/platform', value: 'x' }] });
  const read = async () => (await rig.call('GET', `/instances/${text}`)).json<{ tags: { id: string }[] }>().tags;
  expect((await read())[0]?.id).toMatch(/^tag_[0-9a-f]{12}$/u);
  expect((await rig.call('DELETE', `/instances/${text}/tags/${encodeURIComponent('team/platform')}`)).status).toBe(204);
  expect(await read()).toEqual([]);
});

describe('volumes of the simulated DataCrunch', () => {
  const stopped = async () => {
    const rig = await startRig();
    const text = await rig.running();
    await rig.call('PUT', '/instances', { id: text, action: 'shutdown' });
    rig.clock.advance(5000);
    return { rig, instance: text };
  };

  it('are taken by machines once they exist, not while they are ordered', async () => {
    const { rig, instance } = await stopped();
    const { text: id } = await rig.disk();
    const refused = { code: 'invalid_request', message: 'Volume must be detached' };
    const attach = () => rig.call('PUT', '/volumes', { id, action: 'attach', instance_id: instance });
    expect((await attach()).json()).toEqual(refused);
    expect((await rig.create({ existing_volumes: [id] })).json()).toEqual(refused);
    rig.clock.advance(5000);
    expect((await attach()).status).toBe(202);
    const { text: other } = await rig.disk();
    rig.clock.advance(5000);
    expect((await rig.create({ existing_volumes: [other] })).status).toBe(202);
  });

  it('that are ordered for a machine are attached to it when they exist', async () => {
    const { rig, instance } = await stopped();
    const { text: id } = await rig.disk({ instance_id: instance });
    const read = async () => (await rig.call('GET', `/volumes/${id}`)).json();
    expect(await read()).toMatchObject({ status: 'ordered', instance_id: instance });
    expect((await rig.call('DELETE', `/volumes/${id}`)).status).toBe(403);
    rig.clock.advance(5000);
    expect(await read()).toMatchObject({ status: 'attached', instance_id: instance });
    const machine = (await rig.call('GET', `/instances/${instance}`)).json<{ volume_ids: string[] }>();
    expect(machine.volume_ids).toContain(id);
    const elsewhere = { instance_id: instance, location_code: 'FIN-02' };
    expect((await rig.disk(elsewhere)).status).toBe(400);
    expect((await rig.call('GET', '/volumes')).json()).toHaveLength(2);
  });

  it('that are ordered for a machine that ends meanwhile are left detached', async () => {
    const rig = await startRig({ storage: { orderSec: 30 } });
    const instance = await rig.running();
    await rig.call('PUT', '/instances', { id: instance, action: 'shutdown' });
    rig.clock.advance(20_000);
    const { text: id } = await rig.disk({ instance_id: instance });
    await rig.call('PUT', '/instances', { id: instance, action: 'delete', volume_ids: [] });
    rig.clock.advance(120_000);
    const expected = { status: 'detached', instance_id: null };
    expect((await rig.call('GET', `/volumes/${id}`)).json()).toMatchObject(expected);
  });

  it.each([
    ['FIN-01', 'type must be one of the following values: NVMe, NVMe_Shared, HDD, HDD_Shared'],
    ['HDD', 'HDD volumes are no longer supported'],
  ])('are not cloned to the type %s', async (type, message) => {
    const rig = await startRig();
    const { text: id } = await rig.disk();
    rig.clock.advance(5000);
    const answer = await rig.call('PUT', '/volumes', { id, action: 'clone', type });
    expect([answer.status, answer.json()]).toEqual([400, { code: 'invalid_request', message }]);
    expect((await rig.call('GET', '/volumes')).json()).toHaveLength(1);
  });

  it('say since when they are deleted, in the trash and after it', async () => {
    const rig = await startRig();
    const { text: trashed } = await rig.disk();
    const { text: purged } = await rig.disk();
    rig.clock.advance(5000);
    const deletedAt = new Date(rig.clock.nowMs()).toISOString();
    await rig.call('DELETE', `/volumes/${trashed}`);
    await rig.call('DELETE', `/volumes/${purged}`, { is_permanent: true });
    rig.clock.advance(1000);
    const read = async (id: string) => (await rig.call('GET', `/volumes/${id}`)).json();
    const expected = { status: 'deleted', deleted_at: deletedAt };
    expect(await read(trashed)).toMatchObject({ ...expected, is_permanently_deleted: false });
    expect(await read(purged)).toMatchObject({ ...expected, is_permanently_deleted: true });
    rig.clock.advance(97 * 3_600_000);
    expect(await read(trashed)).toMatchObject({ ...expected, is_permanently_deleted: true });
  });
});

describe('money of the simulated DataCrunch', () => {
  it('is converted in price lists that are asked for in EUR', async () => {
    const rig = await startRig({ billing: { eurPerUsd: 0.5 } });
    const priced = async (path: string, field: string) =>
      Object.fromEntries(
        await Promise.all(
          ['', '?currency=usd', '?currency=eur'].map(async (query) => {
            const [row] = (await rig.call('GET', `${path}${query}`)).json<Record<string, unknown>[]>();
            return [query, [Number(row?.[field]), row?.['currency']]] as const;
          }),
        ),
      ) as Record<string, [number, string]>;
    for (const [path, field] of [
      ['/instance-types', 'price_per_hour'],
      ['/instance-types', 'spot_price'],
      ['/instance-types', 'max_dynamic_price'],
      ['/cluster-types', 'price_per_hour'],
      ['/container-types', 'serverless_price'],
      ['/container-types', 'serverless_spot_price'],
    ] as const) {
      const { '': plain, '?currency=usd': usd, '?currency=eur': eur } = await priced(path, field);
      expect(plain).toEqual(usd);
      expect(usd?.[1]).toBe('usd');
      expect(eur).toEqual([expect.closeTo((usd?.[0] ?? 0) / 2, 3), 'eur']);
    }
    const volumes = (await rig.call('GET', '/volume-types?currency=eur')).json();
    expect(volumes).toMatchObject([{ type: 'NVMe', price: { price_per_month_per_gb: 0.1, currency: 'eur' } }, {}, {}]);
    expect((await rig.call('GET', '/instance-types?currency=gbp')).status).toBe(400);
  });

  it('of an account in EUR is in EUR: balance, machines and volumes, while the meter counts USD', async () => {
    const rig = await startRig({ billing: { currency: 'eur', eurPerUsd: 0.5, balanceUsd: 100 } });
    expect((await rig.call('GET', '/balance')).json()).toEqual({ amount: 50, currency: 'eur' });
    const { text } = await rig.create();
    rig.clock.advance(600_000);
    const machine = (await rig.call('GET', `/instances/${text}`)).json();
    expect(machine).toMatchObject({ price_per_hour: 0.91 / 2 });
    const volume = (await rig.call('GET', `/volumes/${String(machine['os_volume_id'])}`)).json();
    expect(volume).toMatchObject({ monthly_price: 50 * 0.2 * 0.5, currency: 'eur' });
    const { chargedUsd, balanceUsd } = rig.datacrunch.core.ledger();
    expect(balanceUsd).toBeCloseTo(100 - chargedUsd, 9);
    const { amount } = (await rig.call('GET', '/balance')).json<{ amount: number }>();
    expect(amount).toBeCloseTo(balanceUsd / 2, 3);
  });
});
