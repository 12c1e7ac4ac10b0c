/**
 * What Azure sells: sizes, restrictions and prices, and rows that cannot be read.
 */
import { describe, expect, it } from 'vitest';
import { listPrices } from '../../../../clouds/azure/calls/prices.ts';
import { virtualClock, type ScriptedAnswer } from '../scripted-api.ts';
import { providerOf, refusal, scriptedAzure, transportOf, type AzureScript } from './scripted-azure.ts';

const capabilities = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([name, value]) => ({ name, value }));

const sku = (name: string, change: object = {}) => ({
  resourceType: 'virtualMachines',
  name,
  family: 'a family',
  locations: ['NorthEurope'],
  locationInfo: [{ location: 'NorthEurope', zones: ['1', '2'] }],
  capabilities: capabilities({ vCPUs: '24', MemoryGB: '220', GPUs: '1', LowPriorityCapable: 'True' }),
  restrictions: [],
  ...change,
});

const item = (armSkuName: string, retailPrice: number, change: object = {}) => ({
  armSkuName,
  retailPrice,
  currencyCode: 'USD',
  unitOfMeasure: '1 Hour',
  productName: 'Virtual Machines NCads A100 v4 Series',
  meterName: 'NC24ads A100 v4',
  skuName: 'NC24ads A100 v4',
  type: 'Consumption',
  effectiveStartDate: '2026-01-01T00:00:00Z',
  ...change,
});

/** The price of a public address. */
const address = (retailPrice: number, change: object = {}) =>
  item('', retailPrice, {
    productName: 'IP Addresses',
    meterName: 'Standard IPv4 Static Public IP',
    skuName: 'Standard',
    ...change,
  });

const A100 = 'Standard_NC24ads_A100_v4';
const T4 = 'Standard_NC4as_T4_v3';
const onlyHere =
  (rows: readonly unknown[]) =>
  ({ url }: { readonly url: URL }): ScriptedAnswer => ({
    body: { value: url.searchParams.get('$filter')?.includes('northeurope') === true ? rows : [] },
  });
const prices = (...items: readonly unknown[]): AzureScript => ({
  'GET prices': () => ({ body: { Items: items, NextPageLink: null } }),
});
const spot = { meterName: 'NC24ads A100 v4 Spot', skuName: 'NC24ads A100 v4 Spot' };

