/**
 * Scenarios (numbers as in tests/SCENARIOS.md) in which the provider decides what happens, at every provider as it is simulated: each answers in
 * its own words, in its own form, at its own speed.
 */
import { describe, expect, it } from 'vitest';
import type { FaultRuleInput } from '../../../../simulators/clouds/core/faults.ts';
import { refusal } from '../../../../testing/fleet/command-faults.ts';
import { atMostOne, AWS, AZURE, DATACRUNCH, GOOGLE, type PlanCloud } from '../../../../testing/fleet/run-plan.ts';
import { VirtualInstance, type VirtualInstanceOptions } from '../../../../testing/fleet/virtual-instance.ts';

const MINUTE = 60_000;

/** How a provider refuses a create: status, code, message. */
type Refusal = readonly [status: number, code: string, message: string];

/** A provider, and what it says without quota and of a wrong image. */
const DIALECTS: readonly (readonly [string, PlanCloud, noQuota: Refusal, wrongImage: Refusal])[] = [
  [
    'DataCrunch',
    DATACRUNCH,
    [400, 'invalid_request', 'GPU limit exceeded'],
    [400, 'invalid_request', 'Operating system is not valid'],
  ],
  [
    'AWS',
    AWS,
    [400, 'VcpuLimitExceeded', 'You have requested more vCPU capacity than your limit'],
    [400, 'InvalidAMIID.NotFound', 'The image id does not exist'],
  ],
  [
    'Google',
    GOOGLE,
    [403, 'quotaExceeded', "Quota 'GPUS_ALL_REGIONS' exceeded. Limit: 0.0 globally."],
    [404, 'notFound', "The resource 'projects/x/global/images/y' was not found"],
  ],
  [
    'Azure',
    AZURE,
    [
      409,
      'OperationNotAllowed',
      'Operation could not be completed as it results in exceeding approved Total Regional Cores quota.',
    ],
    [404, 'PlatformImageNotFound', 'The platform image is not available'],
  ],
];

