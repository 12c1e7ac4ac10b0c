/** The contract's part about what is for sale, and about keys and scripts. */
import { expect, it } from 'vitest';
import { scriptId, soldAt, sshKeyId } from './acts.ts';
import type { ContractTest } from './rig.ts';

/** Prices of one machine, USD per hour, and memory of one GPU, GiB: wide enough for every GPU of the last ten years. */
const LEAST_USD = 0.05;
const MOST_USD = 500;
const LEAST_VRAM_GIB = 4;
const MOST_VRAM_GIB = 400;

export function testCatalogue(test: ContractTest): void {
  it('sells machines with GPUs at plausible prices, in locations that it names', async () => {
    const { provider } = test.rig;
    const types = await provider.listInstanceTypes();
    const locations = await provider.listLocations();
    const codes = locations.map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
    for (const { countryCode } of locations) expect(countryCode).toMatch(/^[A-Z]{2}$/u);
    expect(new Set(types.map((t) => t.instanceType)).size).toBe(types.length);
    const gpuTypes = types.filter((t) => t.gpuCount > 0);
    expect(gpuTypes.length).toBeGreaterThan(0);
    for (const type of gpuTypes) {
      expect(type.model, type.instanceType).not.toBe('');
      expect(type.supportedImages.length, type.instanceType).toBeGreaterThan(0);
      expectBetween(type.vramGib / type.gpuCount, LEAST_VRAM_GIB, MOST_VRAM_GIB, type.instanceType);
      expectBetween(type.vcpu, 1, 1_000, type.instanceType);
      expectBetween(type.memoryGib, 1, 10_000, type.instanceType);
      const places = Object.entries(type.pricesByLocation ?? {});
      for (const [location] of places) expect(codes, type.instanceType).toContain(location);
      const prices = [type, ...places.map(([, local]) => local)];
      for (const price of prices.flatMap((p) => [p.onDemandUsdPerHour, p.spotUsdPerHour]))
        if (price !== null) expectBetween(price, LEAST_USD, MOST_USD, type.instanceType);
    }
  });

  it.each(['ondemand', 'spot'] as const)('says where its types are to be had: %s', async (market) => {
    const { provider } = test.rig;
    const codes = (await provider.listLocations()).map(({ code }) => code);
    const types = await provider.listInstanceTypes();
    const names = new Set(types.map((t) => t.instanceType));
    const availability = (await provider.stock?.availability(market)) ?? { market, typesByLocation: {} };
    expect(availability.market).toBe(market);
    for (const location of Object.keys(availability.typesByLocation)) expect(codes).toContain(location);
    const sold = Object.values(await soldAt(provider, types, market)).flat();
    expect(sold.filter((type) => names.has(type)).length).toBeGreaterThan(0);
  });

  it('says what is left on the account, where it knows', async () => {
    const { account } = test.rig.provider;
    if (account === undefined) return;
    const { amount, currency } = await account.balance();
    expect(currency).toMatch(/^[a-z]{3}$/iu);
    expect(Number.isFinite(amount)).toBe(true);
  });

  it('stores keys and scripts where it says so, and finds them again by name', async () => {
    const { provider } = test.rig;
    const keyId = await sshKeyId(provider);
    const script = await scriptId(provider);
    expect(await sshKeyId(provider)).toBe(keyId);
    expect(await scriptId(provider)).toBe(script);
    for (const [store, known] of [
      [provider.sshKeys, keyId],
      [provider.scripts, script],
    ] as const) {
      expect(known === null).toBe(store === undefined);
      expect((await store?.list())?.map(({ id }) => id)).toEqual(known === null ? undefined : [known]);
      for (const id of known === null ? [] : [known, known]) await store?.delete(id);
      expect((await store?.list()) ?? []).toEqual([]);
    }
  });
}

function expectBetween(value: number, least: number, most: number, what: string): void {
  expect(value, what).toBeGreaterThanOrEqual(least);
  expect(value, what).toBeLessThanOrEqual(most);
}
