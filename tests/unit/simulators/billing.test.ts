/** What a simulated cloud charges. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chargeAt } from '../../../simulators/clouds/core/billing.ts';
import { forAll } from '../../../testing/property.ts';
import { startRig } from './datacrunch-client.ts';

const HOUR = 3_600_000;
const meter = (untilMs: number | null) => ({
  resource: 'instance' as const,
  resourceId: 'x',
  what: 'x',
  usdPerHour: 3.6,
  fromMs: 0,
  untilMs,
  chargedUsd: 0,
});

it.each([
  ['prepays the block that has begun', null, 0, { quantumSec: 600, refundsUnused: true }, 0.6],
  ['prepays the next block at its first instant', null, 600_000, { quantumSec: 600, refundsUnused: true }, 1.2],
  ['gives the unused part back', 60_000, 60_000, { quantumSec: 600, refundsUnused: true }, 0.06],
  ['keeps the unused part', 60_000, 60_000, { quantumSec: 600, refundsUnused: false }, 0.6],
  ['keeps one block of what ended at once', 0, 0, { quantumSec: 600, refundsUnused: false }, 0.6],
  ['counts whole seconds', 1500, 1500, { quantumSec: 1, refundsUnused: false }, 0.002],
])('the meter: %s', (_name, untilMs, atMs, billing, usd) => {
  expect(chargeAt(meter(untilMs), atMs, billing)).toBeCloseTo(usd, 10);
});

it('the meter never runs backwards while it runs, and never charges less than the time used', () =>
  forAll(
    [fc.nat(HOUR), fc.nat(HOUR), fc.integer({ min: 1, max: 3600 }), fc.boolean()],
    (a, b, quantumSec, refundsUnused) => {
      const [early, late] = a < b ? [a, b] : [b, a];
      const billing = { quantumSec, refundsUnused };
      expect(chargeAt(meter(null), early, billing)).toBeLessThanOrEqual(chargeAt(meter(null), late, billing));
      const used = (3.6 * early) / HOUR;
      expect(chargeAt(meter(early), late, billing)).toBeGreaterThanOrEqual(used - 1e-9);
      expect(chargeAt(meter(early), late, billing)).toBeLessThanOrEqual(chargeAt(meter(null), early, billing) + 1e-9);
    },
  ));

describe('the simulated account', () => {
  const noStorage = { volumeUsdPerGibMonth: 0 };

  it('pays for a machine until its delete is accepted, stopped time included', async () => {
    const rig = await startRig({ billing: { balanceUsd: 100, ...noStorage } });
    const { text } = await rig.create();
    rig.clock.advance(HOUR);
    await rig.call('PUT', '/instances', { id: text, action: 'shutdown' });
    rig.clock.advance(HOUR);
    await rig.call('PUT', '/instances', { id: text, action: 'delete', volume_ids: [] });
    rig.clock.advance(HOUR);
    expect(rig.datacrunch.core.ledger().chargedUsd).toBeCloseTo(2 * 0.91, 8);
    expect(rig.datacrunch.core.ledger().balanceUsd).toBeCloseTo(100 - 2 * 0.91, 8);
  });

  it('pays nothing for what ended without capacity', async () => {
    const rig = await startRig({ boot: { orderedSec: 10, noCapacityProbability: 1 }, billing: noStorage });
    const { text } = await rig.create();
    rig.clock.advance(20_000);
    expect(await rig.status(text)).toBe('no_capacity');
    expect(rig.datacrunch.core.ledger().chargedUsd).toBe(0);
  });

  it('pays for volumes by 730 hours a month; the trash is free until a restore, which is paid for in full', async () => {
    const rig = await startRig();
    const { text } = await rig.disk({ size: 100 });
    rig.clock.advance(365 * HOUR);
    expect(rig.datacrunch.core.ledger().chargedUsd).toBeCloseTo(10, 6);
    const { core } = rig.datacrunch;
    await rig.call('PUT', '/volumes', { id: text, action: 'delete' });
    rig.clock.advance(HOUR / 2);
    expect(core.ledger().chargedUsd).toBeCloseTo(10, 6);
    await rig.call('PUT', '/volumes', { id: text, action: 'restore' });
    rig.clock.advance(HOUR / 2);
    expect(core.ledger().chargedUsd).toBeCloseTo(10 + 20 / 730, 6);
  });

  it('refuses a create that the balance does not cover', async () => {
    const rig = await startRig({ billing: { balanceUsd: 0.1 } });
    expect((await rig.create()).json()).toEqual({ code: 'insufficient_funds', message: 'Insufficient funds' });
  });

  it('ends everything when it runs empty, at the block that it cannot pay, whenever one looks', async () => {
    const rig = await startRig({ billing: { balanceUsd: 0.91 / 2, ...noStorage } });
    const { text } = await rig.create();
    rig.clock.advance(10 * HOUR);
    const instance = rig.datacrunch.core.instance(text);
    expect(instance).toMatchObject({ phase: 'gone', endedBy: 'no_funds' });
    // Three blocks of ten minutes are paid; the fourth is not.
    expect((instance.history.at(-1)?.atMs ?? 0) - instance.createdAtMs).toBe(30 * 60_000);
    expect(rig.datacrunch.core.volumes().map((v) => v.status)).toEqual(['trashed']);
    expect(rig.datacrunch.core.ledger().chargedUsd).toBeCloseTo(0.91 / 2, 8);
  });

  it('charges the same however often one looks', async () => {
    const spend = async (steps: number): Promise<number> => {
      const rig = await startRig({ billing: { refundsUnused: false } });
      const { text } = await rig.create();
      for (let i = 0; i < steps; i += 1) {
        rig.clock.advance((3 * HOUR) / 4 / steps);
        rig.datacrunch.core.settle();
      }
      rig.datacrunch.core.delete(text);
      rig.clock.advance(HOUR);
      return rig.datacrunch.core.ledger().chargedUsd;
    };
    expect(await spend(1)).toBeCloseTo(await spend(300), 8);
  });
});
