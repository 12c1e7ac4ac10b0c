/** What became of warmed instances, read from histories. */
import { expect, it } from 'vitest';
import { warmHistory, type HistoryRow } from '../../../../domain/fleet/prewarm/history.ts';
import { MINUTE } from '../../../../testing/fleet/made-up-arrivals.ts';

const REASON = 'pre-warm: a deck is expected';
/** Rows of an instance: minute, phase, and the reason where it is not a usual one. */
const rowsOf = (instance: string, rows: readonly (readonly [number, string, string?])[]): HistoryRow[] =>
  rows.map(([minute, toPhase, reason = 'because'], i) => ({
    instance,
    atMs: minute * MINUTE,
    fromPhase: rows[i - 1]?.[1] ?? null,
    toPhase,
    reason,
  }));
const decks = (...minutes: readonly number[]) =>
  minutes.map((minute) => ({ atMs: minute * MINUTE, decks: 1, slides: 9 }));

const warm = (instance: string, fromMinute: number): HistoryRow[] =>
  rowsOf(instance, [
    [fromMinute - 100, 'suspended'],
    [fromMinute, 'waking', REASON],
    [fromMinute + 1, 'booting'],
    [fromMinute + 3, 'ready'],
    [fromMinute + 20, 'cordoned'],
    [fromMinute + 21, 'suspending'],
    [fromMinute + 22, 'suspended'],
  ]);

it('a deck while it is warm is a hit that saved the boot, one while it boots saved a part of it', () => {
  expect(warmHistory(warm('a', 200), decks(210)).warmed).toMatchObject([{ isHit: true, savedSec: 180 }]);
  expect(warmHistory(warm('a', 200), decks(201)).warmed).toMatchObject([{ isHit: true, savedSec: 60 }]);
});

it('no deck before it sleeps again is a miss; while it is warm nothing is decided', () => {
  expect(warmHistory(warm('a', 200), decks(199, 222)).warmed).toMatchObject([{ isHit: false, savedSec: 0 }]);
  const stillWarm = warm('a', 200).slice(0, 4);
  expect(warmHistory(stillWarm, decks(199)).warmed).toMatchObject([{ isHit: null, endedAtMs: null }]);
});

it('one that was created is one life, also where it was planned once more for the next offer', () => {
  const created = rowsOf('a', [
    [200, 'planned', REASON],
    [200, 'creating'],
    [201, 'planned'],
    [202, 'creating'],
    [203, 'booting'],
    [206, 'ready'],
    [230, 'destroying'],
    [231, 'gone'],
  ]);
  const { warmed, coldStarts } = warmHistory(created, decks(205));
  expect(warmed).toMatchObject([{ atMs: 200 * MINUTE, readyAtMs: 206 * MINUTE, isHit: true, savedSec: 300 }]);
  expect(coldStarts).toEqual([]);
});

it('a boot that a deck waited for is a cold start, one beside a ready instance or without a deck is none', () => {
  const boot = (instance: string, fromMinute: number): HistoryRow[] =>
    warm(instance, fromMinute).map((row) => ({ ...row, reason: 'there is work' }));
  expect(warmHistory(boot('a', 200), decks(200)).coldStarts).toEqual([{ atMs: 200 * MINUTE, waitedSec: 180 }]);
  expect(warmHistory(boot('a', 200), decks(210)).coldStarts).toEqual([]);
  const both = [...warm('a', 200), ...boot('b', 205)];
  expect(warmHistory(both, decks(204)).coldStarts).toEqual([]);
});
