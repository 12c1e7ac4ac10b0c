/** The ladder: order, refusals with their reasons, bad input. */
import { describe, expect, it } from 'vitest';
import { offerKey, type OfferKey } from '../../../domain/fleet/selection/offer.ts';
import type { ExplainedOffer, OfferHistory, LadderInput } from '../../../domain/fleet/selection/ladder-input.ts';
import { buildLadder } from '../../../domain/fleet/selection/build-ladder.ts';
import { secondsPerSlideTable } from '../../../domain/fleet/selection/slide-cost.ts';
import { refusalOf } from '../../../testing/refusal.ts';
import { allAvailable, CATALOGUE, catalogueType, LOCATIONS, NOW_MS, selectionInput } from './selection-catalogue.ts';

const ranked = (input: LadderInput): ExplainedOffer[] => buildLadder(input).offers.filter((o) => o.rank !== null);
const places = (input: LadderInput): string[] => ranked(input).map((o) => `${o.instanceType} ${o.location}`);
const typesInOrder = (input: LadderInput): string[] => [...new Set(ranked(input).map((o) => o.instanceType))];
const offerOf = (input: LadderInput, instanceType: string, location = 'FIN-01'): ExplainedOffer => {
  const found = buildLadder(input).offers.find((o) => o.instanceType === instanceType && o.location === location);
  if (found === undefined) throw new Error(`no offer ${instanceType} in ${location}`);
  return found;
};
const keyOf = (instanceType: string, location: string): OfferKey =>
  offerKey({ provider: 'cloud', location, instanceType, market: 'ondemand' });
const history = (values: Partial<OfferHistory>): OfferHistory => ({
  attempts: [],
  medianBootMs: null,
  lastPriceUsdPerHour: null,
  ...values,
});
const BOTH_MODELS = [
  { modelName: 'gemma3:12b', weightsGib: 7.6, kvCacheGibPerSlot: 2.5 },
  { modelName: 'phi4:latest', weightsGib: 8.5, kvCacheGibPerSlot: 3.2 },
];

describe('order', () => {
  it('order goes down the tiers, whatever is cheaper below', () =>
    expect(typesInOrder(selectionInput()).join(' ')).toBe(
      '1H100.80S.30V 1H100.80S.32V 1A100.22V 1A100.40S.22V 1RTXPRO6000.30V 1RTX6000ADA.10V 1L40S.20V 1A6000.10V 1V100.6V',
    ));

  it('GPUs that are too old for vLLM are not selected for its machines, and say why', () => {
    const input = selectionInput({ engine: 'vllm' });
    expect(typesInOrder(input)).toEqual(typesInOrder(selectionInput()).filter((type) => type !== '1V100.6V'));
    expect(offerOf(input, '1V100.6V')).toMatchObject({
      refusal: 'not_selected',
      reason: '1V100.6V has compute capability 7.0; vLLM needs 7.5.',
    });
  });

  it('cheapest goes by the cost of a slide, not of an hour', () => {
    const [first, second] = typesInOrder(selectionInput({ selector: 'cheapest' }));
    // By the priors a V100 at $0.14 an hour is cheap although it is slow; measured figures turn the order round.
    expect(first).toBe('1V100.6V');
    expect(second).toBe('1A6000.10V');
    const measured = secondsPerSlideTable({ h100: 1, a6000: 40, v100: 400 });
    const learned = ranked(selectionInput({ selector: 'cheapest' }, { secondsPerSlide: measured }));
    expect(learned[0]?.tier).toBe('h100');
    expect(learned.at(-1)?.instanceType).toBe('1X900.12V');
  });

  it('order tries spot before on-demand inside a tier when both are allowed, and the next tier after both', () => {
    const markets = ranked(selectionInput({ market: 'any' })).map((o) => `${o.tier} ${o.market}`);
    const expected = ['h100 spot', 'h100 ondemand', 'a100-80 spot', 'a100-80 ondemand'];
    expect([...new Set(markets)].slice(0, 4)).toEqual(expected);
  });

  it('order breaks ties by preferred location, then by fewest machines there, then by name', () => {
    const input = { selector: '1L40S.20V' };
    expect(ranked(selectionInput(input)).map((o) => o.location)).toEqual(['FIN-01', 'FIN-02', 'FIN-03']);
    expect(
      ranked(selectionInput(input, { instancesByLocation: { 'FIN-01': 2, 'FIN-02': 1 } })).map((o) => o.location),
    ).toEqual(['FIN-03', 'FIN-02', 'FIN-01']);
    const preferred = { ...input, locations: ['FIN-02', 'FIN-01'] };
    expect(ranked(selectionInput(preferred, { instancesByLocation: { 'FIN-02': 5 } })).map((o) => o.location)).toEqual([
      'FIN-02',
      'FIN-01',
    ]);
  });

  it('order puts an offer whose creates failed lately behind its equals', () => {
    const failed = { atMs: NOW_MS - 3_000_000, outcome: 'capacity' } as const;
    const attempts = new Map([[keyOf('1L40S.20V', 'FIN-01'), history({ attempts: [failed] })]]);
    expect(places(selectionInput({ selector: 'l40s' }, { history: attempts })).at(-1)).toBe('1L40S.20V FIN-01');
  });

  it('order puts what is known to be there before what is unknown, inside a tier', () => {
    const { ondemand } = allAvailable();
    const { 'FIN-01': _, ...known } = ondemand?.typesByLocation ?? {};
    const input = selectionInput(
      { selector: 'l40s' },
      { availability: { ondemand: { atMs: NOW_MS, typesByLocation: known } } },
    );
    expect(ranked(input).map((o) => [o.location, o.available])).toEqual([
      ['FIN-02', true],
      ['FIN-03', true],
      ['FIN-01', null],
    ]);
  });
});

