/**
 * Scenarios of getting a machine (numbers as in tests/SCENARIOS.md), on virtual time against the
 * simulated provider.
 */
import { expect, it } from 'vitest';
import { atMostOne } from '../../../../testing/fleet/run-plan.ts';
import { createMachine } from '../../../../testing/fleet/virtual-cloud.ts';
import { VirtualInstance, type VirtualInstanceOptions } from '../../../../testing/fleet/virtual-instance.ts';
import { fixedLadder, selectedLadder, simulatedOffer } from '../../../../testing/fleet/virtual-ladder.ts';
import { refusal } from '../../../../testing/fleet/command-faults.ts';
import { POLICY } from '../selection-catalogue.ts';

const MINUTE = 60_000;
const H100 = simulatedOffer('1H100.80S.30V', 'FIN-01');
const A100 = simulatedOffer('1A100.22V', 'FIN-02');
const L40S = simulatedOffer('1L40S.20V', 'FIN-03');
const LADDER = fixedLadder([H100, A100, L40S]);
const CREATE = { method: 'POST', path: '/instances' } as const;
const DELETE = { method: 'PUT', path: '/instances', action: 'delete' } as const;

const start = (options: Partial<VirtualInstanceOptions> = {}): VirtualInstance =>
  new VirtualInstance({ rank: LADDER, check: atMostOne, ...options });

const offersTried = (life: VirtualInstance): string[] => life.creates.map((c) => c.intent.offer.split('/')[2] ?? '');

it('scenario 2: a create without an answer that took effect is adopted; no second create before the window is over', async () => {
  const life = start();
  life.sim.setFaults([{ match: CREATE, times: 1, effect: 'lands_later', delaySec: 40 }]);
  await life.until('ready');
  expect(life.creates).toHaveLength(1);
});

it('scenario 2: a create without an answer that took no effect is given up after the window, and its name is watched', async () => {
  const life = start();
  life.sim.setFaults([{ match: CREATE, times: 1, effect: 'timeout' }]);
  await life.until('ready');
  const [first, second] = life.creates;
  expect(offersTried(life)).toEqual(['1H100.80S.30V', '1A100.22V']);
  expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(life.state.settings.visibilityWindowMs);
  expect(life.state.hostnames).toContain(first?.intent.hostname);
});

it('scenario 4: accepted, then out of stock: noticed within two polls, cleaned up, and the next offer is tried within 30 s', async () => {
  const life = start();
  life.sim.setFaults([{ match: CREATE, times: 1, effect: 'no_capacity_later', afterSec: 40 }]);
  let failedAtMs = 0;
  life.sim.core.onTransition((instance, atMs) => {
    if (instance.phase === 'failed') failedAtMs = atMs;
  });
  await life.until('ready');
  expect(offersTried(life)).toEqual(['1H100.80S.30V', '1A100.22V']);
  expect((life.creates[1]?.atMs ?? 0) - failedAtMs).toBeLessThanOrEqual(30_000);
  expect(life.ladder.told[0]?.error?.errorClass).toBe('capacity_async');
  await life.runFor(5 * MINUTE);
  expect(life.state.hostnames).toEqual([life.state.machine?.intent.hostname]);
});

it('scenario 5: a delete that is refused while the machine is provisioned is retried without end, with one alarm at 20 minutes', async () => {
  const life = start();
  life.sim.setFaults([{ match: CREATE, times: 1, effect: 'hang_provisioning', deletableAfterSec: 60 * 90 }]);
  await life.runFor(80 * MINUTE);
  expect(life.living).toHaveLength(1);
  expect(life.creates).toHaveLength(1);
  expect(life.alerts).toHaveLength(1);
  expect(life.alerts[0]).toContain('could not be ended');
  await life.until('ready');
  expect(life.creates).toHaveLength(2);
  expect(life.alerts).toHaveLength(1);
});

it('a delete that is refused for the disks it names is ordered without them, and the disks are purged by themselves', async () => {
  const life = start();
  await life.until('ready');
  life.sim.setFaults([{ ...refusal(DELETE, 400, 'invalid_request', 'The list of volumes is not valid'), times: 1 }]);
  await life.end(10 * MINUTE);
  const named = life.executed.flatMap(({ command }) =>
    command.kind === 'delete' ? [command.deleteVolumeIds.length] : [],
  );
  expect(named).toEqual([1, 0]);
  expect([life.living, life.disks]).toEqual([[], []]);
});

