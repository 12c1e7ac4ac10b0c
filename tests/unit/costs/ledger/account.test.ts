/** How a rental's time is divided, in cases small enough to follow by hand, and what the pure parts promise for all. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { InstancePhase } from '../../../../domain/fleet/phases.ts';
import { accountRental, QUARTER_MS } from '../../../../domain/costs/ledger/account.ts';
import { chargeOf, costUpTo, nanosOf, partsOf, usdOf } from '../../../../domain/costs/ledger/amounts.ts';
import type { CallSpan, OwnerRow, RentalFacts } from '../../../../domain/costs/ledger/facts.ts';
import { correctionOf, settleableUntil } from '../../../../domain/costs/ledger/settleable.ts';
import { forAll } from '../../../../testing/property.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** The beginning of a quarter of an hour. */
const T0 = Date.UTC(2026, 10, 21, 12);
const USD = 1_000_000_000n;

const row = (minute: number, phase: InstancePhase, changes: Partial<OwnerRow> = {}): OwnerRow => ({
  atMs: T0 + minute * MINUTE,
  phase,
  providerId: 'machine',
  volumeIds: ['disk'],
  location: 'FIN-01',
  instanceType: '1H100',
  usdPerHour: 6,
  loadMs: null,
  ...changes,
});

const later = (one: OwnerRow, minutes: number): OwnerRow => ({ ...one, atMs: one.atMs + minutes * MINUTE });

const call = (deck: string, fromMinute: number, untilMinute: number, changes: Partial<CallSpan> = {}): CallSpan => ({
  tenantId: 'fund',
  deckId: deck,
  analysisId: `analysis-of-${deck}`,
  task: 'describe_slide',
  callId: `${deck}/${fromMinute}`,
  slideNumber: 1,
  fromMs: T0 + fromMinute * MINUTE,
  untilMs: T0 + untilMinute * MINUTE,
  loadMs: 0,
  ...changes,
});

/** A machine at $6 an hour, 10 cents a minute, from T0 on. */
const machine = (changes: Partial<RentalFacts> = {}, quantumSec = 600, refundsUnused = true): RentalFacts => ({
  terms: {
    resource: 'instance',
    resourceId: 'machine',
    location: 'FIN-01',
    nanoUsdPerHour: 6n * USD,
    savedNanoUsdPerHour: 0n,
    quantumSec,
    refundsUnused,
  },
  bill: { fromMs: T0, untilMs: T0 + 30 * MINUTE },
  settledUntilMs: null,
  rows: [row(0, 'booting'), row(5, 'ready')],
  calls: [],
  ...changes,
});

/** Lines as [quarter, kind, whose, cents], those of one kind and owner in a quarter together. */
function table(facts: RentalFacts, untilMs = Infinity): readonly string[] {
  const sums = new Map<string, bigint>();
  for (const line of accountRental(facts, untilMs)) {
    const quarter = Math.floor((line.fromMs - T0) / QUARTER_MS);
    const key = `${quarter} ${line.kind} ${line.owner === null ? 'unowned' : (line.owner.deckId ?? 'deleted')}`;
    sums.set(key, (sums.get(key) ?? 0n) + line.nanoUsd);
  }
  return [...sums].map(([key, nanos]) => `${key} ${usdOf(nanos * 100n).toFixed()}`).toSorted();
}

const sumOf = (lines: ReturnType<typeof accountRental>): bigint => lines.reduce((sum, line) => sum + line.nanoUsd, 0n);
/** What a rental comes to that is settled up to an instant first, and to its end then. */
const sumOfPieces = (facts: RentalFacts, settledUntilMs: number): bigint =>
  sumOf(accountRental(facts, settledUntilMs)) + sumOf(accountRental({ ...facts, settledUntilMs }, Infinity));

