/**
 * Scenarios of a market that says no for long (numbers as in tests/SCENARIOS.md), on virtual time
 * against the simulated provider.
 */
import { describe, expect, it } from 'vitest';
import { createMemoryRateLimit } from '../../../clouds/call-rate-limit.ts';
import { createDataCrunchClient } from '../../../clouds/datacrunch/client.ts';
import { providerErrorOf } from '../../../clouds/errors.ts';
import { DATACRUNCH } from '../../../clouds/datacrunch/provider.ts';
import { partOf } from '../../../clouds/parts.ts';
import type { CloudProvider } from '../../../clouds/provider.ts';
import { VirtualClock } from '../../../simulators/clouds/core/clock.ts';
import { createSimulatedDataCrunch } from '../../../simulators/clouds/datacrunch/app.ts';
import { atMostOne } from '../../../testing/fleet/run-plan.ts';
import { VirtualInstance, type VirtualInstanceOptions } from '../../../testing/fleet/virtual-instance.ts';
import { fixedLadder, selectedLadder, simulatedOffer } from '../../../testing/fleet/virtual-ladder.ts';
import { POLICY } from './selection-catalogue.ts';

const MINUTE = 60_000;
const H100 = simulatedOffer('1H100.80S.30V', 'FIN-01');
const A100 = simulatedOffer('1A100.22V', 'FIN-02');

const start = (options: Partial<VirtualInstanceOptions> = {}): VirtualInstance =>
  new VirtualInstance({ rank: fixedLadder([H100, A100]), check: atMostOne, ...options });

describe('a drought', () => {
  const ladder = selectedLadder(POLICY);
  /** How often availability was asked for. */
  const bulkCalls = ({ sim }: VirtualInstance): number =>
    Object.entries(sim.core.state.stats.calls).reduce(
      (sum, [call, n]) => sum + (call.includes('availability') ? n : 0),
      0,
    );

  it('scenario 26: a drought of 90 minutes in which availability lies costs at most 20 creates per offer, ever further apart', async () => {
    const life = start({ rank: ladder });
    const no = { status: 503, code: 'service_unavailable', message: 'No capacity available' };
    life.sim.setFaults([{ match: { method: 'POST', path: '/instances' }, effect: 'error', ...no }]);
    await life.runFor(90 * MINUTE);
    const byOffer = Map.groupBy(life.creates, (create) => create.intent.offer);
    expect(byOffer.size).toBeGreaterThan(10);
    for (const creates of byOffer.values()) {
      expect(creates.length).toBeLessThanOrEqual(20);
      const gaps = creates.slice(1).map((create, i) => create.atMs - (creates[i]?.atMs ?? 0));
      // Doubled with every failure, up to half an hour.
      gaps.forEach((gap, i) => expect(gap).toBeGreaterThanOrEqual(Math.min(30, 3 * 2 ** i) * MINUTE));
    }
    expect(bulkCalls(life)).toBeLessThanOrEqual(2 * life.state.passes);
    // A pass every half minute at most.
    expect(life.state.passes).toBeLessThanOrEqual(180);
    expect(life.living).toEqual([]);
    expect(life.isOver).toBe(false);
  });

  it('scenario 26: a drought that availability tells of costs no create at all, two bulk calls a pass, and ends with the first machine', async () => {
    const life = start({ rank: selectedLadder({ ...POLICY, market: 'any' }), scenario: 'drought' });
    await life.runFor(89 * MINUTE);
    expect(life.creates).toEqual([]);
    const passes = life.executed.filter(({ command }) => command.kind === 'rank').length;
    expect(passes).toBeGreaterThan(5);
    expect(bulkCalls(life)).toBeLessThanOrEqual(2 * passes);
    await life.until('ready', 30 * MINUTE);
    expect(life.creates).toHaveLength(1);
  });
});