describe('the types of Azure', () => {
  it('have their GPU by name, and the prices of each location', async () => {
    const api = await scriptedAzure({
      'GET skus': onlyHere([sku(A100), { resourceType: 'disks', name: 'Premium_LRS' }, sku('Standard_D2s_v5')]),
      ...prices(
        item(A100, 4.408),
        item(A100, 0.8146, spot),
        address(0.01, { effectiveStartDate: '2024-01-01T00:00:00Z' }),
        address(0.006),
        address(0.2, { meterName: 'Global IPv4 Static Public IP' }),
      ),
    });
    expect(await providerOf(api).listInstanceTypes()).toEqual([
      {
        instanceType: A100,
        model: 'NVIDIA A100',
        gpuCount: 1,
        vramGib: 80,
        vcpu: 24,
        memoryGib: 220,
        onDemandUsdPerHour: 4.408 + 0.006,
        spotUsdPerHour: 0.8146 + 0.006,
        pricesByLocation: { northeurope: { onDemandUsdPerHour: 4.408 + 0.006, spotUsdPerHour: 0.8146 + 0.006 } },
        supportedImages: ['microsoft-dsvm:ubuntu-hpc:2204:latest'],
      },
    ]);
    const [asked] = api.of('GET skus');
    expect(asked?.url.searchParams.get('$filter')).toBe(`location eq 'northeurope'`);
    // The price list is public: it is shown no token.
    expect(api.of('GET prices').map(({ headers }) => headers.authorization)).toEqual(
      Array.from({ length: 4 }, () => undefined),
    );
  });

  it.each([
    ['a whole location', [{ type: 'Location', values: ['northeurope'], reasonCode: 'NotAvailableForSubscription' }], 0],
    ['another location', [{ type: 'Location', values: ['westus'], reasonCode: 'NotAvailableForSubscription' }], 1],
    ['one of its zones', [{ type: 'Zone', restrictionInfo: { locations: ['northeurope'], zones: ['1'] } }], 1],
    ['all of its zones', [{ type: 'Zone', restrictionInfo: { locations: ['NorthEurope'], zones: ['1', '2'] } }], 0],
    ['something new', [{ type: 'Planet' }], 1],
  ])('that are closed to the subscription in %s', async (_where, restrictions, count) => {
    const api = await scriptedAzure({
      'GET skus': onlyHere([sku(A100, { restrictions }), sku(T4)]),
      ...prices(item(A100, 4.4), item(T4, 0.6)),
    });
    const found = await providerOf(api).listInstanceTypes();
    expect(found.filter(({ instanceType }) => instanceType === A100)).toHaveLength(count);
  });

  it('leave out parts of GPUs and GPUs of others, and tell of rows that cannot be read', async () => {
    const told = new Map<string, readonly string[]>();
    const api = await scriptedAzure({
      'GET skus': onlyHere([
        sku(A100),
        sku('Standard_NV6ads_A10_v5'),
        sku('Standard_ND96isr_MI300X_v5'),
        sku('Standard_NX8ads_Z900_v9'),
        sku(T4, { capabilities: capabilities({ vCPUs: '4', GPUs: '1' }) }),
      ]),
      ...prices(item(A100, 4.4), item(T4, 0.6), item('', 1)),
    });
    const provider = providerOf(api, virtualClock(), { onRows: (route, rows) => void told.set(route, rows) });
    expect((await provider.listInstanceTypes()).map(({ instanceType }) => instanceType)).toEqual([A100]);
    expect(told.get('/skus of northeurope')).toEqual([
      'Standard_NX8ads_Z900_v9: its GPU is not known',
      `${T4}: it does not say its MemoryGB`,
    ]);
    expect(told.get('/prices of northeurope')).toHaveLength(1);
    expect(told.get('/skus of westeurope')).toEqual([]);
  });

  it('are not read where a location does not answer, or has no price at all', async () => {
    const failing = await scriptedAzure({ 'GET skus': () => refusal('InternalServerError', 'no', 500), ...prices() });
    await expect(providerOf(failing).listInstanceTypes()).rejects.toMatchObject({ code: 'provider_transient' });
    const priceless = await scriptedAzure({ 'GET skus': onlyHere([sku(A100)]), ...prices() });
    await expect(providerOf(priceless).listInstanceTypes()).rejects.toThrow('no price for northeurope');
  });

  it('have the usual price of an address where the list of addresses does not answer, which is told', async () => {
    const told = new Map<string, readonly string[]>();
    const api = await scriptedAzure({
      'GET skus': onlyHere([sku(A100)]),
      'GET prices': ({ url }) =>
        url.searchParams.get('$filter')?.includes('Virtual Network') === true
          ? { status: 500, body: 'no' }
          : { body: { Items: [item(A100, 4.408)], NextPageLink: null } },
    });
    const provider = providerOf(api, virtualClock(), { onRows: (route, rows) => void told.set(route, rows) });
    expect(await provider.listInstanceTypes()).toMatchObject([{ onDemandUsdPerHour: 4.408 + 0.005 }]);
    expect(told.get('/prices of addresses in northeurope')).toEqual([
      expect.stringContaining('an address counts as $0.005 an hour'),
    ]);
  });

  it('are read over all pages, at the address of the API only', async () => {
    const pages: AzureScript = {
      'GET skus': ({ url, headers }) =>
        url.searchParams.get('$filter')?.includes('westeurope') === true
          ? { body: { value: [] } }
          : url.searchParams.get('$skiptoken') === null
            ? {
                body: {
                  value: [sku(A100)],
                  nextLink: `http://${headers.host}${url.pathname}${url.search}&$skiptoken=1`,
                },
              }
            : { body: { value: [sku(T4)], nextLink: '' } },
    };
    const api = await scriptedAzure({ ...pages, ...prices(item(A100, 4.4), item(T4, 0.6)) });
    expect(await providerOf(api).listInstanceTypes()).toHaveLength(2);
    const elsewhere = await scriptedAzure({
      'GET skus': () => ({ body: { value: [], nextLink: 'https://evil.example/next' } }),
      ...prices(),
    });
    await expect(providerOf(elsewhere).listInstanceTypes()).rejects.toThrow('at another address');
    const endless = await scriptedAzure({
      'GET skus': ({ url, headers }) => ({
        body: { value: [], nextLink: `http://${headers.host}${url.pathname}?page=2` },
      }),
      ...prices(),
    });
    await expect(providerOf(endless).listInstanceTypes()).rejects.toThrow('have no end');
  });
});

