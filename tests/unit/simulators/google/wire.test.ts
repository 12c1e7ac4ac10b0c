/** The simulated Google on the wire: tokens, lists with pages and filters, the price list, and control. */
import { createSign, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { PartPrices } from '../../../../clouds/google/prices.ts';
import { GOOGLE_TYPES, isOffered, isSpotOnly } from '../../../../simulators/clouds/google/catalogue.ts';
import { createSimulatedGoogle } from '../../../../simulators/clouds/google/app.ts';
import type { SkuData } from '../../../../clouds/google/calls/catalogue.ts';
import { machine, open, reasonOf, ZONE, type Json } from './client.ts';

const itemsOf = (body: Json, field: string): readonly Json[] =>
  Object.values(body['items'] as Readonly<Record<string, Json>>).flatMap(
    (scope) => (scope[field] ?? []) as readonly Json[],
  );

describe('tokens', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const nowSec = Math.floor(Date.now() / 1000);
  const statement = (claims: Json): string => {
    const text = `${part({ alg: 'RS256' })}.${part({ iss: 'a@b', scope: 's', aud: 'x', iat: nowSec, exp: nowSec + 3600, ...claims })}`;
    return `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey, 'base64url')}`;
  };
  const ask = async (form: Readonly<Record<string, string>>) => {
    const sim = createSimulatedGoogle({
      serviceAccounts: { 'a@b': publicKey.export({ type: 'spki', format: 'pem' }) as string },
    });
    const answer = await sim.fetch('http://google.simulated/token', {
      method: 'POST',
      body: new URLSearchParams(form),
    });
    return [answer.status, ((await answer.json()) as { error?: string }).error ?? null];
  };
  const bearer = (assertion: string) => ask({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion });
  const login = (change: Readonly<Record<string, string>>) =>
    ask({ grant_type: 'refresh_token', client_id: 'demo', client_secret: 'demo', refresh_token: 'demo', ...change });

  it('are given for a statement that a known account signed a moment ago', async () => {
    expect(await bearer(statement({}))).toEqual([200, null]);
    expect(await bearer(statement({ iss: 'c@d' }))).toEqual([400, 'invalid_grant']);
    expect(await bearer(statement({ iat: nowSec - 7200, exp: nowSec - 3600 }))).toEqual([400, 'invalid_grant']);
    expect(await bearer(statement({ exp: nowSec + 7200 }))).toEqual([400, 'invalid_grant']);
    expect(await bearer(`${statement({})}x`)).toEqual([400, 'invalid_grant']);
    expect(await bearer('nonsense')).toEqual([400, 'invalid_grant']);
  });

  it('are given for a login', async () => {
    expect(await login({})).toEqual([200, null]);
    expect(await login({ refresh_token: 'wrong' })).toEqual([400, 'invalid_grant']);
    expect(await login({ client_secret: 'wrong' })).toEqual([401, 'invalid_client']);
    expect(await login({ grant_type: 'password' })).toEqual([400, 'unsupported_grant_type']);
  });

  it('end after an hour, and are needed', async () => {
    const { call, clock, sim } = await open();
    expect((await call('GET', '/zones')).status).toBe(200);
    clock.advance(3_600_000);
    expect(reasonOf(await call('GET', '/zones'))).toBe('401 authError');
    const bare = await sim.fetch('http://google.simulated/compute/v1/projects/simulated-project/zones');
    expect(bare.status).toBe(401);
  });
});

describe('lists', () => {
  it('come in pages over all zones; each zone without rows says so', async () => {
    const { call } = await open();
    const whole = itemsOf((await call('GET', '/aggregated/machineTypes')).body, 'machineTypes');
    const names: unknown[] = [];
    let token = '';
    do {
      const { body } = await call(
        'GET',
        `/aggregated/machineTypes?maxResults=40${token === '' ? '' : `&pageToken=${token}`}`,
      );
      const scopes = Object.values(body['items'] as Readonly<Record<string, Json>>);
      expect(scopes.every((scope) => (scope['machineTypes'] === undefined) !== (scope['warning'] === undefined))).toBe(
        true,
      );
      names.push(...itemsOf(body, 'machineTypes').map((row) => row['selfLink']));
      token = (body as { nextPageToken?: string }).nextPageToken ?? '';
    } while (token !== '');
    expect(names).toEqual(whole.map((row) => row['selfLink']));
  });

  it('take filters', async () => {
    const { call, settled } = await open();
    for (const name of ['a', 'b'])
      await settled(await call('POST', `/zones/${ZONE}/instances`, machine(name, { labels: { team: name } })));
    const found = async (filter: string) => {
      const { body } = await call('GET', `/zones/${ZONE}/instances?filter=${encodeURIComponent(filter)}`);
      return ((body['items'] ?? []) as readonly Json[]).map((row) => row['name']);
    };
    expect(await found('name = "a"')).toEqual(['a']);
    expect(await found('name != "a"')).toEqual(['b']);
    expect(await found('name eq "(a|b)"')).toEqual(['a', 'b']);
    expect(await found('name ne a.*')).toEqual(['b']);
    expect(await found('(labels.team = "b") AND (status = RUNNING)')).toEqual(['b']);
    expect(reasonOf(await call('GET', `/zones/${ZONE}/instances?filter=nonsense`))).toBe('400 invalid');
    const operations = await call(
      'GET',
      `/zones/${ZONE}/operations?filter=${encodeURIComponent(`targetLink eq ".*/instances/a"`)}`,
    );
    expect(((operations.body['items'] ?? []) as readonly Json[]).map((row) => row['operationType'])).toEqual([
      'insert',
    ]);
  });

  it('know no other project, zone or path', async () => {
    const { call, sim } = await open();
    expect(reasonOf(await call('GET', '/zones/mars-north1-a/instances'))).toBe('404 notFound');
    expect(reasonOf(await call('GET', '/nonsense'))).toBe('404 notFound');
    const other = await sim.fetch('http://google.simulated/compute/v1/projects/other/zones');
    expect(other.status).toBe(401);
  });
});