it('scenario 9: launches that fail leave nothing behind in the places they failed in, and never more than one machine', async () => {
  const life = start();
  life.sim.setFaults([
    { match: { ...CREATE, instanceType: '1H100*' }, effect: 'boot_fails' },
    { match: { ...CREATE, instanceType: '1A100*' }, effect: 'no_capacity_later' },
  ]);
  await life.until('ready');
  expect(offersTried(life)).toEqual(['1H100.80S.30V', '1A100.22V', '1L40S.20V']);
  await life.runFor(5 * MINUTE);
  expect(life.living.map((i) => i.instanceType)).toEqual(['1L40S.20V']);
  expect(life.disks).toHaveLength(1);
});

it('scenario 28: the ladder falls in one pass to what the provider has', async () => {
  const life = start({ rank: selectedLadder(POLICY), scenario: 'demo' });
  await life.until('ready');
  expect(life.state.passes).toBe(1);
  expect(life.state.machine?.intent.offer).toBe('datacrunch/FIN-02/1A100.40S.22V/ondemand');
});

it('scenario 29: a machine stuck in provisioning is ended after its time and the next offer is tried', async () => {
  const life = start();
  life.sim.setFaults([{ match: CREATE, times: 1, effect: 'hang_provisioning', deletableAfterSec: 60 }]);
  await life.until('ready');
  const waited = (life.creates[1]?.atMs ?? 0) - (life.creates[0]?.atMs ?? 0);
  expect(waited).toBeGreaterThanOrEqual(life.state.settings.stuckAfterMs);
  expect(waited).toBeLessThan(life.state.settings.stuckAfterMs + 3 * MINUTE);
  expect(offersTried(life)).toEqual(['1H100.80S.30V', '1A100.22V']);
});

it('a machine stuck in provisioning is not replaced when no work is left: its instance ends', async () => {
  const life = start();
  life.workForAnother = false;
  life.sim.setFaults([{ match: CREATE, times: 1, effect: 'hang_provisioning', deletableAfterSec: 60 }]);
  await life.runUntil(() => life.isOver);
  expect(life.state.phase).toBe('gone');
  expect(life.creates).toHaveLength(1);
  expect([life.living, life.disks]).toEqual([[], []]);
  expect(life.state.reason).toContain('no work is left');
});

it('a life that began before instances asked for work replaces a stuck machine without asking', async () => {
  const life = start({ settings: { replacesForWorkOnly: false } });
  life.workForAnother = false;
  life.sim.setFaults([{ match: CREATE, times: 1, effect: 'hang_provisioning', deletableAfterSec: 60 }]);
  await life.until('ready');
  expect(life.executed.map(({ command }) => command.kind)).not.toContain('recheck_demand');
  expect(life.creates).toHaveLength(2);
});

it.each([120, 300, 1200])(
  'scenario 30: a machine that appears %i s after its create, which was given up, is ended within 4 minutes of being visible',
  async (delaySec) => {
    const life = start({ check: () => undefined, scenario: { end: { deletesWhileProvisioning: true } } });
    life.sim.setFaults([{ match: CREATE, times: 1, effect: 'lands_later', delaySec }]);
    const late = () => life.sim.core.allInstances().find((i) => i.hostname === 'dh-test1-visual-1-1');
    await life.runUntil(() => late()?.phase === 'gone' && life.state.phase === 'ready');
    const goneAtMs = late()?.history.find((h) => h.phase === 'gone')?.atMs ?? Infinity;
    expect(goneAtMs - (late()?.createdAtMs ?? 0)).toBeLessThanOrEqual(4 * MINUTE);
    expect(life.living).toHaveLength(1);
    expect(life.alerts.some((text) => text.includes('it is ended'))).toBe(true);
    await life.runFor(5 * MINUTE);
    expect(life.disks).toHaveLength(1);
  },
);

it('scenario 30: a machine that appears late is also ended while its instance sleeps or waits for stock', async () => {
  const life = start({
    check: () => undefined,
    rank: fixedLadder([H100]),
    scenario: { end: { deletesWhileProvisioning: true } },
  });
  life.sim.setFaults([
    { match: CREATE, times: 1, effect: 'lands_later', delaySec: 600 },
    refusal(CREATE, 503, 'service_unavailable', 'No capacity available'),
  ]);
  await life.runFor(600_000 + 4 * MINUTE);
  expect(life.living).toEqual([]);
  expect(life.sim.core.allInstances()).toHaveLength(1);
});