describe('many pools in one account', () => {
  const POOLS = 20;

  /** Twenty pools that look at everything as fast as they may. @returns how many calls there were, and how many were refused with 429 */
  async function storm(shared: boolean): Promise<{ readonly calls: number; readonly refused: number }> {
    const clock = new VirtualClock();
    const simulator = createSimulatedDataCrunch({ clock });
    const now = (): number => clock.nowMs();
    const pause = async (ms: number): Promise<void> => clock.advance(ms);
    let calls = 0;
    let refused = 0;
    const rateLimit = createMemoryRateLimit({ now, pause });
    const pools = Array.from({ length: POOLS }, (): CloudProvider => {
      const client = createDataCrunchClient({
        baseUrl: 'http://127.0.0.1/v1',
        credentials: { clientId: simulator.clientId, clientSecret: simulator.clientSecret },
        fetch: async (input, init) => {
          const answer = await simulator.fetch(input, init);
          calls += 1;
          if (answer.status === 429) refused += 1;
          return answer;
        },
        rateLimit: shared ? rateLimit : createMemoryRateLimit({ now, pause }),
        now,
        pause,
        random: () => 0.5,
      });
      return DATACRUNCH.open({ client, now });
    });
    /** As an activity does: a call that would wait for too long says until when, and is made again then. */
    const untilTaken = async (look: () => Promise<unknown>): Promise<void> => {
      for (;;) {
        try {
          await look();
          return;
        } catch (error) {
          const { errorClass, retryAfterMs } = providerErrorOf(error);
          if (errorClass !== 'throttled' || retryAfterMs === undefined) throw error;
          await pause(retryAfterMs);
        }
      }
    };
    for (let round = 0; round < 10; round += 1) {
      for (const pool of pools) {
        for (const look of [
          () => partOf(pool, 'stock').availability('ondemand'),
          () => pool.listInstances(),
          () => partOf(pool, 'account').balance(),
        ])
          await untilTaken(look);
      }
    }
    return { calls, refused };
  }

  it('scenario 34: many pools in one account share one bucket per account, so that the provider never has to refuse', async () => {
    const { calls, refused } = await storm(true);
    expect(calls).toBeGreaterThanOrEqual(POOLS * 10 * 3);
    expect(refused).toBe(0);
    // The limits are real: with a bucket each they run into them.
    expect((await storm(false)).refused).toBeGreaterThan(0);
  });
});

it('scenario 52: a quota of volumes that is reached is told once and leaves the disk that is there to be woken from', async () => {
  const life = start({ scenario: { quotas: { volumes: 1 } } });
  await life.until('ready');
  await life.ask('suspend', 'suspended');
  const kept = life.state.volume?.volumeId;
  expect(kept).toBeDefined();
  life.sim.core.setStock([{ types: '1H100.80S.30V', locations: ['FIN-01'], count: 0 }]);
  life.request('wake');
  await life.runFor(40 * MINUTE);
  // Elsewhere it would need a second volume: a quota is the provider's word, no fault of the deck and no reason to end.
  expect(life.state.phase).toBe('waking');
  expect(life.ladder.told.map((told) => told.error?.errorClass)).toContain('quota');
  expect(life.alerts.filter((text) => text.includes('Volume limit'))).toHaveLength(1);
  // Two locations, each tried after 0, 3, 9, 21 and 36 minutes.
  expect(life.creates.filter((create) => create.intent.volumeId === null).length).toBeLessThanOrEqual(2 * 5);
  life.sim.core.setStock([{ types: '*', count: 1 }]);
  await life.until('ready', 60 * MINUTE);
  expect(life.creates.at(-1)?.intent.volumeId).toBe(kept);
  expect(life.disks).toHaveLength(1);
});

it('scenario 52: without any volume to be had nothing walks in circles', async () => {
  const life = start({ scenario: { quotas: { volumes: 0 } } });
  await life.runFor(55 * MINUTE);
  // Two locations, each tried after 0, 3, 9, 21, 36 and 51 minutes.
  expect(life.creates.length).toBeLessThanOrEqual(2 * 6);
  expect(life.alerts).toHaveLength(1);
  expect(life.living).toEqual([]);
});