describe('what a machine costs', () => {
  it('belongs to the call that has it, and what is spent beside it to those who worked in that quarter, by their time', () => {
    const calls = [call('a', 5, 8), call('b', 9, 10)];
    // Boot 5 min and idle 6 of the first quarter are shared 3 : 1; the second quarter had no work.
    expect(table(machine({ calls }))).toEqual([
      '0 boot a 37.5',
      '0 boot b 12.5',
      '0 busy a 30',
      '0 busy b 10',
      '0 idle a 45',
      '0 idle b 15',
      '1 idle unowned 150',
    ]);
  });

  it('is shared equally by calls that run at the same time', () => {
    const calls = [call('a', 5, 9), call('b', 7, 9), call('c', 7, 9), call('d', 7, 9)];
    const lines = accountRental(machine({ calls }), Infinity).filter((line) => line.kind === 'busy');
    expect(lines.map((line) => [line.owner?.deckId, usdOf(line.nanoUsd).toFixed(), line.shareMicros])).toEqual([
      ['a', '0.25', 150_000_000n],
      ['b', '0.05', 30_000_000n],
      ['c', '0.05', 30_000_000n],
      ['d', '0.05', 30_000_000n],
    ]);
  });

  it('while it loads a model is the call’s that had it loaded, and before it is ready belongs to all calls it was booted for', () => {
    const rows = [row(0, 'booting'), row(5, 'ready', { loadMs: 2 * MINUTE })];
    const calls = [call('a', 5, 15, { loadMs: MINUTE })];
    const expected = ['0 boot a 30', '0 busy a 90', '0 load a 30'];
    expect(table(machine({ rows, calls, bill: { fromMs: T0, untilMs: T0 + 15 * MINUTE } }))).toEqual(expected);
  });

  it('before its first work belongs to those it was started for, if they come within an hour', () => {
    const bill = { fromMs: T0, untilMs: T0 + 90 * MINUTE };
    const early = table(machine({ bill, calls: [call('a', 50, 51)] }));
    expect(early.filter((line) => line.endsWith('unowned 150'))).toEqual(['4 idle unowned 150', '5 idle unowned 150']);
    expect(early).toContain('0 boot a 50');
    expect(early).toContain('1 idle a 150');
    const late = table(machine({ bill, calls: [call('a', 61, 62)] }));
    expect(late.filter((line) => line.includes(' a '))).toEqual(['4 busy a 10', '4 idle a 140']);
  });

  it('is of no use when it never serves, while it is repaired, and without an owner', () => {
    const ended = { fromMs: T0, untilMs: T0 + 15 * MINUTE };
    expect(table(machine({ bill: ended, rows: [row(0, 'booting')] }))).toEqual(['0 failed unowned 150']);
    const repaired = [row(0, 'booting'), row(5, 'ready'), row(6, 'booting'), row(9, 'ready')];
    expect(table(machine({ bill: ended, rows: repaired }))).toContain('0 failed unowned 30');
    expect(table(machine({ bill: ended, rows: [] }))).toEqual(['0 orphan unowned 150']);
    const after = [row(0, 'booting'), row(5, 'ready'), row(10, 'gone', { providerId: null, volumeIds: [] })];
    expect(table(machine({ bill: ended, rows: after }))).toContain('0 orphan unowned 50');
  });

  it('has no owner where it only bears the name of the instance, whatever that does elsewhere', () => {
    const elsewhere = [row(0, 'booting', { providerId: 'another' }), row(2, 'ready', { providerId: 'another' })];
    const bill = { fromMs: T0, untilMs: T0 + 15 * MINUTE };
    expect(table(machine({ bill, rows: elsewhere, calls: [call('a', 3, 10)] }))).toEqual(['0 failed unowned 150']);
    // One that never served was not begun for what the next machine did.
    const next = [row(0, 'booting'), row(10, 'planned', { providerId: null }), ...elsewhere.map((r) => later(r, 12))];
    const failed = machine({ bill: { fromMs: T0, untilMs: T0 + 10 * MINUTE }, rows: next, calls: [call('a', 14, 20)] });
    expect(table(failed)).toEqual(['0 failed unowned 100']);
  });

  it('pauses while it is stopped where that costs nothing, and begins a new block when it is started again', () => {
    const rows = [row(0, 'ready'), row(10, 'suspended'), row(32, 'waking'), row(35, 'ready')];
    const pauses = [{ fromMs: T0 + 11 * MINUTE, untilMs: T0 + 33 * MINUTE }];
    const facts = machine({ bill: { fromMs: T0, untilMs: T0 + 40 * MINUTE, pauses }, rows }, 600, false);
    expect(table(facts)).toEqual([
      '0 idle unowned 100',
      '0 suspended unowned 10',
      '0 unused unowned 40',
      '1 unused unowned 50',
      '2 boot unowned 20',
      '2 idle unowned 50',
      '2 unused unowned 30',
    ]);
    expect(chargeOf(facts.bill, facts.terms)).toBe(3n * USD);
    // What the first time was paid for is settled with its end, once.
    const first = accountRental(facts, T0 + QUARTER_MS).filter((line) => line.kind === 'unused');
    expect([first.length, sumOfPieces(facts, T0 + QUARTER_MS)]).toEqual([2, 3n * USD]);
    const stopped = {
      ...facts,
      bill: { fromMs: T0, untilMs: T0 + 40 * MINUTE, pauses: [{ fromMs: T0, untilMs: null }] },
    };
    expect(table(stopped)).toEqual(['0 unused unowned 100']);
  });

  it('has the price of its new type after a stop in which it became another, however it is settled', () => {
    const rows = [row(0, 'ready'), row(10, 'suspended'), row(32, 'waking'), row(33, 'booting'), row(35, 'ready')];
    const pauses = [{ fromMs: T0 + 10 * MINUTE, untilMs: T0 + 33 * MINUTE, usdPerHourAfter: 12 }];
    const facts = machine({ bill: { fromMs: T0, untilMs: T0 + 43 * MINUTE, pauses }, rows }, 1);
    expect(table(facts)).toEqual(['0 idle unowned 100', '2 boot unowned 40', '2 idle unowned 160']);
    expect(chargeOf(facts.bill, facts.terms)).toBe(3n * USD);
    expect(sumOfPieces(facts, T0 + QUARTER_MS)).toBe(3n * USD);
  });

  it('is that of its address alone while it is stopped, however it is settled, and the spot market saves nothing then', () => {
    const rows = [row(0, 'ready'), row(15, 'suspended'), row(30, 'waking'), row(30, 'booting'), row(30, 'ready')];
    const pauses = [{ fromMs: T0 + 15 * MINUTE, untilMs: T0 + 30 * MINUTE, usdPerHour: 0.4 }];
    const bill = { fromMs: T0, untilMs: T0 + 45 * MINUTE, pauses };
    const facts = machine({ bill, rows }, 1);
    expect(table(facts)).toEqual(['0 idle unowned 150', '1 suspended unowned 10', '2 idle unowned 150']);
    expect(chargeOf(bill, facts.terms)).toBe((31n * USD) / 10n);
    expect(sumOfPieces(facts, T0 + 2 * QUARTER_MS)).toBe((31n * USD) / 10n);
    const spot = accountRental({ ...facts, terms: { ...facts.terms, savedNanoUsdPerHour: USD } }, Infinity);
    expect(spot.filter((line) => line.kind === 'suspended').map((line) => line.savedNanoUsd)).toEqual([0n]);
    // It ends while it sleeps.
    const ended = {
      ...bill,
      untilMs: T0 + 30 * MINUTE,
      pauses: [{ ...pauses[0], fromMs: T0 + 15 * MINUTE, untilMs: null }],
    };
    expect(chargeOf(ended, facts.terms)).toBe((16n * USD) / 10n);
  });

  it('is the same settled at once and in two pieces, and what was charged, whatever stops it has and what they cost', async () => {
    const minutes = fc.integer({ min: 1, max: 50 });
    const stop = fc.record({ ran: minutes, slept: minutes, usdPerHour: fc.option(fc.integer({ min: 0, max: 9 })) });
    await forAll(
      [fc.array(stop, { maxLength: 4 }), fc.option(minutes), fc.integer({ min: 0, max: 20 })],
      (stops, last, quarters) => {
        let atMinute = 0;
        const rows = [row(0, 'ready')];
        const pauses = stops.map(({ ran, slept, usdPerHour }, index) => {
          const fromMs = T0 + (atMinute += ran) * MINUTE;
          rows.push(row(atMinute, 'suspended'));
          const untilMs = T0 + (atMinute += slept) * MINUTE;
          // Without a last run it ends asleep.
          const isOpen = last === null && index === stops.length - 1;
          if (!isOpen) rows.push(row(atMinute, 'booting'));
          return { fromMs, untilMs: isOpen ? null : untilMs, ...(usdPerHour === null ? {} : { usdPerHour }) };
        });
        const bill = { fromMs: T0, untilMs: T0 + (atMinute + (last ?? 0)) * MINUTE, pauses };
        const facts = machine({ bill, rows }, 1);
        const charged = chargeOf(bill, facts.terms);
        expect(sumOf(accountRental(facts, Infinity))).toBe(charged);
        expect(sumOfPieces(facts, T0 + quarters * QUARTER_MS)).toBe(charged);
      },
    );
  });

  it('goes on while it is stopped, and a wake begins anew: its boot is for the work that comes then', () => {
    const rows = [row(0, 'ready'), row(15, 'suspended'), row(30, 'waking'), row(35, 'ready')];
    const bill = { fromMs: T0, untilMs: T0 + 45 * MINUTE };
    const expected = ['0 idle unowned 150', '1 suspended unowned 150', '2 boot a 50', '2 busy a 50', '2 idle a 50'];
    expect(table(machine({ bill, rows, calls: [call('a', 40, 45)] }))).toEqual(expected);
  });

  it('is cut at the quarters of an hour, and paid to the end of the last block where nothing is given back', () => {
    const bill = { fromMs: T0 - 5 * MINUTE, untilMs: T0 + 6 * MINUTE };
    const expected = ['-1 boot unowned 50', '0 boot unowned 50', '0 idle unowned 10', '0 unused unowned 90'];
    expect(table(machine({ bill }, 600, false))).toEqual(expected);
  });

  it('says what the spot market saved, in the same shares', () => {
    const facts = machine({ calls: [call('a', 5, 30)] });
    const terms = { ...facts.terms, savedNanoUsdPerHour: 3n * USD };
    const lines = accountRental({ ...facts, terms }, Infinity);
    expect(lines.every((line) => line.savedNanoUsd * 2n === line.nanoUsd)).toBe(true);
  });
});

