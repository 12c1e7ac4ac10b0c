/**
 * Scenarios (numbers as in tests/SCENARIOS.md) in which the provider decides what happens, at every provider as it is simulated: each answers in
 * its own words, in its own form, at its own speed.
 */
import { describe, expect, it } from 'vitest';
import type { FaultRuleInput } from '../../../../simulators/clouds/core/faults.ts';
import { refusal } from '../../../../testing/fleet/command-faults.ts';
import {
  AWS_CALLS,
  AZURE_CALLS,
  DATACRUNCH_CALLS,
  GOOGLE_CALLS,
  type FaultyCalls,
} from '../../../../testing/fleet/life-plans.ts';
import { atMostOne, AWS, AZURE, DATACRUNCH, GOOGLE, type PlanCloud } from '../../../../testing/fleet/run-plan.ts';
import { VirtualInstance, type VirtualInstanceOptions } from '../../../../testing/fleet/virtual-instance.ts';

const MINUTE = 60_000;

/** A provider, its calls, and how it refuses a create. */
interface Dialect {
  readonly provider: string;
  readonly cloud: PlanCloud;
  readonly calls: FaultyCalls;
  readonly noQuota: FaultRuleInput;
  readonly wrongImage: FaultRuleInput;
}

const DIALECTS: readonly Dialect[] = [
  {
    provider: 'DataCrunch',
    cloud: DATACRUNCH,
    calls: DATACRUNCH_CALLS,
    noQuota: refusal(DATACRUNCH_CALLS.create, 400, 'invalid_request', 'GPU limit exceeded'),
    wrongImage: refusal(DATACRUNCH_CALLS.create, 400, 'invalid_request', 'Operating system is not valid'),
  },
  {
    provider: 'AWS',
    cloud: AWS,
    calls: AWS_CALLS,
    noQuota: refusal(
      AWS_CALLS.create,
      400,
      'VcpuLimitExceeded',
      'You have requested more vCPU capacity than your limit',
    ),
    wrongImage: refusal(AWS_CALLS.create, 400, 'InvalidAMIID.NotFound', 'The image id does not exist'),
  },
  {
    provider: 'Google',
    cloud: GOOGLE,
    calls: GOOGLE_CALLS,
    noQuota: refusal(
      GOOGLE_CALLS.create,
      403,
      'quotaExceeded',
      "Quota 'GPUS_ALL_REGIONS' exceeded. Limit: 0.0 globally.",
    ),
    wrongImage: refusal(
      GOOGLE_CALLS.create,
      404,
      'notFound',
      "The resource 'projects/x/global/images/y' was not found",
    ),
  },
  {
    provider: 'Azure',
    cloud: AZURE,
    calls: AZURE_CALLS,
    noQuota: refusal(
      AZURE_CALLS.create,
      409,
      'OperationNotAllowed',
      'Operation could not be completed as it results in exceeding approved Total Regional Cores quota.',
    ),
    wrongImage: refusal(AZURE_CALLS.create, 404, 'PlatformImageNotFound', 'The platform image is not available'),
  },
];

