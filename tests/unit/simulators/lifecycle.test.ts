/** An instance of the simulated DataCrunch from create to gone, and what becomes of its disks. */
import { describe, expect, it } from 'vitest';
import { startRig, type Rig } from './datacrunch-client.ts';

interface InstanceBody {
  id: string;
  status: string;
  ip: string | null;
  os_volume_id: string | null;
  volume_ids: string[];
  startup_script_id: string | null;
  ssh_key_ids: string[];
  price_per_hour: number;
}

const read = async (rig: Rig, id: string): Promise<InstanceBody> =>
  (await rig.call('GET', `/instances/${id}`)).json<InstanceBody>();
const ids = async (rig: Rig, path: string): Promise<string[]> =>
  (await rig.call('GET', path)).json<{ id: string }[]>().map((row) => row.id);
const act = (rig: Rig, id: string | string[], action: string, more: Record<string, unknown> = {}) =>
  rig.call('PUT', '/instances', { id, action, ...more });

/** A running instance. */
async function running(rig: Rig, fields: Record<string, unknown> = {}): Promise<InstanceBody> {
  const text = await rig.running(fields);
  const instance = await read(rig, text);
  expect(instance.status).toBe('running');
  return instance;
}

describe('the boot of a simulated machine', () => {
  it('goes from ordered over provisioning to running, with disk and address when they are there', async () => {
    const rig = await startRig();
    const created = await rig.create({ os_volume: { name: 'disk', size: 70 } });
    expect(created.status).toBe(202);
    expect(created.text).toMatch(/^[0-9a-f-]{36}$/u);
    expect(await read(rig, created.text)).toMatchObject({ status: 'ordered', ip: null, os_volume_id: null });
    rig.clock.advance(10_000);
    const provisioning = await read(rig, created.text);
    expect(provisioning).toMatchObject({ status: 'provisioning', ip: null });
    const expected = { name: 'disk', size: 70, status: 'attached', is_os_volume: true };
    expect((await rig.call('GET', `/volumes/${provisioning.os_volume_id}`)).json()).toMatchObject(expected);
    rig.clock.advance(49_999);
    expect(await rig.status(created.text)).toBe('provisioning');
    rig.clock.advance(1);
    expect((await read(rig, created.text)).ip).toMatch(/^198\.18\./u);
  });

  it('takes what the provider’s Python SDK sends: nulls for fields that are not set', async () => {
    const rig = await startRig();
    const answer = await rig.create({
      startup_script_id: null,
      os_volume: null,
      coupon: null,
      volumes: [],
      existing_volumes: [],
    });
    expect(answer.status).toBe(202);
  });

  it.each([
    [{ location_code: undefined }, 400, 'location_code'],
    [{ location_code: 'ICE-01' }, 400, 'Invalid location code'],
    [{ instance_type: '9H100' }, 400, 'Invalid instance type'],
    [{ image: 'windows' }, 400, 'Invalid image'],
    [{ instance_type: '1V100.6V' }, 400, 'Operating system is not valid for this instance type'],
    [{ ssh_key_ids: ['nonsense'] }, 400, 'Invalid ssh-key ID'],
    [{ ssh_key_ids: ['7777abcd-0000-4000-8000-000000000000'] }, 404, 'SSH key not found'],
    [{ os_volume: { name: 'x', size: 50, on_spot_discontinue: 'move_to_trash' } }, 400, 'only allowed for spot'],
  ])('refuses %j', async (fields, status, words) => {
    const rig = await startRig();
    const answer = await rig.create(fields);
    expect(answer.status).toBe(status);
    expect(answer.json<{ message: string }>().message).toContain(words);
    expect(rig.datacrunch.core.allInstances()).toEqual([]);
  });

  it('shows an instance in lists only after the lag', async () => {
    const rig = await startRig({ visibility: { listLagSec: 30 } });
    const { text } = await rig.create();
    expect(await ids(rig, '/instances')).toEqual([]);
    expect(await rig.status(text)).toBe('ordered');
    rig.clock.advance(30_000);
    expect(await ids(rig, '/instances')).toEqual([text]);
  });

  it('shows the documented rare statuses when asked to', async () => {
    const rig = await startRig({ boot: { orderedSec: 30, provisioningSec: 10, rareStatuses: true } });
    const { text } = await rig.create();
    const seen: string[] = [];
    for (let sec = 0; sec < 45; sec += 5) {
      seen.push(await rig.status(text));
      rig.clock.advance(5000);
    }
    expect([...new Set(seen)]).toEqual(['ordered', 'new', 'validating', 'provisioning', 'running']);
  });
});