describe('what a disk costs', () => {
  const disk = (rows: readonly OwnerRow[], calls: readonly CallSpan[] = []): RentalFacts => {
    const facts = machine({ rows, calls, bill: { fromMs: T0, untilMs: T0 + 45 * MINUTE } });
    return { ...facts, terms: { ...facts.terms, resource: 'volume', resourceId: 'disk', quantumSec: 0 } };
  };

  it('is for the work of its machine, and kept while there is none', () => {
    const asleep = row(15, 'suspended', { providerId: null, location: null });
    const awake = row(30, 'booting', { providerId: 'another' });
    const rows = [row(0, 'booting', { volumeIds: [] }), row(5, 'ready'), asleep, awake];
    const expected = ['0 storage a 150', '1 suspended unowned 150', '2 storage b 150'];
    expect(table(disk(rows, [call('a', 6, 7), call('b', 40, 42)]))).toEqual(expected);
  });

  it('is kept beside a machine that had to be taken elsewhere, and unused or without an owner once it is given up', () => {
    const elsewhere = row(15, 'booting', { providerId: 'another', location: 'FIN-02' });
    const givenUp = row(30, 'ready', { providerId: 'another', location: 'FIN-02', volumeIds: ['other'] });
    const expected = ['0 storage unowned 150', '1 suspended unowned 150', '2 failed unowned 150'];
    expect(table(disk([row(0, 'ready'), elsewhere, givenUp]))).toEqual(expected);
    expect(table(disk([]))).toEqual(['0 orphan unowned 150', '1 orphan unowned 150', '2 orphan unowned 150']);
  });
});