describe.each(DIALECTS)('at $provider', ({ cloud, calls, noQuota, wrongImage }) => {
  const start = (options: Partial<VirtualInstanceOptions> = {}): VirtualInstance =>
    new VirtualInstance({
      cloud: cloud.open,
      rank: cloud.rank,
      check: atMostOne,
      scenario: { rateLimits: null },
      ...options,
    });
  const until = (life: VirtualInstance, phase: string, limitMs?: number): Promise<void> =>
    life.runUntil(() => life.state.phase === phase, limitMs);
  /** Its machine is the only one, and goes with everything that belongs to it. */
  const expectOneThenNone = async (life: VirtualInstance): Promise<void> => {
    expect(life.living.map(life.idOf)).toEqual([life.state.machine?.providerId]);
    life.request('destroy');
    await life.runUntil(() => life.isOver);
    expect([life.living, life.disks]).toEqual([[], []]);
  };

  it('scenario 1: the process dies between a create and its answer: the machine is adopted by its name', async () => {
    const life = start({ commandFaults: [{ kind: 'fine' }, { kind: 'crash' }] });
    await until(life, 'ready');
    expect(life.creates).toHaveLength(1);
    await expectOneThenNone(life);
  });

  it.each<FaultRuleInput['effect']>(['drop_answer', 'timeout'])(
    'scenario 2: after a create without an answer (%s) there is one machine in the end',
    async (effect) => {
      const life = start();
      life.sim.setFaults([{ match: calls.create, times: 1, effect } as FaultRuleInput]);
      await until(life, 'ready');
      const [first, second] = life.creates;
      if (second !== undefined)
        expect(second.atMs - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(life.state.settings.visibilityWindowMs);
      await expectOneThenNone(life);
    },
  );

  it('scenario 3: a list that is stale after the create forgets nothing', async () => {
    const life = start({ commandFaults: [{ kind: 'fine' }, { kind: 'lost_after' }] });
    life.sim.setFaults([{ match: calls.list, effect: 'stale_list', bySec: 25 }]);
    await until(life, 'ready');
    expect(life.creates).toHaveLength(1);
    life.sim.setFaults([]);
    await expectOneThenNone(life);
  });

  it('scenario 4: a create that is accepted and fails for lack of stock blocks its offer, and the next is tried', async () => {
    const life = start();
    life.sim.setFaults([{ match: calls.create, times: 1, effect: 'no_capacity_later', afterSec: 20 }]);
    await until(life, 'ready');
    expect(new Set(life.creates.map(({ intent }) => intent.offer)).size).toBe(2);
    expect(life.ladder.told[0]?.error?.errorClass).toBe('capacity_async');
    await expectOneThenNone(life);
  });

  it('scenario 6: ending what has ended is a success', async () => {
    const life = start();
    await until(life, 'ready');
    for (const machine of life.living) life.sim.core.delete(machine.id);
    life.request('destroy');
    await life.runUntil(() => life.isOver, 30 * MINUTE);
    expect([life.living, life.disks, life.alerts]).toEqual([[], [], []]);
  });

  it('scenario 7: an end that is refused for 25 minutes is never taken for done, and is told once', async () => {
    const life = start();
    await until(life, 'ready');
    life.sim.setFaults([{ match: calls.act, effect: 'error', status: 500 }]);
    life.request('destroy');
    await life.runFor(25 * MINUTE);
    expect(life.state.phase).toBe('destroying');
    expect(life.alerts.filter((text) => text.includes('could not be ended'))).toHaveLength(1);
    life.sim.setFaults([]);
    await life.runUntil(() => life.isOver);
    expect([life.living, life.disks]).toEqual([[], []]);
  });

  it('scenario 11: where it slept there is no stock: it serves all the same, with one machine', async () => {
    const life = start();
    await until(life, 'ready');
    life.request('suspend');
    await until(life, 'suspended');
    const slept = life.transitions.findLast(({ offer }) => offer !== null)?.offer?.split('/')[2] ?? '';
    life.sim.core.setStock([{ types: slept, count: 0 }]);
    life.request('wake');
    await until(life, 'ready');
    expect(life.living.map(({ instanceType }) => instanceType)).not.toContain(slept);
    await expectOneThenNone(life);
  });

  it('scenario 31: a quota that is used up is told once and does not lead in circles', async () => {
    const life = start();
    life.sim.setFaults([noQuota]);
    await life.runFor(55 * MINUTE);
    expect(life.living).toEqual([]);
    expect(life.alerts).toHaveLength(1);
    expect(life.ladder.told[0]?.error?.errorClass).toBe('quota');
    expect(life.creates.length).toBeLessThanOrEqual(4 * 6);
  });

  it('scenario 32: a wrong image ends the life with its reason after one create', async () => {
    const life = start();
    life.sim.setFaults([wrongImage]);
    await life.runUntil(() => life.isOver, 5 * MINUTE);
    expect([life.state.phase, life.creates.length]).toEqual(['failed', 1]);
  });

  it('scenario 35: an API that answers with errors for two minutes has nothing rebuilt', async () => {
    const life = start();
    await until(life, 'ready');
    life.sim.setFaults([
      { match: calls.list, effect: 'error', status: 503 },
      { match: calls.one, effect: 'error', status: 503 },
    ]);
    life.report({ kind: 'serve_ended', commandId: life.attachment, reason: 'the tunnel broke' });
    await life.runFor(2 * MINUTE);
    life.sim.setFaults([]);
    await until(life, 'ready', 10 * MINUTE);
    expect(life.creates).toHaveLength(1);
    await expectOneThenNone(life);
  });

  it('scenario 37: a machine that is taken back while it boots counts as capacity', async () => {
    const life = start();
    life.sim.core.setStock([{ types: '*', markets: ['ondemand'], count: 0 }]);
    await life.runUntil(() => life.state.step.kind === 'checking');
    life.sim.core.setStock([{ types: '*', count: null }]);
    for (const machine of life.living) life.sim.core.evict(machine.id);
    // Where there is a notice, it is taken after that, and has become ready meanwhile.
    const isTold = (): boolean => life.ladder.told.some(({ error }) => error?.errorClass === 'capacity_async');
    await life.runUntil(isTold, 10 * MINUTE);
    expect(life.living).toEqual([]);
    life.request('destroy');
    await life.runUntil(() => life.isOver);
    expect([life.living, life.disks]).toEqual([[], []]);
  });

  it('scenario 53: an unknown status word is still waiting', async () => {
    const life = start();
    life.sim.setFaults([{ match: calls.create, times: 1, effect: 'unknown_status', word: 'thawing', forSec: 120 }]);
    await until(life, 'ready');
    expect(life.creates).toHaveLength(1);
  });
});