it('scenario 31: a quota is remembered and told once; offers of that market and place are left out, others are tried', async () => {
  const life = start({ rank: fixedLadder([H100, simulatedOffer('8H100.80S.176V', 'FIN-01'), A100]) });
  life.sim.setFaults([refusal({ ...CREATE, location: 'FIN-01' }, 400, 'invalid_request', 'GPU limit exceeded')]);
  await life.until('ready');
  expect(offersTried(life)).toEqual(['1H100.80S.30V', '1A100.22V']);
  expect(life.alerts).toHaveLength(1);
  expect(life.ladder.told[0]?.error?.errorClass).toBe('quota');
});

it('a quota that is raised is noticed within a quarter of an hour', async () => {
  const life = start({ scenario: { quotas: { gpus: 0 } } });
  await life.runFor(155 * MINUTE);
  expect(life.sim.core.allInstances()).toEqual([]);
  life.sim.core.setQuotas({ gpus: 1 });
  await life.runUntil(() => life.sim.core.allInstances().length === 1, 15 * MINUTE);
});

it('scenario 33: without balance creates stop, the operator is told once, and it goes on when the account is topped up', async () => {
  const life = start({ scenario: { billing: { balanceUsd: 0 } } });
  await life.runFor(60 * MINUTE);
  // One create per block of the provider, not one per offer.
  expect(life.creates.length).toBeLessThanOrEqual(60 / 5 + 1);
  expect(life.living).toEqual([]);
  expect(new Set(life.ladder.told.map(({ error }) => error?.errorClass))).toEqual(new Set(['billing']));
  expect(life.alerts).toEqual([expect.stringContaining('Top up the balance')]);
  life.sim.core.setBalance(500);
  await life.until('ready', 15 * MINUTE);
});

it('scenario 37: a spot machine taken back while it boots counts as capacity, not as an error of ours', async () => {
  const spot = simulatedOffer('1H100.80S.30V', 'FIN-01', 'spot');
  const life = start({ rank: fixedLadder([spot, A100]) });
  await life.runUntil(() => life.state.step.kind === 'checking');
  life.sim.core.evict(life.state.machine?.providerId ?? '');
  await life.until('ready');
  expect(offersTried(life)).toEqual(['1H100.80S.30V', '1A100.22V']);
  expect(life.ladder.told[0]?.error?.errorClass).toBe('capacity_async');
  await life.runFor(5 * MINUTE);
  expect(life.disks).toHaveLength(1);
});

it('scenario 49: an instance asked to sleep while it boots first becomes ready; its boot is never thrown away', async () => {
  const life = start();
  await life.until('booting');
  await life.ask('suspend', 'suspended');
  expect(life.phases).toEqual(['planned', 'creating', 'booting', 'ready', 'cordoned', 'suspending', 'suspended']);
  expect(life.creates).toHaveLength(1);
});

it('scenario 50: machines of others with look-alike names are never touched', async () => {
  const life = start({ check: () => undefined });
  const others = ['dh-test1-visual-1-11', 'dh-test1-visual-11-1', 'xdh-test1-visual-1-1', 'dh-test12-visual-1-1'];
  for (const hostname of others) createMachine(life.sim.core, hostname, '1V100.6V', 'FIN-01');
  await life.until('ready');
  await life.end();
  expect(life.living.map((i) => i.hostname)).toEqual(others);
});

it('an instance keeps its deadline: nothing to be had until then ends its life as failed', async () => {
  const deadlineMs = start().nowMs + 20 * MINUTE;
  const life = start({ scenario: { stock: [{ types: '*', count: 0 }] }, settings: { deadlineMs } });
  await life.runUntil(() => life.isOver, 21 * MINUTE);
  expect(life.state.phase).toBe('failed');
  expect(life.nowMs).toBeGreaterThanOrEqual(deadlineMs);
});

it('an instance ends at once when it is destroyed while it waits for stock', async () => {
  const life = start({ scenario: { stock: [{ types: '*', count: 0 }] } });
  await life.runFor(10 * MINUTE);
  expect(life.state.step.kind).toBe('pausing');
  life.request('destroy');
  const askedAtMs = life.nowMs;
  await life.runUntil(() => life.isOver);
  expect(life.nowMs - askedAtMs).toBeLessThan(1000);
});
