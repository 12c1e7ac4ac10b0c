/** The cores of the benchmarks `sleep` and `month` on small inputs. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arrivals, MONTH_MS } from '../../../bench/month/decks.ts';
import { VirtualTime } from '../../../bench/month/events.ts';
import { WORLD } from '../../../bench/month/machines.ts';
import { decksFor, simulateMonth, type MonthSetting } from '../../../bench/month/simulate.ts';
import { seededRandom } from '../../../samples/generator/random.ts';
import { readTrace } from '../../../bench/sleep/traces.ts';
import { forAll } from '../../../testing/property.ts';
import { PLAIN_BLOCKS, REFUNDED } from '../../../testing/fleet/made-up-pools.ts';
import { folderPerFile } from '../../../testing/per-file.ts';

const DAY_MS = 24 * 3_600_000;
/** Ten days: two weekends. */
const simulate = (more: Partial<MonthSetting> = {}) =>
  simulateMonth({
    world: WORLD,
    billing: REFUNDED,
    sleepPolicy: 'auto',
    decks: 40,
    lengthMs: 10 * DAY_MS,
    seed: 3,
    ...more,
  });
const simulated = new Map<string, ReturnType<typeof simulate>>();
/** Each setting is simulated once. */
function month(more: Partial<MonthSetting> = {}): ReturnType<typeof simulate> {
  const key = JSON.stringify(more);
  const result = simulated.get(key) ?? simulate(more);
  simulated.set(key, result);
  return result;
}

describe('a simulated month', () => {
  it('finishes its decks and pays for no less than the work, whatever the billing and the policy', () => {
    for (const billing of [REFUNDED, PLAIN_BLOCKS]) {
      for (const sleepPolicy of ['auto', 'break_even', 'randomised', 'fixed'] as const) {
        const result = month({ billing, sleepPolicy });
        expect(result.unfinished).toBe(0);
        expect(result.waitsSec).toHaveLength(40);
        expect(result.machineHours).toBeGreaterThan(result.busyHours);
        expect(result.machineUsd + result.storageUsd).toBeLessThan(result.alwaysOnUsd);
        expect(Math.min(...result.waitsSec)).toBeGreaterThanOrEqual(0);
      }
    }
  });

  it('is the same for the same seed', () => {
    expect(simulate()).toEqual(month());
    expect(month({ seed: 4 }).machineUsd).not.toBe(month().machineUsd);
  });

  it('costs what machines always on cost when nothing ever sleeps', () => {
    const awake = month({ sleepPolicy: 'never', lengthMs: 2 * DAY_MS });
    // Two pools, from their first deck on.
    expect(awake.machineHours).toBeGreaterThan(2 * 48 * 0.7);
  });

  it('survives a world in which hardly anything boots', () => {
    const world = { ...WORLD, refusedChance: 0.9, asyncFailureChance: 0.5, wakeRefusedChance: 0.9 };
    const result = month({ world, decks: 10 });
    expect(result.unfinished).toBe(0);
    expect(result.creates).toBeGreaterThan(100);
  });

  it('buys at two providers: spot costs less than on demand alone, machines are taken back, and every deck is finished', () => {
    const spot = month({ spot: { spotRatio: 0.7, criticalShare: 0.2 } });
    const onDemand = month({ spot: { spotRatio: 0, criticalShare: 0.2 } });
    expect(spot.unfinished).toBe(0);
    expect(spot.spotShare).toBeGreaterThan(0.5);
    expect(spot.spotShare).toBeLessThan(1);
    expect(onDemand).toMatchObject({ unfinished: 0, spotShare: 0, evictions: 0, repeatedCalls: 0 });
    expect(spot.machineUsd).toBeLessThan(onDemand.machineUsd);
    expect(simulate({ spot: { spotRatio: 0.7, criticalShare: 0.2 } })).toEqual(spot);
  });

  it('knows no bill below that of a clairvoyant, whose own is lower when it gives up disks', () => {
    for (const spot of [undefined, { spotRatio: 0.7, criticalShare: 0.2 }]) {
      const result = month(spot === undefined ? {} : { spot });
      expect(result.clairvoyantWithoutDisksUsd).toBeLessThanOrEqual(result.clairvoyantUsd);
      expect(result.clairvoyantWithoutDisksUsd).toBeLessThan(result.machineUsd + result.storageUsd);
    }
  });

  it('keeps fewer disks and waits longer where waiting is worth nothing', () => {
    const spot = { spotRatio: 0.7, criticalShare: 0.2 };
    const cheap = month({ spot, pools: { maxKeptVolumes: 1, waitingUsdPerMinute: 0 } });
    const quick = month({ spot });
    expect(cheap.unfinished).toBe(0);
    expect(cheap.storageUsd).toBeLessThan(quick.storageUsd);
    expect(cheap.newMachineSec.length).toBeGreaterThan(quick.newMachineSec.length);
  });

  it('reviews decks that are uploaded all at once with no more machines than its pools may have', () => {
    const burst = month({ decks: 200, atOnce: true, lengthMs: DAY_MS, pools: { max: 10 } });
    expect(burst.unfinished).toBe(0);
    expect(burst.mostMachines).toBeGreaterThan(10);
    expect(burst.mostMachines).toBeLessThanOrEqual(20);
    // The pool orders as soon as the work is there.
    expect(Math.max(...burst.responseSec)).toBeLessThanOrEqual(120);
  });

  it('has as many decks as fill the hours asked for', () => {
    const result = month({ decks: decksFor(5, WORLD.slots) });
    expect(result.busyHours).toBeGreaterThan(4.7);
    expect(result.busyHours).toBeLessThan(5.3);
  });

  it('brings most decks in office hours', () => {
    const times = arrivals(500, MONTH_MS, seededRandom(1));
    const hours = times.map((t) => t / 3_600_000);
    const inOffice = hours.filter((h) => Math.floor(h / 24) % 7 < 5 && h % 24 >= 9 && h % 24 < 18);
    expect(inOffice.length).toBeGreaterThan(375);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times.every((t) => t >= 0 && t < MONTH_MS)).toBe(true);
  });
});

it('virtual time lets things happen in order, those of one moment as they were planned', () =>
  forAll([fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 100 })], (times) => {
    const time = new VirtualTime();
    const seen: { at: number; index: number }[] = [];
    for (const [index, at] of times.entries()) time.at(at, () => seen.push({ at: time.nowMs, index }));
    time.runUntil(30);
    const expected = times.map((at, index) => ({ at, index })).filter((e) => e.at <= 30);
    expect(seen).toEqual(expected.toSorted((a, b) => a.at - b.at || a.index - b.index));
    expect(time.nowMs).toBe(30);
  }));

describe('a trace file', () => {
  const folder = folderPerFile();
  const file = (text: string): string => {
    const name = path.join(folder, 'gaps.txt');
    writeFileSync(name, text);
    return name;
  };

  it('has one gap in seconds per line', () =>
    expect(readTrace(file('# gaps of March\n12\n\n 900.5 \r\n0\n')).gapsSec).toEqual([12, 900.5, 0]));

  it('is refused with the line that is wrong, or when it is empty or not there', () => {
    expect(() => readTrace(file('12\nsoon\n'))).toThrow('line 2 is not a number of seconds: soon');
    expect(() => readTrace(file('12\n-1\n'))).toThrow('line 2');
    expect(() => readTrace(file('\n'))).toThrow('holds no gap');
    expect(() => readTrace(path.join(folder, 'none.txt'))).toThrow('cannot be read');
  });
});
