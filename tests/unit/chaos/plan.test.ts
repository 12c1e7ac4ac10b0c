/**
 * Plans of chaos runs: what a seed means, and that the ten runs of every test see every kind of fault.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chaosEnvironment } from '../../../cli/commands/test.ts';
import { describePlan, FAULT_KINDS, KILLED_SERVICES, planOf, serviceOf } from '../../chaos/plan.ts';
import { chosenSeeds } from '../../chaos/seeds.ts';
import { forAll } from '../../../testing/property.ts';

const seeds = fc.integer({ min: 1, max: 1_000_000 });

describe('a chaos plan', () => {
  it('brings decks in every way, and deletes one now and then', () => {
    const plans = Array.from({ length: 60 }, (_, index) => planOf(index + 1));
    const decks = plans.flatMap((plan) => plan.decks);
    expect(new Set(decks.map((deck) => deck.through))).toEqual(new Set(['api', 'drop folder']));
    expect(new Set(decks.map((deck) => deck.continueAsNewAt === null))).toEqual(new Set([true, false]));
    expect(new Set(plans.map((plan) => plan.deletion === null))).toEqual(new Set([true, false]));
  });

  it('is the same for the same seed', () => forAll([seeds], (seed) => expect(planOf(seed)).toEqual(planOf(seed))));

  it('has one to four faults in order of time, and one or two decks of four to six slides', () =>
    forAll([seeds], (seed) => {
      const { faults, decks } = planOf(seed);
      expect(faults.length).toBeGreaterThanOrEqual(1);
      expect(faults.length).toBeLessThanOrEqual(4);
      const times = faults.map((fault) => fault.atMs);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      for (const { kinds } of faults) expect(new Set(kinds).size).toBe(kinds.length);
      expect([1, 2]).toContain(decks.length);
      for (const { slides } of decks) expect([4, 5, 6]).toContain(slides);
    }));

  it('holds reviews and changes their priority, but only those whose analysis is known from the start', () => {
    const decks = Array.from({ length: 60 }, (_, index) => planOf(index + 1)).flatMap((plan) => plan.decks);
    for (const { through, steering } of decks) expect(steering === null).toBe(through === 'drop folder');
    const steered = decks.flatMap(({ steering }) => (steering === null ? [] : [steering]));
    const ways = new Set(steered.map(({ pause, priority }) => `${pause !== null} ${priority !== null}`));
    expect(ways).toEqual(new Set(['true true', 'true false', 'false true', 'false false']));
    const given = new Set(steered.flatMap(({ priority }) => (priority === null ? [] : [priority.priority])));
    expect(given).toEqual(new Set([1, 2, 4, 5]));
  });

  it('replays the review of one of its decks', () =>
    forAll([seeds], (seed) => {
      const { decks, replayed } = planOf(seed);
      expect(decks[replayed]).toBeDefined();
    }));

  it('of a seed that failed once keeps its decks and faults', () => {
    const { decks, deletion, faults } = planOf(3009);
    expect(decks.map(({ slides, through, continueAsNewAt }) => ({ slides, through, continueAsNewAt }))).toEqual([
      { slides: 5, through: 'api', continueAsNewAt: null },
      { slides: 5, through: 'api', continueAsNewAt: 14 },
    ]);
    expect(deletion).toBeNull();
    expect(faults).toEqual([
      { atMs: 1323, lastsMs: 1651, kinds: ['kill temporal', 'provider down'] },
      { atMs: 2703, lastsMs: 1455, kinds: ['model gone', 'no capacity'] },
      { atMs: 3746, lastsMs: 1262, kinds: ['no capacity', 'kill gateway'] },
    ]);
  });

  it('kills every service, and the ten usual runs bring about every kind of fault', () => {
    const killed = FAULT_KINDS.map(serviceOf).filter((service) => service !== null);
    expect(killed.toSorted()).toEqual([...KILLED_SERVICES].toSorted());
    const seen = new Set(chosenSeeds({}, []).flatMap((seed) => planOf(seed).faults.flatMap((fault) => fault.kinds)));
    expect([...seen].toSorted()).toEqual([...FAULT_KINDS].toSorted());
  });

  it('is told in words with its seed, so that a failure can be repeated', () => {
    const plan = planOf(7);
    const words = describePlan(plan);
    expect(words).toMatch(/^seed 7; decks: \d slides/u);
    for (const { atMs, kinds } of plan.faults) expect(words).toContain(`${atMs} ms: ${kinds.join(' and ')}`);
    expect(words.match(/replayed/gu)).toHaveLength(1);
  });

  it('says what is asked of its reviews', () => {
    const steered = {
      ...planOf(7),
      decks: [
        {
          slides: 4,
          through: 'api' as const,
          continueAsNewAt: 12,
          steering: { pause: { atMs: 900, lastsMs: 400 }, priority: { atMs: 1200, priority: 1 } },
        },
      ],
      replayed: 0,
    };
    expect(describePlan(steered)).toContain(
      '4 slides, through the api, new at 12, paused at 900 ms for 400 ms, priority 1 at 1200 ms, replayed',
    );
  });
});

it('the seeds of a test are those that once failed, then ten', () =>
  expect(chosenSeeds({}, [99, 4])).toEqual([99, 4, 1, 2, 3, 5, 6, 7, 8, 9, 10]));

it.each([
  [{ seed: 12 }, [12]],
  [{ seed: 12, runs: 3 }, [12, 13, 14]],
  [{ runs: 2 }, [99, 1, 2]],
])('the seeds of a test are chosen by %j', (options, expected) => {
  expect(chosenSeeds(chaosEnvironment(['chaos'], options), [99])).toEqual(expected);
});

it('the seeds of a test can be chosen for this suite alone', () => {
  expect(() => chaosEnvironment(['unit'], { runs: 3 })).toThrowError(/suite chaos/u);
  expect(chaosEnvironment([], {})).toEqual({});
});
