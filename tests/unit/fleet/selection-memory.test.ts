/** What is remembered of failures: blocks by class and scope, and how many creates a drought allows. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { launchesLeft, PROBE_INTERVAL_MS, type LaunchAttempt } from '../../../domain/fleet/provider/launch-limit.ts';
import { afterFailure, BlockIndex, covers, QUIET_MS } from '../../../domain/fleet/selection/offer-memory.ts';
import type { OfferId } from '../../../domain/fleet/selection/offer.ts';
import {
  PROVIDER_ERROR_CLASSES,
  type ProviderErrorClass,
  type ProviderErrorInfo,
} from '../../../domain/fleet/provider/provider-errors.ts';
import type { OfferMemory } from '../../../domain/fleet/selection/ladder.ts';
import { forAll } from '../../../testing/property.ts';
import { NOW_MS } from './selection-catalogue.ts';

const MINUTE = 60_000;
const OFFER: OfferId = { provider: 'cloud', location: 'FIN-01', instanceType: '1H100.80S.30V', market: 'ondemand' };
const failure = (errorClass: ProviderErrorClass, retryAfterMs?: number): ProviderErrorInfo => ({
  errorClass,
  message: 'no stock',
  ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
});
const memoryOf = (...rows: readonly (OfferMemory | null)[]): BlockIndex =>
  new BlockIndex(rows.filter((row) => row !== null));

describe('blocks', () => {
  it('double with each incident up to the maximum of the class', () => {
    let memory: OfferMemory | null = null;
    let nowMs = NOW_MS;
    const minutes: number[] = [];
    for (let i = 0; i < 7; i += 1) {
      memory = afterFailure(memory, OFFER, failure('capacity'), nowMs);
      minutes.push(((memory?.blockedUntilMs ?? 0) - nowMs) / MINUTE);
      nowMs = memory?.blockedUntilMs ?? 0;
    }
    expect(minutes).toEqual([3, 6, 12, 24, 30, 30, 30]);
  });

  it('start longer for a machine that was created and failed, since that cost minutes', () =>
    expect(afterFailure(null, OFFER, failure('capacity_async'), NOW_MS)?.blockedUntilMs).toBe(NOW_MS + 10 * MINUTE));

  it('do not double for failures of one incident, and are never shortened', () => {
    const first = afterFailure(null, OFFER, failure('capacity_async'), NOW_MS);
    const second = afterFailure(first, OFFER, failure('capacity'), NOW_MS + MINUTE);
    const expected = { repeats: 1, blockedUntilMs: NOW_MS + 10 * MINUTE, lastFailureAtMs: NOW_MS + MINUTE };
    expect(second).toMatchObject(expected);
  });

  it('begin anew after three quiet hours', () => {
    const old = afterFailure(null, OFFER, failure('capacity'), NOW_MS - QUIET_MS);
    const expected = { repeats: 1, blockedUntilMs: NOW_MS + 3 * MINUTE };
    expect(afterFailure(old, OFFER, failure('capacity'), NOW_MS)).toMatchObject(expected);
  });

  it('last at least as long as the provider asked for', () =>
    expect(afterFailure(null, OFFER, failure('capacity', 900_000), NOW_MS)?.blockedUntilMs).toBe(NOW_MS + 900_000));

  it('are none where the error says so, whatever its class', () => {
    for (const errorClass of Object.keys(PROVIDER_ERROR_CLASSES) as ProviderErrorClass[])
      expect(afterFailure(null, OFFER, { ...failure(errorClass), block: null }, NOW_MS)).toBeNull();
  });

  it.each([
    ['capacity', { instanceType: '1L40S.20V' }],
    ['capacity', { location: 'FIN-02' }],
    ['capacity', { market: 'spot' as const }],
    ['quota', { location: 'FIN-02' }],
    ['quota', { market: 'spot' as const }],
    ['billing', { provider: 'other' }],
  ] as const)('%s does not block an offer that differs in %j', (errorClass, other) => {
    const memory = memoryOf(afterFailure(null, OFFER, failure(errorClass), NOW_MS));
    expect(memory.blockOver({ ...OFFER, ...other }, NOW_MS)).toBeNull();
  });

  it('of a quota cover every type of that market and location, of an empty account everything', () => {
    const quota = memoryOf(afterFailure(null, OFFER, failure('quota'), NOW_MS));
    expect(quota.blockOver({ ...OFFER, instanceType: '1L40S.20V' }, NOW_MS)?.errorClass).toBe('quota');
    const billing = memoryOf(afterFailure(null, OFFER, failure('billing'), NOW_MS));
    expect(
      billing.blockOver({ provider: 'cloud', location: 'X', instanceType: 'Y', market: 'spot' }, NOW_MS)?.errorClass,
    ).toBe('billing');
  });
});

describe('an error that names what it blocks', () => {
  const AWS: OfferId = { provider: 'aws', location: 'eu-west-1a', instanceType: 'p5.48xlarge', market: 'ondemand' };
  const quota: ProviderErrorInfo = {
    ...failure('quota'),
    block: { scope: 'family', types: 'p*', locations: 'eu-west-1*', blockMs: 23 * 60 * MINUTE },
  };

  it('covers the family in all zones of the region for the time it names, on its own market', () => {
    const memory = memoryOf(afterFailure(null, AWS, quota, NOW_MS));
    const laterMs = NOW_MS + 22 * 60 * MINUTE;
    const blocked = memory.blockOver({ ...AWS, location: 'eu-west-1c', instanceType: 'p4d.24xlarge' }, laterMs);
    expect(blocked?.scopeKey).toBe('aws/eu-west-1*/p*/ondemand');
    for (const free of [{ instanceType: 'g6.xlarge' }, { location: 'eu-west-2a' }, { market: 'spot' as const }])
      expect(memory.blockOver({ ...AWS, ...free }, laterMs)).toBeNull();
  });

  it.each([
    ['aws/*/*_H100_*/spot', { instanceType: 'NC40ads_H100_v5', market: 'spot' }, true],
    ['aws/*/NC*ads_H100_v5/*', { instanceType: 'NC40ads_H100_v5' }, true],
    ['aws/*/NC*NC/*', { instanceType: 'NC' }, false],
    ['aws/*/a*b*c/*', { instanceType: 'a-b-c' }, true],
    ['aws/*/a*bb*bc/*', { instanceType: 'abbc' }, false],
    ['aws', {}, true],
    ['aws/eu-west-1a', {}, true],
    ['aws/eu-west-1', {}, false],
    ['gcp', {}, false],
  ] as const)('%s covers %j: %s', (written, change, expected) =>
    expect(covers(written, { ...AWS, ...change })).toBe(expected),
  );
});

