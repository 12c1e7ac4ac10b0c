/** Spot offers in the ladder: their place beside those on demand, what interruptions cost, and which are dropped. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildLadder } from '../../../domain/fleet/selection/build-ladder.ts';
import type { ExplainedOffer, LadderInput, LadderPolicy } from '../../../domain/fleet/selection/ladder-input.ts';
import { offerKey, type OfferKey } from '../../../domain/fleet/selection/offer.ts';
import { interruptionChance } from '../../../domain/fleet/selection/spot-offers.ts';
import { forAll } from '../../../testing/property.ts';
import { CATALOGUE, LOCATIONS, NOW_MS, selectionInput } from './selection-catalogue.ts';

const ladder = (policy: Partial<LadderPolicy>, rest: Partial<LadderInput> = {}): readonly ExplainedOffer[] =>
  buildLadder(selectionInput(policy, rest)).offers;
const taken = (offers: readonly ExplainedOffer[]): readonly ExplainedOffer[] => offers.filter((o) => o.rank !== null);
const markets = (offers: readonly ExplainedOffer[]): string =>
  taken(offers)
    .map((o) => o.market)
    .join();

/** The catalogue's types with spot at a multiple of the price on demand. */
const spotAt = (factor: number) =>
  CATALOGUE.map((type) => ({
    ...type,
    spotUsdPerHour: type.spotUsdPerHour === null ? null : type.onDemandUsdPerHour * factor,
  }));
/** History of spot offers of an L40S: so many machines, so many taken back. */
const lost = (machines: number, evicted: number): Partial<LadderInput> => ({
  history: new Map(
    LOCATIONS.map((location): [OfferKey, NonNullable<ReturnType<LadderInput['history']['get']>>] => [
      offerKey({ provider: 'cloud', location, instanceType: '1L40S.20V', market: 'spot' }),
      { attempts: [], medianBootMs: null, lastPriceUsdPerHour: null, interruptions: { machines, evicted } },
    ]),
  ),
});

describe('a pool that takes any market', () => {
  it.each(['l40s', 'cheapest'])('takes spot before on-demand where it is cheaper (%s)', (selector) => {
    const offers = taken(ladder({ selector, market: 'any' })).filter((o) => o.instanceType === '1L40S.20V');
    expect(offers.map((o) => o.market)).toEqual(['spot', 'spot', 'spot', 'ondemand', 'ondemand', 'ondemand']);
  });

  it.each(['l40s', 'cheapest'])(
    'takes on-demand first where interruptions cost more than spot saves (%s)',
    (selector) => {
      const offers = taken(ladder({ selector, market: 'any' }, { catalogue: spotAt(0.95) }));
      const l40s = offers.filter((o) => o.instanceType === '1L40S.20V');
      expect(l40s.map((o) => o.market).slice(0, 3)).toEqual(['ondemand', 'ondemand', 'ondemand']);
      expect(l40s).toHaveLength(6);
    },
  );

  it('learns from the machines of an offer that were taken back', () => {
    const policy = { selector: 'l40s', market: 'any' } as const;
    const at80 = { catalogue: spotAt(0.8) };
    expect(taken(ladder(policy, at80))[0]?.market).toBe('spot');
    expect(taken(ladder(policy, { ...at80, ...lost(4, 4) }))[0]?.market).toBe('ondemand');
    expect(taken(ladder(policy, { catalogue: spotAt(0.9), ...lost(20, 0) }))[0]?.market).toBe('spot');
  });

  it('drops spot that is dearer than the same GPU on demand, and says so', () => {
    const offers = ladder({ selector: 'l40s', market: 'any' }, { catalogue: spotAt(1.1) });
    expect(markets(offers)).toBe('ondemand,ondemand,ondemand');
    const dropped = offers.filter((o) => o.refusal === 'dearer_than_on_demand');
    expect(dropped).toHaveLength(3);
    expect(dropped[0]?.reason).toContain('on spot is more than $0.910 on demand');
  });

  it('keeps dear spot where nothing on demand can be had', () => {
    const nothing = { ondemand: { atMs: NOW_MS, typesByLocation: Object.fromEntries(LOCATIONS.map((l) => [l, []])) } };
    const { spot } = selectionInput().availability;
    if (spot === undefined) throw new RangeError('the fixture has no spot');
    const offers = ladder(
      { selector: 'l40s', market: 'any' },
      { catalogue: spotAt(1.1), availability: { ...nothing, spot } },
    );
    expect(markets(offers)).toBe('spot,spot,spot');
    expect(markets(ladder({ selector: 'l40s', market: 'spot' }, { catalogue: spotAt(1.1) }))).toBe('spot,spot,spot');
  });
});

describe('a pool with a share of spot', () => {
  it('tries all of spot before anything on demand, whatever its market says, and on-demand after that', () => {
    for (const market of ['ondemand', 'any', 'spot'] as const) {
      const order = taken(ladder({ market, spotRatio: 0.7 })).map((o) => o.market);
      expect(order.lastIndexOf('spot')).toBe(order.indexOf('ondemand') - 1);
      expect(order[0]).toBe('spot');
    }
  });

  it('wakes a kept disk on demand before it starts cold on spot', () => {
    const wakeFrom = {
      volumeId: 'v',
      provider: 'cloud',
      location: 'FIN-01',
      instanceType: '1L40S.20V',
      market: 'spot',
    } as const;
    const offers = taken(ladder({ selector: 'l40s', spotRatio: 0.7 }, { wakeFrom }));
    expect(offers.map((o) => `${o.bootsKeptVolume ? 'kept' : 'cold'} ${o.market}`).slice(0, 4)).toEqual([
      'kept spot',
      'kept ondemand',
      'cold spot',
      'cold spot',
    ]);
  });

  it('buys on demand alone with a share of 0', () => expect(markets(ladder({ spotRatio: 0 }))).not.toContain('spot'));
});

describe('the chance of an interruption', () => {
  it('is the usual one without machines, and rises with each that was taken back', () =>
    forAll(
      [fc.double({ min: 0, max: 50, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })],
      (machines, share) => {
        expect(interruptionChance()).toBeCloseTo(0.2);
        const chance = interruptionChance({ machines, evicted: machines * share });
        expect(chance).toBeGreaterThan(0);
        expect(chance).toBeLessThanOrEqual(1);
        expect(interruptionChance({ machines: machines + 1, evicted: machines * share + 1 })).toBeGreaterThan(
          chance - 1e-12,
        );
        expect(interruptionChance({ machines: machines + 1, evicted: machines * share })).toBeLessThan(chance);
      },
    ));

  it('goes back to the usual one as machines are forgotten', () => {
    const after = (halfLives: number): number =>
      interruptionChance({ machines: 8 * 0.5 ** halfLives, evicted: 6 * 0.5 ** halfLives });
    expect(after(0)).toBeGreaterThan(after(2));
    expect(after(2)).toBeGreaterThan(after(6));
    expect(after(20)).toBeCloseTo(0.2, 3);
  });
});