describe('waking', () => {
  const wakeFrom = {
    volumeId: 'v',
    provider: 'cloud',
    location: 'FIN-02',
    instanceType: '1A6000.10V',
    market: 'ondemand',
  } as const;

  it('waking tries the type the disk ran on first, then the ladder where the disk is, then everything else', () => {
    const order = ranked(selectionInput({}, { wakeFrom }));
    expect(order[0]).toMatchObject({ instanceType: '1A6000.10V', location: 'FIN-02', bootsKeptVolume: true });
    expect(order[1]).toMatchObject({ instanceType: '1H100.80S.30V', location: 'FIN-02' });
    const boots = order.map((o) => o.bootsKeptVolume);
    expect(boots.lastIndexOf(true)).toBe(8);
    expect(order[9]).toMatchObject({ instanceType: '1H100.80S.30V', location: 'FIN-01', bootsKeptVolume: false });
    expect(order[9]?.reason).toContain('the kept volume is elsewhere');
  });

  it('waking is not bound to a location where the provider does not bind volumes', () => {
    const capabilities = { volumePinsLocation: false, bootsVolumes: true, expectedBootMs: 1 };
    expect(ranked(selectionInput({}, { wakeFrom, capabilities })).every((o) => o.bootsKeptVolume)).toBe(true);
  });
});

