/**
 * One ladder over several providers: in which order they are tried, when a provider of second choice is used, and where a kept disk is woken.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildLadder } from '../../../domain/fleet/selection/build-ladder.ts';
import type { ExplainedOffer, LadderInput, LadderPolicy } from '../../../domain/fleet/selection/ladder-input.ts';
import type { CatalogueType } from '../../../domain/fleet/selection/tiers.ts';
import { forAll } from '../../../testing/property.ts';
import { CATALOGUE, LOCATIONS, NOW_MS, selectionInput } from './selection-catalogue.ts';

const MINUTE = 60_000;
const ZONES = ['eu-west-1a', 'eu-west-1b'] as const;

/** A second provider: an H100 in one of two zones, cheaper than the first provider's, without a word on its stock. */
const P5: CatalogueType = {
  instanceType: 'p5.4xlarge',
  model: 'H100',
  gpuCount: 1,
  vramGib: 80,
  onDemandUsdPerHour: 1,
  spotUsdPerHour: 0.4,
  pricesByLocation: { 'eu-west-1a': { onDemandUsdPerHour: 1, spotUsdPerHour: 0.4 } },
};
const SMALL: CatalogueType = { ...P5, instanceType: 'g6e.xlarge', model: 'L40S', vramGib: 45, pricesByLocation: {} };

const second = (policy: Partial<LadderPolicy>, rest: Partial<LadderInput> = {}): LadderInput =>
  selectionInput(policy, {
    provider: 'second',
    catalogue: [P5, SMALL],
    locations: ZONES,
    availability: { ondemand: { atMs: NOW_MS, typesByLocation: {} }, spot: { atMs: NOW_MS, typesByLocation: {} } },
    capabilities: { volumePinsLocation: true, bootsVolumes: false, expectedBootMs: 120_000 },
    providerIndex: 1,
    ...rest,
  });
const soldOut = { ondemand: { atMs: NOW_MS, typesByLocation: Object.fromEntries(LOCATIONS.map((l) => [l, []])) } };

const ladder = (
  policy: Partial<LadderPolicy>,
  rest: Partial<LadderInput> = {},
  of: Partial<LadderInput> = {},
): readonly ExplainedOffer[] => buildLadder(selectionInput(policy, { ...of, ...rest }), second(policy, rest)).offers;
const taken = (offers: readonly ExplainedOffer[]): readonly ExplainedOffer[] => offers.filter((o) => o.rank !== null);

describe('the offers of two providers', () => {
  it('are one ladder of tiers, in which a dearer offer in stock comes after a cheaper one that may be', () => {
    const h100 = taken(ladder({ selector: 'h100' }));
    expect(h100[0]).toMatchObject({ provider: 'second', available: null });
    const afterH100 = taken(ladder({})).findIndex((o) => o.tier !== 'h100');
    expect(taken(ladder({})).findIndex((o) => o.provider === 'second')).toBeLessThan(afterH100);
  });

  it('are sorted by the cost of a slide where both are unknown', () => {
    const unknown = { ondemand: { atMs: NOW_MS, typesByLocation: {} } };
    expect(taken(ladder({ selector: 'h100' }, {}, { availability: unknown }))[0]?.provider).toBe('second');
  });

  it('come provider by provider where one is preferred, whatever the tier', () => {
    const providers = taken(ladder({ providerOrder: 'preferred' })).map((o) => o.provider);
    expect(providers.lastIndexOf('cloud')).toBe(providers.indexOf('second') - 1);
  });

  it('exist only where the type has a price', () => {
    const ofSecond = ladder({ selector: 'ANY_H100' }).filter((o) => o.provider === 'second');
    expect(ofSecond.filter((o) => o.instanceType === 'p5.4xlarge').map((o) => o.location)).toEqual(['eu-west-1a']);
    expect(ofSecond.filter((o) => o.instanceType === 'g6e.xlarge')).toEqual([]);
  });
});

describe('a provider of second choice', () => {
  const policy = { selector: 'h100', providerOrder: 'when_sold_out', soldOutAfterMs: 10 * MINUTE } as const;
  const at = (soughtForMs: number | null): readonly ExplainedOffer[] =>
    ladder(policy, { soughtSinceMs: soughtForMs === null ? null : NOW_MS - soughtForMs }, { availability: soldOut });

  it('is not used before nothing could be had for the time, and says when it will be', () => {
    const offers = at(4 * MINUTE);
    expect(taken(offers)).toEqual([]);
    const held = offers.find((o) => o.provider === 'second' && o.refusal !== 'not_selected');
    expect(held).toMatchObject({ refusal: 'second_choice', nextTryAtMs: NOW_MS + 6 * MINUTE });
  });

  it('is used from then on', () => expect(taken(at(10 * MINUTE)).map((o) => o.provider)).toEqual(['second']));

  it('is not used for a plan, which seeks nothing', () => expect(taken(at(null))).toEqual([]));
});

describe('a wake with two providers', () => {
  const wakeFrom = {
    volumeId: 'v',
    provider: 'cloud',
    location: 'FIN-01',
    instanceType: '1H100.80S.30V',
    market: 'ondemand',
  } as const;

  it('boots the kept disk only at the provider that holds it', () => {
    const offers = ladder({ providerOrder: 'preferred' }, { wakeFrom });
    expect(new Set(offers.filter((o) => o.bootsKeptVolume).map((o) => o.provider))).toEqual(new Set(['cloud']));
    const elsewhere = ladder({}, { wakeFrom: { ...wakeFrom, provider: 'second', location: 'eu-west-1a' } });
    expect(elsewhere.filter((o) => o.bootsKeptVolume)).toEqual([]);
  });
});

it('every offer of every provider is in the ladder once, and ranks have no gaps, in any order of providers', () => {
  const order = fc.constantFrom('cheapest' as const, 'preferred' as const, 'when_sold_out' as const);
  const selector = fc.constantFrom('h100-or-less', 'cheapest', 'ANY_H100', 'l40s');
  return forAll(
    [order, selector, fc.boolean(), fc.integer({ min: 0, max: 30 })],
    (providerOrder, chosen, turned, minutes) => {
      const policy = { providerOrder, selector: chosen };
      const rest = { soughtSinceMs: NOW_MS - minutes * MINUTE };
      const inputs = [selectionInput(policy, rest), second(policy, rest)] as const;
      const { offers } = turned ? buildLadder(inputs[1], inputs[0]) : buildLadder(...inputs);
      expect(new Set(offers.map((o) => o.key)).size).toBe(offers.length);
      expect(offers.length).toBe(CATALOGUE.length * LOCATIONS.length + 1);
      expect(taken(offers).map((o) => o.rank)).toEqual(taken(offers).map((_, i) => i + 1));
      for (const one of offers) expect(one.rank === null).toBe(one.refusal !== null);
    },
  );
});
