/** Why a ladder has nothing to try, as the waiting deck reads it. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { describe, expect, it } from 'vitest';
import { capacityReason, type PoolCapacity } from '../../../activities/decks/waiting/capacity.ts';
import {
  createInstanceActivities,
  type InstanceActivitiesOptions,
} from '../../../activities/fleet/instance/activities.ts';
import { poolConfigSchema } from '../../../domain/fleet/pool/pool-config.ts';
import { whyNoOffer, whyNoLaunch } from '../../../domain/fleet/selection/refuse-offer.ts';
import { BlockIndex } from '../../../domain/fleet/selection/offer-memory.ts';
import type { OfferRefusal } from '../../../domain/fleet/selection/ladder.ts';

const refused = (refusal: OfferRefusal, reason: string): { rank: null; refusal: OfferRefusal; reason: string } => ({
  rank: null,
  refusal,
  reason,
});
const QUOTA = 'Blocked until 10:03:00 UTC after a failure (quota): GPU limit exceeded.';
const soldOut = (place: string) => refused('unavailable', `1H100 is not available in ${place}.`);

describe('a ladder with nothing to try names', () => {
  it('the quota or the empty account that blocks all of it', () =>
    expect(whyNoOffer([refused('blocked', QUOTA), refused('blocked', QUOTA)])).toContain('GPU limit exceeded'));

  it('the quota before offers that are sold out, also where those are more', () => {
    const told = whyNoOffer([soldOut('FIN-01'), soldOut('FIN-02'), soldOut('ICE-01'), refused('blocked', QUOTA)]);
    expect(told).toContain('GPU limit exceeded');
    expect(told).toContain('1 of 4 offers');
    expect(told).toContain('not available');
  });

  it('nothing but that nothing is there, where all is sold out', () =>
    expect(whyNoOffer([soldOut('FIN-01'), soldOut('FIN-02')])).toBe('none of 2 offers is available'));

  it('no offer that the selector does not take', () =>
    expect(whyNoOffer([refused('not_selected', 'is not X'), refused('blocked', QUOTA)])).not.toContain('is not X'));

  it('nothing while an offer can be had, and nothing where there is none at all', () => {
    expect(whyNoOffer([{ rank: 1, refusal: null, reason: 'Tried first' }, soldOut('FIN-01')])).toBeNull();
    expect(whyNoOffer([])).toBeNull();
  });
});

it('an offer whose creates are limited is not said to be in a drought: a create under way counts as well', () => {
  const offer = { provider: 'p', location: 'L', instanceType: 'T', market: 'ondemand' } as const;
  const attempts = [{ atMs: 1000, outcome: 'open' as const }];
  const told = whyNoLaunch(offer, { memory: new BlockIndex([]), attempts, perHour: 1, nowMs: 2000 });
  expect(told?.refusal).toBe('budget_used_up');
  expect(told?.reason).not.toMatch(/drought/iu);
  expect(told?.reason).toMatch(/under way/u);
});

describe('a deck whose machine is being rented', () => {
  const NOW_MS = 1_000_000;
  const pool = (callsFullUntilMs: number | null): PoolCapacity => ({
    name: 'visual',
    classes: ['gpu-visual'],
    reasons: [],
    nextLookAtMs: null,
    callsFullUntilMs,
    instances: [{ name: 'visual-0', phase: 'creating', phaseSinceMs: NOW_MS - 49_000, reason: 'attempt 1 on X' }],
  });

  it('is told that the provider takes no more calls', () => {
    const told = capacityReason([pool(NOW_MS + 20_000)], 'gpu-visual', NOW_MS);
    expect(told).toMatch(/limit of calls/u);
    expect(told).toContain('20 s');
    expect(told).not.toContain('attempt 1');
  });

  it('is told of the attempt once it takes them again', () =>
    expect(capacityReason([pool(NOW_MS)], 'gpu-visual', NOW_MS)).toContain('attempt 1 on X'));
});

it('an instance that ranks its offers is told why there is none to try', async () => {
  const offer = { ...refused('blocked', QUOTA), priceUsdPerHour: 1, nextTryAtMs: 5000 };
  const selection = { ladder: () => Promise.resolve({ offers: [offer], nextTryAtMs: 5000 }) };
  const activities = createInstanceActivities({ selection } as unknown as InstanceActivitiesOptions);
  const config = poolConfigSchema.parse({ name: 'visual', classes: ['gpu-visual'] });
  const ranked: Awaited<ReturnType<typeof activities.rankOffers>> = await new MockActivityEnvironment().run(() =>
    activities.rankOffers({ pool: config, wakeFrom: null, instance: 'visual-0' }),
  );
  expect(ranked.offers).toEqual([]);
  expect(ranked.message).toContain('GPU limit exceeded');
});