describe('refusals', () => {
  it('selection says of a type that is sold out where, when it was seen and when it is looked at again', () => {
    const availability = {
      ondemand: { atMs: NOW_MS - 5000, typesByLocation: { 'FIN-01': [], 'FIN-02': [], 'FIN-03': [] } },
    };
    const ladder = buildLadder(selectionInput({}, { availability }));
    expect(ladder.offers.filter((o) => o.rank !== null)).toEqual([]);
    expect(ladder.nextTryAtMs).toBe(NOW_MS + 15_000);
    expect(ladder.offers[0]).toMatchObject({
      refusal: 'unavailable',
      available: false,
      nextTryAtMs: NOW_MS + 15_000,
      reason: '1H100.80S.30V is not available in FIN-01 (ondemand, seen at 11:59:55 UTC).',
    });
  });

  it('selection skips a tier that cannot hold the models, and says how much they need', () => {
    const input = selectionInput({}, { models: BOTH_MODELS });
    expect(typesInOrder(input)).not.toContain('1A100.40S.22V');
    expect(typesInOrder(input)).toContain('1A6000.10V');
    expect(offerOf(input, '1V100.6V')).toMatchObject({
      refusal: 'too_small',
      fits: false,
      nextTryAtMs: null,
      reason: '1V100.6V has 16 GiB of graphics memory; the models need 42.8 GiB.',
    });
  });

  it('selection keeps the caps per hour and per document', () => {
    const perHour = selectionInput({ maxPriceUsdPerHour: 1.8 });
    expect(ranked(perHour).every((o) => o.priceUsdPerHour <= 1.8)).toBe(true);
    const expected = { refusal: 'too_expensive', reason: '1H100.80S.30V: $3.28 an hour is above the cap of $1.80.' };
    expect(offerOf(perHour, '1H100.80S.30V')).toMatchObject(expected);
    // The cap is for the machine, not for each of its GPUs.
    const perMachine = selectionInput({ selector: 'ANY_A6000', maxPriceUsdPerHour: 1 });
    expect(typesInOrder(perMachine)).toContain('1A6000.10V');
    expect(offerOf(perMachine, '2A6000.20V').refusal).toBe('too_expensive');
    const perDocument = selectionInput({ selector: 'cheapest', maxPriceUsdPerDocument: 0.12 });
    expect(ranked(perDocument).length).toBeGreaterThan(0);
    expect(ranked(perDocument).every((o) => (o.usdPerSlide ?? Infinity) * 30 <= 0.12)).toBe(true);
    expect(offerOf(perDocument, '1X900.12V').reason).toContain('nothing is known of its speed');
  });

  it('selection keeps to the allowed locations and leaves excluded types out', () => {
    const input = selectionInput({ locations: ['FIN-03'], excludeTypes: ['1H100.80S.30V'] });
    expect(ranked(input).every((o) => o.location === 'FIN-03')).toBe(true);
    expect(offerOf(input, '1L40S.20V', 'FIN-01').refusal).toBe('location_not_allowed');
    expect(offerOf(input, '1H100.80S.30V', 'FIN-03').refusal).toBe('excluded');
    expect(typesInOrder(input)[0]).toBe('1H100.80S.32V');
  });

  it('selection buys nothing at a price of zero, at a jump, or far from its peers, and says so by name', () => {
    const catalogue = [
      catalogueType('1H100.80S.30V', 'H100', 1, 80, 0),
      catalogueType('1B200.30V', 'B200', 1, 180, 0.01),
      catalogueType('2B200.60V', 'B200', 2, 360, 12.7),
      catalogueType('4B200.120V', 'B200', 4, 720, 25.4),
      catalogueType('1L40S.20V', 'L40S', 1, 48, 91),
    ];
    const before = new Map(LOCATIONS.map((l) => [keyOf('1L40S.20V', l), history({ lastPriceUsdPerHour: 0.91 })]));
    const input = selectionInput(
      { selector: 'b300-or-less' },
      { catalogue, availability: allAvailable(catalogue), history: before },
    );
    expect(ranked(input)).toEqual([]);
    expect(offerOf(input, '1H100.80S.30V').reason).toBe(
      '1H100.80S.30V is not bought: the catalogue has no price for it.',
    );
    expect(offerOf(input, '1B200.30V')).toMatchObject({ refusal: 'implausible_price' });
    expect(offerOf(input, '1B200.30V').reason).toContain('$0.01 per GPU and hour is far from the $6.35');
    expect(offerOf(input, '1L40S.20V').reason).toContain('far from the $0.91 that it cost before');
  });

  it('a machine without a GPU is never taken, not even by name', () => {
    const expected = { refusal: 'too_small', reason: 'CPU.4V.16G has no GPU; the models need 0.0 GiB.' };
    expect(offerOf(selectionInput({ selector: 'CPU.4V.16G' }), 'CPU.4V.16G')).toMatchObject(expected);
  });

  it('a type without a spot market makes no spot offer', () => {
    const catalogue = CATALOGUE.map((t) => ({ ...t, spotUsdPerHour: t.instanceType === '1L40S.20V' ? 0.4 : null }));
    const { offers } = buildLadder(selectionInput({ market: 'spot' }, { catalogue }));
    expect(offers.map((o) => o.instanceType)).toEqual(['1L40S.20V', '1L40S.20V', '1L40S.20V']);
  });
});

it('mistakes are told before anything is bought: a location that does not exist, with those that do', () => {
  const error = refusalOf(() => buildLadder(selectionInput({ locations: ['FIN-1'] })));
  expect(error).toMatchObject({
    code: 'location_unknown',
    userMessage: 'There is no location FIN-1. Did you mean FIN-01?',
    hint: 'The locations are FIN-01, FIN-02, FIN-03.',
  });
});

it('mistakes are told before anything is bought: models that fit no allowed type, with what they need and the largest allowed', () => {
  const error = refusalOf(() => buildLadder(selectionInput({ selector: 'v100' }, { models: BOTH_MODELS })));
  expect(error.code).toBe('model_fits_no_offer');
  expect(error.userMessage).toBe(
    'gemma3:12b and phi4:latest with 4 parallel calls need 42.8 GiB of graphics memory; the largest type that v100 allows, 1V100.6V, has 16 GiB.',
  );
});

it('mistakes are told before anything is bought: a selector that names nothing', () =>
  expect(refusalOf(() => buildLadder(selectionInput({ selector: 'h101-or-less' }))).code).toBe('selector_unknown'));
