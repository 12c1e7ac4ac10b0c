/** Selection over any catalogue, memory and wish: nothing is lost, limits hold, the order is the promised one. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { catalogueOffers, marketsOf } from '../../../domain/fleet/selection/catalogue-offers.ts';
import { afterFailure } from '../../../domain/fleet/selection/offer-memory.ts';
import { MARKETS } from '../../../domain/fleet/selection/offer.ts';
import type { ProviderErrorClass } from '../../../domain/fleet/provider/provider-errors.ts';
import type { LadderInput } from '../../../domain/fleet/selection/ladder-input.ts';
import { buildLadder } from '../../../domain/fleet/selection/build-ladder.ts';
import { tierIndex } from '../../../domain/fleet/selection/tiers.ts';
import { forAll } from '../../../testing/property.ts';
import { CATALOGUE, LOCATIONS, NOW_MS, selectionInput } from './selection-catalogue.ts';

const SELECTORS = [
  'h100-or-less',
  'b300-or-less',
  'A100_80_OR_LESS',
  'ANY_1H100',
  'ANY_H100',
  'l40s',
  'cheapest',
  '1H200.141S.44V',
];
const TYPES = CATALOGUE.map((t) => t.instanceType);
const cap = fc.option(fc.double({ min: 0.01, max: 10, noNaN: true }));

const memoryRow = fc
  .record({
    location: fc.constantFrom(...LOCATIONS),
    instanceType: fc.constantFrom(...TYPES),
    market: fc.constantFrom(...MARKETS),
    errorClass: fc.constantFrom<ProviderErrorClass[]>('capacity', 'capacity_async', 'quota', 'billing'),
    agoMs: fc.integer({ min: 0, max: 3_600_000 }),
  })
  .map(({ errorClass, agoMs, ...offer }) => {
    const row = afterFailure(null, { provider: 'cloud', ...offer }, { errorClass, message: 'failed' }, NOW_MS - agoMs);
    if (row === null) throw new Error(`${errorClass} blocks nothing`);
    return row;
  });

const typesByLocation = fc.dictionary(fc.constantFrom(...LOCATIONS), fc.subarray(TYPES));

const anyInput: fc.Arbitrary<LadderInput> = fc
  .record({
    selector: fc.constantFrom(...SELECTORS),
    market: fc.constantFrom(...MARKETS, 'any' as const),
    locations: fc.subarray([...LOCATIONS]),
    maxPriceUsdPerHour: cap,
    maxPriceUsdPerDocument: cap,
    excludeTypes: fc.subarray(TYPES, { maxLength: 3 }),
    catalogue: fc.shuffledSubarray([...CATALOGUE], { minLength: CATALOGUE.length }),
    memory: fc.uniqueArray(memoryRow, { selector: (row) => row.scopeKey, maxLength: 8 }),
    ondemand: typesByLocation,
    spot: typesByLocation,
    weightsGib: fc.double({ min: 0, max: 10, noNaN: true }),
    wakeFrom: fc.option(
      fc.record({
        volumeId: fc.constant('v'),
        provider: fc.constant('cloud'),
        location: fc.constantFrom(...LOCATIONS),
        instanceType: fc.constantFrom(...TYPES),
        market: fc.constantFrom(...MARKETS),
      }),
    ),
  })
  .map(({ selector, market, locations, maxPriceUsdPerHour, maxPriceUsdPerDocument, excludeTypes, ...rest }) =>
    selectionInput(
      { selector, market, locations, maxPriceUsdPerHour, maxPriceUsdPerDocument, excludeTypes },
      {
        catalogue: rest.catalogue,
        memory: rest.memory,
        wakeFrom: rest.wakeFrom,
        availability: {
          ondemand: { atMs: NOW_MS, typesByLocation: rest.ondemand },
          spot: { atMs: NOW_MS, typesByLocation: rest.spot },
        },
        models: [{ modelName: 'm', weightsGib: rest.weightsGib, kvCacheGibPerSlot: 0.5 }],
      },
    ),
  );

const holds = (check: (input: LadderInput) => void): Promise<void> => forAll([anyInput], { runs: 200 }, check);

describe('selection', () => {
  it('has every offer exactly once, with a rank or a refusal and a sentence; ranks count from 1 and stand in front', () =>
    holds((input) => {
      const { offers } = buildLadder(input);
      const wanted = catalogueOffers('cloud', input.catalogue, input.locations, marketsOf(input.policy.market));
      expect(offers.map((o) => o.key).toSorted()).toEqual(wanted.map((o) => o.key).toSorted());
      for (const offer of offers) {
        expect((offer.rank === null) !== (offer.refusal === null)).toBe(true);
        expect(offer.reason).toMatch(/\S.*\S/u);
      }
      const ranks = offers.flatMap((o) => (o.rank === null ? [] : [o.rank]));
      expect(ranks).toEqual(ranks.map((_, i) => i + 1));
      expect(offers.slice(0, ranks.length).every((o) => o.rank !== null)).toBe(true);
    }));

  it('is the same for the same input, in whatever order the catalogue comes', () =>
    holds((input) => {
      expect(buildLadder({ ...input, catalogue: input.catalogue.toReversed() })).toEqual(buildLadder(input));
    }));

  it('never ranks above a cap, outside the locations, below the memory needed, excluded, blocked or sold out', () =>
    holds((input) => {
      const { policy } = input;
      for (const o of buildLadder(input).offers.filter((offer) => offer.rank !== null)) {
        expect(o.priceUsdPerHour).toBeLessThanOrEqual(policy.maxPriceUsdPerHour ?? Infinity);
        expect((o.usdPerSlide ?? 0) * 30).toBeLessThanOrEqual(policy.maxPriceUsdPerDocument ?? Infinity);
        if (policy.locations.length > 0) expect(policy.locations).toContain(o.location);
        expect(policy.excludeTypes).not.toContain(o.instanceType);
        expect(o.fits).toBe(true);
        expect(o.available).not.toBe(false);
        const blocked = input.memory.some(
          (m) =>
            m.blockedUntilMs > NOW_MS && [o.key, `cloud/${o.location}/*/${o.market}`, 'cloud'].includes(m.scopeKey),
        );
        expect(blocked).toBe(false);
      }
    }));

  it('keeps the order of tiers in a ladder, behind what boots a kept volume', () =>
    holds((input) => {
      if (!input.policy.selector.toLowerCase().endsWith('less')) return;
      const taken = buildLadder(input).offers.filter((o) => o.rank !== null);
      const boots = taken.map((o) => o.bootsKeptVolume);
      expect(boots).toEqual(boots.toSorted((a, b) => Number(b) - Number(a)));
      for (const group of [true, false]) {
        const tiers = taken
          .filter((o) => o.bootsKeptVolume === group && !(group && o.instanceType === input.wakeFrom?.instanceType))
          .map((o) => tierIndex(o.tier));
        expect(tiers).toEqual(tiers.toSorted((a, b) => a - b));
        expect(taken.every((o) => o.gpuCount === 1 && !o.instanceType.endsWith('.CC'))).toBe(true);
      }
    }));

  it('names the earliest next try of what is refused for a while, and never one in the past', () =>
    holds((input) => {
      const ladder = buildLadder(input);
      const times = ladder.offers.flatMap((o) => (o.nextTryAtMs === null ? [] : [o.nextTryAtMs]));
      expect(ladder.nextTryAtMs).toBe(times.length === 0 ? null : Math.min(...times));
      expect(times.every((t) => t >= NOW_MS)).toBe(true);
    }));
});