describe('the price list', () => {
  const pricesOf = async (...items: readonly unknown[]) =>
    listPrices(transportOf(await scriptedAzure(prices(...items))), 'northeurope', Date.parse('2026-10-01T00:00:00Z'));

  it.each([
    ['Windows', { productName: 'Virtual Machines NCads A100 v4 Series Windows' }],
    ['Low Priority', { meterName: 'NC24ads A100 v4 Low Priority' }],
    ['nothing', { retailPrice: 0 }],
    ['another currency', { currencyCode: 'EUR' }],
    ['a month', { unitOfMeasure: '1 Month' }],
    ['a reservation', { type: 'Reservation' }],
    ['a cloud service', { productName: 'Virtual Machines NCads A100 v4 Series CloudServices' }],
    ['next year', { effectiveStartDate: '2027-01-01T00:00:00Z' }],
  ])('has other prices beside those that count: %s', async (_what, change) => {
    const found = await pricesOf(item(A100, 4.408), item(A100, 1, change));
    expect(found.get(A100)).toEqual({ onDemandUsdPerHour: 4.408, spotUsdPerHour: null });
  });

  it('tells the latest price that holds, in whatever order', async () => {
    const rows = ['2024-01-01T00:00:00Z', '2026-03-01T00:00:00Z', '2025-01-01T00:00:00Z'].map((effectiveStartDate, n) =>
      item(A100, n + 1, { effectiveStartDate }),
    );
    expect((await pricesOf(...rows)).get(A100)?.onDemandUsdPerHour).toBe(2);
  });

  it('is read over all pages, and again when it is too much asked', async () => {
    const clock = virtualClock();
    const api = await scriptedAzure({
      'GET prices': ({ url, headers }, nth) =>
        nth === 1
          ? { status: 429, headers: { 'retry-after': '7' }, body: '' }
          : url.searchParams.get('$skip') === null
            ? {
                body: {
                  Items: [item(A100, 4.4)],
                  NextPageLink: `http://${headers.host}${url.pathname}${url.search}&$skip=100`,
                },
              }
            : { body: { Items: [item(T4, 0.6)], NextPageLink: null } },
    });
    const before = clock.now();
    const found = await listPrices(transportOf(api, clock), 'northeurope', Date.parse('2026-10-01T00:00:00Z'));
    expect([...found.keys()]).toEqual([A100, T4]);
    expect(clock.now() - before).toBeGreaterThanOrEqual(7_000);
  });

  it('is read once an hour', async () => {
    const clock = virtualClock();
    const api = await scriptedAzure({ 'GET skus': onlyHere([sku(A100)]), ...prices(item(A100, 4.4)) });
    const provider = providerOf(api, clock);
    for (let n = 0; n < 3; n += 1) await provider.listInstanceTypes();
    // Sizes and addresses of two locations.
    expect(api.of('GET prices')).toHaveLength(4);
    clock.nowMs += 3_600_001;
    await provider.listInstanceTypes();
    expect(api.of('GET prices')).toHaveLength(8);
  });
});

it('locations are those of the fleet that the subscription has', async () => {
  const api = await scriptedAzure({
    'GET locations': () => ({
      body: { value: [{ name: 'northeurope', displayName: 'North Europe' }, { name: 'eastus' }] },
    }),
  });
  expect(await providerOf(api).listLocations()).toEqual([
    { code: 'northeurope', name: 'North Europe', countryCode: 'IE' },
  ]);
});
