/**
 * A catalogue of which a part cannot be read: the rest is used, and what is missing is said by name.
 */
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../platform/config.ts';
import { createMemoryRateLimit } from '../../../clouds/call-rate-limit.ts';
import { DATACRUNCH } from '../../../clouds/datacrunch/provider.ts';
import { openProvider } from '../../../clouds/providers.ts';
import { partOf } from '../../../clouds/parts.ts';
import { fleetConfigSchema } from '../../../domain/fleet/pool/pool-config.ts';
import { clientOf, scriptedApi, virtualClock, type Script } from './scripted-api.ts';

const type = (name: string, changes: Record<string, unknown> = {}) => ({
  instance_type: name,
  model: 'H100',
  gpu: { number_of_gpus: 1 },
  gpu_memory: { size_in_gigabytes: 80 },
  cpu: { number_of_cores: 30 },
  memory: { size_in_gigabytes: 120 },
  price_per_hour: '3.70',
  spot_price: '1.85',
  currency: 'usd',
  ...changes,
});
const good = type('1H100.80S.30V');

/** A provider of scripted answers, and what it could not read, by route. */
async function start(script: Script) {
  const unreadable = new Map<string, readonly string[]>();
  const client = clientOf(await scriptedApi(script), virtualClock(), {
    onRows: (route, rows) => void unreadable.set(route, rows),
  });
  return { client, provider: DATACRUNCH.open({ client }), unreadable };
}

describe('a row of the catalogue', () => {
  it.each([
    ['without a price', type('1A.1V', { price_per_hour: null }), '1A.1V: its price per hour cannot be read'],
    ['with words for a price', type('1A.1V', { price_per_hour: 'ask' }), '1A.1V: its price per hour cannot be read'],
    ['at no price', type('1A.1V', { price_per_hour: 0 }), '1A.1V: its price per hour cannot be read'],
    ['without its GPUs', type('1A.1V', { gpu: undefined }), '1A.1V: the number of its GPUs cannot be read'],
    ['without their memory', type('1A.1V', { gpu_memory: null }), '1A.1V: the memory of its GPUs cannot be read'],
    ['in another currency', type('1A.1V', { currency: 'eur' }), '1A.1V: its price is in EUR, asked for in USD'],
    ['that is null', null, /^row 2: Invalid input/u],
    ['without a name', { ...good, instance_type: undefined }, /^H100: at instance_type: Invalid input/u],
  ])('%s is left out and told, and hides no other', async (_what, row, told) => {
    const bare = { model: '', gpu: null, gpu_memory: null, price_per_hour: 0.0279, spot_price: null };
    const { provider, unreadable } = await start(() => ({ body: [good, row, type('CPU.4V.16G', bare)] }));
    expect(await provider.listInstanceTypes()).toMatchObject([
      { instanceType: '1H100.80S.30V', gpuCount: 1, vramGib: 80, onDemandUsdPerHour: 3.7, spotUsdPerHour: 1.85 },
      { instanceType: 'CPU.4V.16G', gpuCount: 0, vramGib: 0, onDemandUsdPerHour: 0.0279, spotUsdPerHour: null },
    ]);
    const rows = unreadable.get('/instance-types') ?? [];
    expect(rows).toHaveLength(1);
    expect(rows[0]).toEqual(typeof told === 'string' ? told : expect.stringMatching(told));
  });

  it('counts as read again once it can be', async () => {
    const { provider, unreadable } = await start((_request, nth) => ({
      body: [good, type('1A.1V', nth === 1 ? { price_per_hour: null } : {})],
    }));
    await provider.listInstanceTypes();
    await provider.listInstanceTypes();
    expect(unreadable.get('/instance-types')).toEqual([]);
  });

  it('of locations, images or availability is left out in the same way', async () => {
    const bodies: Record<string, unknown> = {
      '/locations': [{ name: 'nowhere' }, { code: 'FIN-01', name: 'Helsinki', country_code: 'FI' }],
      '/images': [{ image_type: 'no-id' }, { id: 'i', image_type: 'ubuntu-24.04', name: 'Ubuntu' }],
      '/instance-availability': [
        { availabilities: [] },
        { location_code: 'FIN-01', availabilities: ['1H100.80S.30V'] },
      ],
    };
    const { client, provider, unreadable } = await start(({ path }) => ({ body: bodies[path.replace(/\?.*/u, '')] }));
    expect((await provider.listLocations()).map((l) => l.code)).toEqual(['FIN-01']);
    expect((await client.catalogue.images('t')).map((i) => i.image_type)).toEqual(['ubuntu-24.04']);
    expect(Object.keys((await partOf(provider, 'stock').availability('spot')).typesByLocation)).toEqual(['FIN-01']);
    expect([...unreadable].map(([route, rows]) => [route, rows.length])).toEqual(
      Object.keys(bodies).map((r) => [r, 1]),
    );
  });
});

it('a catalogue in another currency is refused by name', async () => {
  const rows = ['1H100.80S.30V', '1A100.22V'].map((name) => type(name, { currency: 'EUR' }));
  const { provider } = await start(() => ({ body: rows }));
  await expect(provider.listInstanceTypes()).rejects.toMatchObject({
    code: 'provider_transient',
    message:
      'DataCrunch answered GET /v1/instance-types without a row that can be read (1H100.80S.30V: its price is in EUR, asked for in USD)',
  });
});

describe('an answer that is no JSON is told with its route', () => {
  const cut = JSON.stringify([good]).slice(0, -20);
  it.each([
    ['cut', cut, `incomplete JSON, ${cut.length} bytes`],
    ['a page of HTML', '<html>Checking your browser</html>', 'HTML page, 34 bytes'],
    ['empty', '', 'empty'],
  ])('%s', async (_what, body, told) => {
    const { provider } = await start(() => ({ body }));
    const route = (path: string): unknown =>
      expect.objectContaining({
        code: 'provider_transient',
        userMessage: `DataCrunch answered GET /v1/${path} with something that is no JSON (${told})`,
      });
    await expect(provider.listInstanceTypes()).rejects.toEqual(route('instance-types'));
    await expect(provider.listInstances()).rejects.toEqual(route('instances'));
    await expect(provider.getVolume('v1')).rejects.toEqual(route('volumes/v1'));
  });
});

it('an unreadable row is in the log once, with provider and route, however often it is read', async () => {
  const api = await scriptedApi(() => ({ body: [good, type('1A.1V', { price_per_hour: null })] }));
  const lines: Record<string, unknown>[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(JSON.parse(line) as never) });
  const provider = openProvider({
    fleet: { ...fleetConfigSchema.parse({ provider: 'datacrunch', baseUrl: api.baseUrl }), installationId: 'l123456' },
    config: {
      ...loadConfig({}),
      datacrunch: { clientId: 'an-id', clientSecret: 'a-secret', credentialsFile: '/nowhere' },
    },
    rateLimit: createMemoryRateLimit(virtualClock()),
    log,
  });
  await provider.listInstanceTypes();
  await provider.listInstanceTypes();
  expect(lines.filter((line) => 'fault' in line)).toEqual([
    expect.objectContaining({
      provider: 'datacrunch',
      route: 'GET /instance-types',
      fault: '1A.1V: its price per hour cannot be read',
    }),
  ]);
});