describe('properties of blocks', () => {
  const name = fc.stringMatching(/^[A-Z0-9][A-Z0-9.-]{0,11}$/u);
  const offer = fc.record({
    provider: name,
    location: name,
    instanceType: name,
    market: fc.constantFrom('ondemand' as const, 'spot' as const),
  });
  const errorClass = fc.constantFrom(...(Object.keys(PROVIDER_ERROR_CLASSES) as ProviderErrorClass[]));

  it('scenario 27: what is written under an offer is read back under the same offer, until its time is over', () =>
    forAll([offer, errorClass, fc.integer({ min: 0, max: 7_200_000 })], (id, cls, laterMs) => {
      const written = afterFailure(null, id, failure(cls), NOW_MS);
      const rule = PROVIDER_ERROR_CLASSES[cls];
      expect(written === null).toBe(rule.scope === null);
      const read = memoryOf(written).blockOver(id, NOW_MS + laterMs);
      expect(read).toEqual(written !== null && laterMs < rule.blockMs ? written : null);
    }));

  it('a block of one offer never reaches another unless the class says so', () =>
    forAll([offer, offer], (one, other) => {
      const same =
        one.provider === other.provider &&
        one.location === other.location &&
        one.instanceType === other.instanceType &&
        one.market === other.market;
      const memory = memoryOf(afterFailure(null, one, failure('capacity'), NOW_MS));
      expect(memory.blockOver(other, NOW_MS) !== null).toBe(same);
    }));
});