describe('the price list', () => {
  const skusOf = async (client: Awaited<ReturnType<typeof open>>): Promise<readonly SkuData[]> => {
    const rows: Json[] = [];
    let token = '';
    do {
      const { body } = await client.call('GET', `/v1/services/6F81-5844-456A/skus?pageSize=40&pageToken=${token}`);
      rows.push(...(body['skus'] as readonly Json[]));
      token = String(body['nextPageToken']);
    } while (token !== '');
    return rows.map((row) => {
      const sku = structuredClone(row) as unknown as {
        pricingInfo: { pricingExpression: { tieredRates: { unitPrice: { units: unknown } }[] } }[];
      } & SkuData;
      for (const { pricingExpression } of sku.pricingInfo)
        for (const { unitPrice } of pricingExpression.tieredRates) unitPrice.units = Number(unitPrice.units);
      return sku;
    });
  };

  it('sums to what machines cost, in each region and on each market, also after prices have changed', async () => {
    const client = await open();
    const isKnown = ({ series, gpuCount }: (typeof GOOGLE_TYPES)[number]): boolean =>
      gpuCount > 0 && series.name !== 'a4-highgpu';
    const addresses = { ondemand: 0.005, spot: 0.0025 };
    const check = async (): Promise<void> => {
      const prices = new PartPrices(await skusOf(client));
      let checked = 0;
      for (const type of GOOGLE_TYPES.filter(isKnown))
        for (const zone of ['europe-west4-b', 'us-central1-a', 'europe-west1-b'].filter((z) =>
          isOffered(type.instanceType, z),
        ))
          for (const market of ['ondemand', 'spot'] as const) {
            if (market === 'ondemand' && isSpotOnly(type.instanceType)) continue;
            const data = {
              name: type.instanceType,
              zone,
              guestCpus: type.vcpu,
              memoryMb: type.memoryGib * 1024,
              accelerators: [{ guestAcceleratorType: type.series.accelerator, guestAcceleratorCount: type.gpuCount }],
              bundledLocalSsds: type.localSsds === 0 ? null : { partitionCount: type.localSsds },
              deprecated: null,
            };
            const sum = prices.ofType(data, zone.slice(0, -2), market);
            const charged = client.sim.core.price(type.instanceType, market, zone) ?? 0;
            // Local disks keep their price when a type's changes.
            expect(
              Math.abs(((sum ?? 0) - addresses[market]) / charged - 1),
              `${type.instanceType} ${zone} ${market}`,
            ).toBeLessThan(0.01);
            checked += 1;
          }
      expect(checked).toBeGreaterThan(80);
    };
    await check();
    client.sim.core.setPrices([{ types: 'g2-*', factor: 0.5 }]);
    await check();
  });
});

it('quotas of GPUs are changed by control', async () => {
  const { sim, call, settled } = await open();
  const set = (body: Json) =>
    sim.fetch('http://google.simulated/_control/quotas', { method: 'POST', body: JSON.stringify(body) });
  expect((await set({ gpusAllRegions: 0 })).status).toBe(200);
  expect(JSON.stringify(await settled(await call('POST', `/zones/${ZONE}/instances`, machine('a'))))).toContain(
    'GPUS_ALL_REGIONS',
  );
  expect((await set({ gpusAllRegions: null })).status).toBe(200);
  expect((await set({ storageGib: 10 })).status).toBe(200);
  expect(JSON.stringify(await settled(await call('POST', `/zones/${ZONE}/instances`, machine('a'))))).toContain(
    'SSD_TOTAL_GB',
  );
});