describe('how far a rental can be settled', () => {
  const running = (changes: Partial<RentalFacts> = {}): RentalFacts =>
    machine({ bill: { fromMs: T0, untilMs: null }, ...changes });
  const at = (facts: RentalFacts, minute: number): number | null => {
    const due = settleableUntil(facts, T0 + minute * MINUTE);
    return due === null ? null : (due.untilMs - T0) / MINUTE;
  };

  it('is whole quarters of an hour, once it had work', () => {
    const facts = running({ calls: [call('a', 6, 7)] });
    expect([14, 15, 29, 31].map((minute) => at(facts, minute))).toEqual([null, 15, 15, 30]);
  });

  it('is not before its first work, or an hour, shows whom it was started for', () => {
    expect([16, 59].map((minute) => at(running(), minute))).toEqual([null, null]);
    expect(at(running(), 61)).toBe(60);
  });

  it('is not into a call that still runs: how much of it was loading shows at its end', () => {
    const calls = [call('a', 6, 7), call('a', 14, 0, { untilMs: null })];
    expect(at(running({ calls }), 31)).toBe(null);
    expect(at(running({ calls: [call('a', 6, 7), call('a', 20, 0, { untilMs: null })] }), 31)).toBe(15);
    // One that is said to run for hours holds nothing up.
    expect(at(running({ calls }), 91)).toBe(30);
  });

  it('is not before its instance named it, unless that takes an hour or its life is over', () => {
    const rows = [row(0, 'booting', { providerId: null, volumeIds: [] })];
    expect([16, 59, 61].map((minute) => at(running({ rows }), minute))).toEqual([null, null, 60]);
    // What is named only then was of no use until then, as it was settled.
    const late = running({ rows: [...rows, row(70, 'ready')] });
    const expected = ['0 failed', '1 failed', '2 failed', '3 failed', '4 failed', '4 idle'];
    expect(table(late, T0 + 75 * MINUTE).map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual(expected);
    expect(at(running({ rows: [...rows, row(1, 'gone', { providerId: null, volumeIds: [] })] }), 16)).toBe(15);
  });

  it('is everything once the bill has ended', () => {
    expect(settleableUntil(machine(), T0 + 30 * MINUTE)).toEqual({ untilMs: T0 + 30 * MINUTE, isFinal: true });
    expect(settleableUntil(machine({ bill: null }), T0 + HOUR)).toBeNull();
  });

  it('is put right in the end when more was settled than the bill came to, or less', () => {
    const facts = machine({ settledUntilMs: T0 + 45 * MINUTE });
    expect(correctionOf(facts, 45n * (USD / 10n))).toMatchObject({ kind: 'failed', nanoUsd: -15n * (USD / 10n) });
    expect(correctionOf(facts, 30n * (USD / 10n))).toBeNull();
    // What is not paid for did not save anything either.
    const spot = { ...facts, terms: { ...facts.terms, savedNanoUsdPerHour: 2n * USD } };
    expect(correctionOf(spot, 45n * (USD / 10n))?.savedNanoUsd).toBe(-5n * (USD / 10n));
    // The machine never ran: everything was given back.
    expect(correctionOf({ ...facts, bill: null }, USD)?.nanoUsd).toBe(-USD);
  });
});

describe('amounts', () => {
  const nanos = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n });

  it('are divided without a rest, each part within a billionth of its due', async () => {
    const weights = fc.array(fc.bigInt({ min: 0n, max: 10n ** 12n }), { minLength: 1, maxLength: 20 });
    await forAll([nanos, weights], (whole, list) => {
      const sum = list.reduce((total, weight) => total + weight, 0n);
      fc.pre(sum > 0n);
      const parts = partsOf(whole, list);
      expect(parts.reduce((total, part) => total + part, 0n)).toBe(whole);
      for (const [index, part] of parts.entries()) {
        const due = usdOf(whole * (list[index] ?? 0n)).div(sum.toString());
        expect(usdOf(part).minus(due).abs().toNumber()).toBeLessThanOrEqual(1e-9);
      }
    });
    expect(() => partsOf(1n, [0n])).toThrow(RangeError);
  });

  it('are read and written exactly', async () => {
    await forAll([nanos], (amount) => nanosOf(usdOf(amount)) === amount);
    expect(nanosOf(1e-9)).toBe(1n);
    expect(nanosOf('0.0273972604')).toBe(27_397_260n);
    expect(costUpTo(1_990_000_000n, HOUR)).toBe(1_990_000_000n);
  });
});