describe('launch limit', () => {
  const rules = { perHour: 12, probeIntervalMs: PROBE_INTERVAL_MS };
  const at = (minutesAgo: number, outcome: LaunchAttempt['outcome']): LaunchAttempt => ({
    atMs: NOW_MS - minutesAgo * MINUTE,
    outcome,
  });

  const recovering = [at(50, 'capacity'), at(40, 'created'), at(30, 'created')];
  const open = Array.from({ length: 12 }, (_, i) => at(i, 'open'));

  it.each<[string, readonly LaunchAttempt[], lastFailureAtMs: number | null, left: number, nextInMin?: number]>([
    ['is the whole hour where nothing was tried', [], null, 12],
    ['is the whole hour where nothing failed for lack of capacity', [at(1, 'created'), at(2, 'other')], null, 12],
    ['is none shortly after a capacity failure', [at(1, 'capacity')], null, 0, 4],
    ['is one per probe interval after a capacity failure', [at(6, 'capacity')], null, 1],
    ['counts failures that others remember', [at(20, 'created')], NOW_MS - 2 * MINUTE, 1],
    ['doubles with each success', recovering, null, 4],
    ['falls back to one with the next failure', [...recovering, at(20, 'capacity')], null, 1],
    ['counts creates whose outcome is not known', open, null, 0, 49],
    ['forgets after three quiet hours', [at(181, 'capacity')], NOW_MS - QUIET_MS, 12],
  ])('%s', (_rule, attempts, lastFailureAtMs, left, nextInMin) => {
    const nextAtMs = nextInMin === undefined ? null : NOW_MS + nextInMin * MINUTE;
    expect(launchesLeft(attempts, lastFailureAtMs, NOW_MS, rules)).toEqual({ left, nextAtMs });
  });

  it('allows at most 20 creates per offer in a drought of 90 minutes, however many instances try and however late they fail', async () => {
    const looks = fc.array(fc.integer({ min: 0, max: 90 * 60 - 1 }), { minLength: 200, maxLength: 2000 });
    await forAll([looks, fc.integer({ min: 0, max: 600 })], { runs: 60 }, (seconds, failsAfterSec) => {
      const creates: number[] = [];
      for (const second of seconds.toSorted((a, b) => a - b)) {
        const nowMs = NOW_MS + second * 1000;
        const attempts = creates.map((atMs): LaunchAttempt => ({
          atMs,
          outcome: atMs + failsAfterSec * 1000 <= nowMs ? 'capacity' : 'open',
        }));
        if (launchesLeft(attempts, null, nowMs, rules).left > 0) creates.push(nowMs);
      }
      expect(creates.length).toBeLessThanOrEqual(20);
      expect(creates.length).toBeGreaterThan(0);
    });
  });

  it('says a time at which there is a launch left again, and none a moment earlier', async () => {
    const attempt = fc.record({
      atMs: fc.integer({ min: NOW_MS - QUIET_MS, max: NOW_MS }),
      outcome: fc.constantFrom<LaunchAttempt['outcome'][]>('open', 'created', 'capacity', 'other'),
    });
    await forAll([fc.array(attempt, { maxLength: 60 }), fc.integer({ min: 1, max: 20 })], (attempts, perHour) => {
      const limits = { ...rules, perHour };
      const { left, nextAtMs } = launchesLeft(attempts, null, NOW_MS, limits);
      expect(left === 0).toBe(nextAtMs !== null);
      if (nextAtMs === null) return;
      expect(nextAtMs).toBeGreaterThan(NOW_MS);
      expect(launchesLeft(attempts, null, nextAtMs, limits).left).toBeGreaterThan(0);
    });
  });
});