describe.each(DIALECTS)('at %s', (_name, cloud, noQuota, wrongImage) => {
  const { calls } = cloud;
  const start = (options: Partial<VirtualInstanceOptions> = {}): VirtualInstance =>
    new VirtualInstance({
      cloud: cloud.open,
      rank: cloud.rank,
      check: atMostOne,
      scenario: { rateLimits: null },
      ...options,
    });
  /** Its machine is the only one, and goes with everything that belongs to it. */
  const expectOneThenNone = async (life: VirtualInstance): Promise<void> => {
    expect(life.living.map(life.idOf)).toEqual([life.state.machine?.providerId]);
    await life.end();
    expect([life.living, life.disks]).toEqual([[], []]);
  };

  it('scenario 1: the process dies between a create and its answer: the machine is adopted by its name', async () => {
    const life = start({ commandFaults: [{ kind: 'fine' }, { kind: 'crash' }] });
    await life.until('ready');
    expect(life.creates).toHaveLength(1);
    expect(life.transitions.some(({ reason }) => reason.includes('found by its name'))).toBe(true);
    await expectOneThenNone(life);
  });

  it.each<FaultRuleInput['effect']>(['drop_answer', 'timeout'])(
    'scenario 2: after a create without an answer (%s) there is one machine in the end',
    async (effect) => {
      const life = start();
      life.sim.setFaults([{ match: calls.create, times: 1, effect } as FaultRuleInput]);
      await life.until('ready');
      const [first, second] = life.creates;
      if (second !== undefined)
        expect(second.atMs - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(life.state.settings.visibilityWindowMs);
      await expectOneThenNone(life);
    },
  );

  it('scenario 3: a list that is stale after the create forgets nothing', async () => {
    const life = start({ commandFaults: [{ kind: 'fine' }, { kind: 'lost_after' }] });
    const bySec = life.state.settings.visibilityWindowMs / 1000 - 5;
    life.sim.setFaults([{ match: calls.list, effect: 'stale_list', bySec }]);
    await life.until('ready');
    expect(life.creates).toHaveLength(1);
    life.sim.setFaults([]);
    await expectOneThenNone(life);
  });

  it('scenario 4: a create that is accepted and fails for lack of stock blocks its offer, and the next is tried', async () => {
    const life = start();
    life.sim.setFaults([{ match: calls.create, times: 1, effect: 'no_capacity_later', afterSec: 20 }]);
    await life.until('ready');
    expect(new Set(life.creates.map(({ intent }) => intent.offer)).size).toBe(2);
    expect(life.ladder.told[0]?.error?.errorClass).toBe('capacity_async');
    await expectOneThenNone(life);
  });

  it('scenario 6: ending what has ended is a success', async () => {
    const life = start();
    await life.until('ready');
    for (const machine of life.living) life.sim.core.delete(machine.id);
    await life.end(30 * MINUTE);
    expect(life.state.phase).toBe('gone');
    expect([life.living, life.disks, life.alerts]).toEqual([[], [], []]);
  });

  it('scenario 7: an end that is refused for 25 minutes is never taken for done, and is told once', async () => {
    const life = start();
    await life.until('ready');
    life.sim.setFaults([{ match: calls.act, effect: 'error', status: 500 }]);
    life.request('destroy');
    await life.runFor(25 * MINUTE);
    expect(life.state.phase).toBe('destroying');
    expect(life.alerts.filter((text) => text.includes('could not be ended'))).toHaveLength(1);
    life.sim.setFaults([]);
    await life.runUntil(() => life.isOver);
    expect([life.living, life.disks]).toEqual([[], []]);
    const deletedAtMs = life.executed.findLast(({ command }) => command.kind === 'delete')?.atMs ?? 0;
    const looks = life.executed.filter(({ command, atMs }) => command.kind === 'find' && atMs > deletedAtMs);
    const [before = 0, last = 0] = looks.slice(-2).map(({ atMs }) => atMs);
    expect(last - before).toBeGreaterThanOrEqual(life.state.settings.goneConfirmMs);
  });

  it('scenario 11: where it slept there is no stock: it serves all the same, with one machine', async () => {
    const life = start();
    await life.until('ready');
    await life.ask('suspend', 'suspended');
    const slept = life.transitions.findLast(({ offer }) => offer !== null)?.offer?.split('/')[2] ?? '';
    life.sim.core.setStock([{ types: slept, count: 0 }]);
    await life.ask('wake', 'ready');
    expect(life.living.map(({ instanceType }) => instanceType)).not.toContain(slept);
    await expectOneThenNone(life);
  });

  it('scenario 31: a quota that is used up is told once and does not lead in circles', async () => {
    const life = start();
    life.sim.setFaults([refusal(calls.create, ...noQuota)]);
    await life.runFor(55 * MINUTE);
    expect(life.living).toEqual([]);
    expect(life.alerts).toHaveLength(1);
    expect(life.ladder.told[0]?.error?.errorClass).toBe('quota');
    // Four offers, each tried after 0, 3, 9, 21, 36 and 51 minutes: seldomer each time, up to a quarter of an hour.
    expect(life.creates.length).toBeLessThanOrEqual(4 * 6);
  });

  it('scenario 32: a wrong image ends the life with its reason in less than a minute, after one create', async () => {
    const life = start();
    life.sim.setFaults([refusal(calls.create, ...wrongImage)]);
    await life.runUntil(() => life.isOver, MINUTE);
    expect([life.state.phase, life.creates.length]).toEqual(['failed', 1]);
    expect(life.state.reason).toContain(wrongImage[2]);
  });

  it('scenario 35: an API that answers with errors for two minutes has nothing rebuilt', async () => {
    const life = start();
    await life.until('ready');
    life.sim.setFaults([
      { match: calls.list, effect: 'error', status: 503 },
      { match: calls.one, effect: 'error', status: 503 },
    ]);
    life.report({ kind: 'serve_ended', commandId: life.attachment, reason: 'the tunnel broke' });
    await life.runFor(2 * MINUTE);
    life.sim.setFaults([]);
    await life.until('ready', 10 * MINUTE);
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
    await life.end();
    expect([life.living, life.disks]).toEqual([[], []]);
  });

  it('scenario 53: an unknown status word is still waiting', async () => {
    const life = start();
    life.sim.setFaults([{ match: calls.create, times: 1, effect: 'unknown_status', word: 'thawing', forSec: 120 }]);
    await life.until('ready');
    expect(life.creates).toHaveLength(1);
  });
});
