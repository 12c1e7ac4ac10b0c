/** Stock, prices, quotas, eviction and what changes by itself. */
import { expect, it } from 'vitest';
import { startRig, type Rig } from './datacrunch-client.ts';

const availability = async (rig: Rig, query = ''): Promise<Record<string, string[]>> =>
  Object.fromEntries(
    (await rig.call('GET', `/instance-availability${query}`))
      .json<{ location_code: string; availabilities: string[] }[]>()
      .map((row) => [row.location_code, row.availabilities]),
  );

it('the simulated market sells what is in stock, refuses what is not, and takes back what ended', async () => {
  const rig = await startRig({ stock: [{ types: '1L40S*', locations: ['FIN-01'], markets: ['ondemand'], count: 1 }] });
  expect(await availability(rig)).toEqual({ 'FIN-01': ['1L40S.20V'], 'FIN-02': [], 'FIN-03': [] });
  const { text } = await rig.create();
  expect(await availability(rig, '?location_code=FIN-01')).toEqual({ 'FIN-01': [] });
  const refused = await rig.create();
  expect(refused.status).toBe(503);
  expect(refused.json()).toEqual({ code: 'service_unavailable', message: 'No capacity available' });
  rig.clock.advance(60_000);
  await rig.call('PUT', '/instances', { id: text, action: 'delete', volume_ids: [] });
  rig.clock.advance(5000);
  expect((await availability(rig))['FIN-01']).toEqual(['1L40S.20V']);
  const expected = { asked: 2, accepted: 1, noCapacity: 1 };
  expect(rig.datacrunch.core.state.stats.creates['datacrunch/FIN-01/1L40S.20V/ondemand']).toEqual(expected);
});

it('the simulated market answers availability by type under both names of the parameters; an unknown type is not available', async () => {
  const rig = await startRig({
    stock: [{ types: '1H100.80S.30V', locations: ['FIN-02'], markets: ['spot'], count: 1 }],
  });
  const ask = async (path: string): Promise<boolean> =>
    (await rig.call('GET', `/instance-availability/${path}`)).json();
  expect(await ask('1H100.80S.30V?is_spot=true')).toBe(true);
  expect(await ask('1H100.80S.30V?isSpot=true&locationCode=FIN-02')).toBe(true);
  expect(await ask('1H100.80S.30V?isSpot=true&location_code=FIN-01')).toBe(false);
  expect(await ask('1H100.80S.30V')).toBe(false);
  expect(await ask('CPU.4V')).toBe(false);
});

it('the simulated market shows prices as strings in types and as numbers frozen at the create in instances', async () => {
  const rig = await startRig();
  const priceOf = async (): Promise<string | undefined> =>
    (await rig.call('GET', '/instance-types'))
      .json<{ instance_type: string; price_per_hour: string }[]>()
      .find((t) => t.instance_type === '1L40S.20V')?.price_per_hour;
  expect(await priceOf()).toBe('0.9100');
  const { text } = await rig.create();
  rig.datacrunch.core.setPrices([{ types: '1L40S*', factor: 2 }]);
  expect(await priceOf()).toBe('1.8200');
  expect((await rig.call('GET', `/instances/${text}`)).json()).toMatchObject({ price_per_hour: 0.91 });
});

it('the simulated market changes its stock by its timeline', async () => {
  const rig = await startRig({
    stock: [],
    timeline: [{ atSec: 100, stock: [{ types: '1A6000*', locations: ['FIN-03'], count: 1 }] }],
  });
  rig.clock.advance(99_999);
  expect((await availability(rig))['FIN-03']).toEqual([]);
  rig.clock.advance(1);
  expect((await availability(rig))['FIN-03']).toEqual(['1A6000.10V']);
});

it.each([
  [{ gpus: 1 }, {}, 'GPU limit exceeded'],
  [{ spotGpus: 0 }, { is_spot: true }, 'Spot GPU limit exceeded'],
  [{ vcpus: 30 }, {}, 'vCPU limit exceeded'],
  [{ storageGib: 99 }, {}, 'Storage limit exceeded'],
  [{ volumes: 1 }, {}, 'Volume limit exceeded'],
])('the simulated market holds the quota %j', async (quotas, fields, words) => {
  const rig = await startRig({ quotas });
  const first = await rig.create(fields);
  if (!('spotGpus' in quotas)) expect(first.status).toBe(202);
  const second = await rig.create(fields);
  expect(second.json()).toEqual({ code: 'invalid_request', message: words });
});

it('the simulated market counts disks in the trash against the storage quota', async () => {
  const rig = await startRig({ quotas: { storageGib: 60 } });
  const text = await rig.running();
  await rig.call('PUT', '/instances', { id: text, action: 'delete' });
  rig.clock.advance(5000);
  expect((await rig.create()).json()).toMatchObject({ message: 'Storage limit exceeded' });
  rig.clock.advance(97 * 3_600_000);
  expect(rig.datacrunch.core.volumes().map((v) => v.status)).toEqual(['purged']);
  expect((await rig.create()).status).toBe(202);
});

it('the simulated market takes a spot instance back without warning, keeps its disk unless told otherwise, and says so in the journal', async () => {
  const rig = await startRig();
  const kept = (await rig.create({ is_spot: true })).text;
  const purged = (
    await rig.create({ is_spot: true, os_volume: { name: 'x', size: 50, on_spot_discontinue: 'delete_permanently' } })
  ).text;
  rig.clock.advance(60_000);
  rig.datacrunch.core.evict(kept);
  rig.datacrunch.core.evict(purged);
  expect(await rig.status(kept)).toBe('discontinued');
  expect((await rig.call('GET', '/volumes')).json<unknown[]>()).toMatchObject([{ status: 'detached' }]);
  const events = (await rig.call('GET', `/journal?compute_id=${kept}&action_code=delete`)).json();
  expect(events).toMatchObject([{ actor_id: null, properties: { delete_reason: 'evicted_by_on_demand' } }]);
});

it('spot machines are evicted at about the configured rate', async () => {
  const rig = await startRig({ spot: { evictionsPerHour: 1 }, stock: [{ count: null }], rateLimits: null });
  for (let i = 0; i < 200; i += 1) await rig.create({ is_spot: true });
  rig.clock.advance(60_000 + 3_600_000);
  const evicted = rig.datacrunch.core.allInstances().filter((i) => i.endedBy === 'eviction').length;
  // 200 × (1 − 1/e) = 126; the seed is fixed, the bounds only say that it is a hazard of this size.
  expect(evicted).toBeGreaterThan(100);
  expect(evicted).toBeLessThan(150);
});