describe('the end of a simulated machine', () => {
  it('cannot be deleted while it is provisioned', async () => {
    const rig = await startRig();
    const { text } = await rig.create();
    rig.clock.advance(20_000);
    const refused = await act(rig, text, 'delete');
    expect(refused.status).toBe(403);
    const expected = { code: 'forbidden_action', message: "Can't discontinue a provisioning instance" };
    expect(refused.json()).toEqual(expected);
  });

  it('purges the named disks, keeps the others, and stays readable', async () => {
    const rig = await startRig();
    const instance = await running(rig, { volumes: [{ name: 'data', size: 50, type: 'NVMe' }] });
    const os = instance.os_volume_id ?? '';
    const data = instance.volume_ids.find((id) => id !== os) ?? '';
    const answer = await act(rig, instance.id, 'delete', { volume_ids: [os], delete_permanently: true });
    expect(answer.status).toBe(202);
    expect(answer.json()).toEqual([{ instanceId: instance.id, action: 'delete', status: 'success' }]);
    expect(await rig.status(instance.id)).toBe('deleting');
    rig.clock.advance(5000);
    expect(await rig.status(instance.id)).toBe('discontinued');
    expect(await ids(rig, '/instances')).toEqual([]);
    expect(await ids(rig, '/instances?status=discontinued')).toEqual([instance.id]);
    expect(await ids(rig, '/volumes')).toEqual([data]);
    expect(await ids(rig, '/volumes/trash')).toEqual([]);
    expect((await rig.call('GET', `/volumes/${os}`)).json()).toMatchObject({ status: 'deleted' });
  });

  it.each([
    ['trash_os', [], 1],
    ['leave_detached', ['os'], 0],
  ] as const)('without volume_ids: %s', async (deleteWithoutVolumeIds, left, trashed) => {
    const rig = await startRig({ dialect: { deleteWithoutVolumeIds } });
    const { id } = await running(rig);
    await act(rig, id, 'delete', { volume_ids: null, delete_permanently: true });
    rig.clock.advance(5000);
    expect(await ids(rig, '/volumes')).toHaveLength(left.length);
    expect(await ids(rig, '/volumes/trash')).toHaveLength(trashed);
  });

  it('leaves the OS disk detaching for a while, and refuses its delete until then', async () => {
    const rig = await startRig({ end: { deleteSec: 5, diskLingerSec: 20 } });
    const { id, os_volume_id: os } = await running(rig);
    await act(rig, id, 'delete', { volume_ids: [] });
    rig.clock.advance(5000);
    expect((await rig.call('GET', `/volumes/${os}`)).json()).toMatchObject({ status: 'detaching' });
    expect((await rig.call('DELETE', `/volumes/${os}`, { is_permanent: true })).status).toBe(403);
    rig.clock.advance(20_000);
    expect((await rig.call('GET', `/volumes/${os}`)).json()).toMatchObject({ status: 'detached', instance_id: null });
    expect((await rig.call('DELETE', `/volumes/${os}`, { is_permanent: true })).status).toBe(202);
    expect((await rig.call('DELETE', `/volumes/${os}`, { is_permanent: true })).status).toBe(204);
  });

  it.each([
    ['403', 403],
    ['204', 204],
  ] as const)('answers a second delete with %s', async (doubleDelete, status) => {
    const rig = await startRig({ dialect: { doubleDelete } });
    const { id } = await running(rig);
    await act(rig, id, 'delete');
    rig.clock.advance(5000);
    expect((await act(rig, id, 'delete')).status).toBe(status);
  });

  it('answers mixed results with 207 and unknown ids with 400', async () => {
    const rig = await startRig();
    const { id } = await running(rig);
    const unknown = '7777abcd-0000-4000-8000-000000000000';
    const mixed = await act(rig, [id, unknown], 'shutdown');
    expect(mixed.status).toBe(207);
    expect(mixed.json<{ status: string }[]>().map((r) => r.status)).toEqual(['success', 'error']);
    const expected = { code: 'invalid_request', message: 'Invalid instance id' };
    expect((await act(rig, unknown, 'shutdown')).json()).toEqual(expected);
    expect((await rig.call('GET', `/instances/${unknown}`)).status).toBe(400);
  });
});

it('a stopped machine starts again as the same one', async () => {
  const rig = await startRig();
  const { id, ip } = await running(rig);
  await act(rig, id, 'shutdown');
  expect(await rig.status(id)).toBe('running');
  rig.clock.advance(5000);
  expect(await rig.status(id)).toBe('offline');
  expect((await act(rig, id, 'shutdown')).status).toBe(204);
  await act(rig, id, 'start');
  rig.clock.advance(5000);
  expect(await read(rig, id)).toMatchObject({ status: 'running', ip });
});

it('only a stopped machine can be hibernated, which ends it; its disk boots a new machine without key and script', async () => {
  const rig = await startRig();
  const script = (await rig.call('POST', '/scripts', { name: 's', script: '#!/bin/sh' })).text;
  const first = await running(rig, { startup_script_id: script });
  expect(first.startup_script_id).toBe(script);
  expect((await act(rig, first.id, 'hibernate')).status).toBe(403);
  await act(rig, first.id, 'shutdown');
  rig.clock.advance(5000);
  expect((await act(rig, first.id, 'hibernate')).status).toBe(202);
  rig.clock.advance(5000);
  expect(await rig.status(first.id)).toBe('discontinued');
  const boot = { image: first.os_volume_id, startup_script_id: script };
  expect((await rig.create({ ...boot, os_volume: { name: 'x', size: 50 } })).status).toBe(404);
  expect((await rig.create({ ...boot, location_code: 'FIN-02' })).status).toBe(400);
  const second = await running(rig, boot);
  expect(second).toMatchObject({ startup_script_id: null, ssh_key_ids: [], os_volume_id: first.os_volume_id });
  expect(second.id).not.toBe(first.id);
  expect((await rig.create(boot)).status).toBe(400);
});

it('a volume that does not exist is not booted', async () => {
  const rig = await startRig();
  const id = '7777abcd-0000-4000-8000-000000000000';
  expect((await rig.create({ image: id })).json()).toEqual({
    code: 'not_found',
    message: `Operating system or volume not found \`${id}\``,
  });
});
