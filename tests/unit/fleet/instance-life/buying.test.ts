/**
 * Scenarios of getting a machine (numbers as in tests/SCENARIOS.md), on virtual time against the
 * simulated provider.
 */
import { expect, it } from 'vitest';
import { partOf } from '../../../../clouds/parts.ts';
import type { LadderPolicy } from '../../../../domain/fleet/selection/ladder-input.ts';
import { runPlan, atMostOne } from '../../../../testing/fleet/run-plan.ts';
import { VirtualInstance, type VirtualInstanceOptions } from '../../../../testing/fleet/virtual-instance.ts';
import { fixedLadder, selectedLadder, simulatedOffer } from '../../../../testing/fleet/virtual-ladder.ts';
import { refusal } from '../../../../testing/fleet/command-faults.ts';

const MINUTE = 60_000;
const OS_VOLUME = { name: 'other-os', sizeGib: 50, type: 'NVMe', onEviction: 'keep', tags: [] } as const;
const H100 = simulatedOffer('1H100.80S.30V', 'FIN-01');
const A100 = simulatedOffer('1A100.22V', 'FIN-02');
const L40S = simulatedOffer('1L40S.20V', 'FIN-03');
const LADDER = fixedLadder([H100, A100, L40S]);
const CREATE = { method: 'POST', path: '/instances' } as const;
const DELETE = { method: 'PUT', path: '/instances', action: 'delete' } as const;

const policy = (market: LadderPolicy['market']): LadderPolicy => ({
  selector: 'h100-or-less',
  market,
  locations: [],
  maxPriceUsdPerHour: null,
  maxPriceUsdPerDocument: null,
  excludeTypes: [],
  launchBudgetPerHour: 12,
  providerOrder: 'cheapest',
  soldOutAfterMs: 600_000,
  spotRatio: null,
});

const start = (options: Partial<VirtualInstanceOptions> = {}): VirtualInstance =>
  new VirtualInstance({ rank: LADDER, check: atMostOne, ...options });

const ready = (life: VirtualInstance) => (): boolean => life.state.phase === 'ready';
const offersTried = (life: VirtualInstance): string[] => life.creates.map((c) => c.intent.offer.split('/')[2] ?? '');

it('scenario 1: the process dies after the cloud created, before the id is stored: the machine is adopted by its name', async () => {
  const life = start({ commandFaults: [{ kind: 'fine' }, { kind: 'crash' }] });
  await life.runUntil(ready(life));
  expect(life.creates).toHaveLength(1);
  expect(life.living.map((i) => i.id)).toEqual([life.state.machine?.providerId]);
  // Adopted at the first look, not after the window.
  expect(life.transitions.find((t) => t.to === 'booting')?.atMs).toBeLessThan(life.clock.nowMs());
  expect(life.transitions.some((t) => t.reason.includes('found by its name'))).toBe(true);
});

it('scenario 2: a create without an answer that took effect is adopted; no second create before the window is over', async () => {
  const life = start();
  life.sim.setFaults([{ match: CREATE, times: 1, effect: 'lands_later', delaySec: 40 }]);
  await life.runUntil(ready(life));
  expect(life.creates).toHaveLength(1);
});

it('scenario 2: a create without an answer that took no effect is given up after the window, and its name is watched', async () => {
  const life = start();
  life.sim.setFaults([{ match: CREATE, times: 1, effect: 'timeout' }]);
  await life.runUntil(ready(life));
  const [first, second] = life.creates;
  expect(offersTried(life)).toEqual(['1H100.80S.30V', '1A100.22V']);
  expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(life.state.settings.visibilityWindowMs);
  expect(life.state.hostnames).toContain(first?.intent.hostname);
});

it('scenario 3: a list that is stale right after the create forgets nothing', async () => {
  const life = start({ commandFaults: [{ kind: 'fine' }, { kind: 'lost_after' }] });
  life.sim.setFaults([{ match: { method: 'GET', path: '/instances' }, effect: 'stale_list', bySec: 55 }]);
  await life.runUntil(ready(life));
  expect(life.creates).toHaveLength(1);
  life.request('destroy');
  await life.runUntil(() => life.isOver);
  expect(life.living).toEqual([]);
});

it('scenario 4: accepted, then out of stock: noticed within two polls, cleaned up, and the next offer is tried within 30 s', async () => {
  const life = start();
  life.sim.setFaults([{ match: CREATE, times: 1, effect: 'no_capacity_later', afterSec: 40 }]);
  let failedAtMs = 0;
  life.sim.core.onTransition((instance, atMs) => {
    if (instance.phase === 'failed') failedAtMs = atMs;
  });
  await life.runUntil(ready(life));
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
  await life.runUntil(ready(life));
  expect(life.creates).toHaveLength(2);
  expect(life.alerts).toHaveLength(1);
});

it('scenario 6: deleting what is already deleted is a success', async () => {
  const life = start({ commandFaults: [] });
  await life.runUntil(ready(life));
  life.sim.core.delete(life.state.machine?.providerId ?? '');
  life.request('destroy');
  await life.runUntil(() => life.isOver, 10 * MINUTE);
  expect(life.state.phase).toBe('gone');
  expect(life.disks).toEqual([]);
  expect(life.alerts).toEqual([]);
});

it('a delete that is refused for the disks it names is ordered without them, and the disks are purged by themselves', async () => {
  const life = start();
  await life.runUntil(ready(life));
  life.sim.setFaults([{ ...refusal(DELETE, 400, 'invalid_request', 'The list of volumes is not valid'), times: 1 }]);
  life.request('destroy');
  await life.runUntil(() => life.isOver, 10 * MINUTE);
  const named = life.executed.flatMap(({ command }) =>
    command.kind === 'delete' ? [command.deleteVolumeIds.length] : [],
  );
  expect(named).toEqual([1, 0]);
  expect(life.living).toEqual([]);
  expect(life.disks).toEqual([]);
});

it('scenario 7: a delete that fails for an hour is never taken for done', async () => {
  const life = start();
  await life.runUntil(ready(life));
  life.sim.setFaults([{ match: { method: 'PUT', path: '/instances' }, effect: 'error', status: 500 }]);
  life.request('destroy');
  await life.runFor(60 * MINUTE);
  expect(life.state.phase).toBe('destroying');
  expect(life.alerts.filter((text) => text.includes('could not be ended'))).toHaveLength(1);
  life.sim.setFaults([]);
  await life.runUntil(() => life.isOver);
  expect(life.living).toEqual([]);
  const deletedAt = life.executed.findLast((e) => e.command.kind === 'delete')?.atMs ?? 0;
  const looks = life.executed.filter((e) => e.command.kind === 'find' && e.atMs > deletedAt).map((e) => e.atMs);
  expect((looks.at(-1) ?? 0) - (looks.at(-2) ?? 0)).toBeGreaterThanOrEqual(life.state.settings.goneConfirmMs);
});

it('scenario 9: launches that fail leave nothing behind in the places they failed in, and never more than one machine', async () => {
  const life = start();
  life.sim.setFaults([
    { match: { ...CREATE, instanceType: '1H100*' }, effect: 'boot_fails' },
    { match: { ...CREATE, instanceType: '1A100*' }, effect: 'no_capacity_later' },
  ]);
  await life.runUntil(ready(life));
  expect(offersTried(life)).toEqual(['1H100.80S.30V', '1A100.22V', '1L40S.20V']);
  await life.runFor(5 * MINUTE);
  expect(life.living.map((i) => i.instanceType)).toEqual(['1L40S.20V']);
  expect(life.disks).toHaveLength(1);
});

it('scenario 28: a whole ladder without stock costs at most two bulk availability calls per pass and no create', async () => {
  const life = start({ rank: selectedLadder(policy('any')), scenario: { stock: [{ types: '*', count: 0 }] } });
  let asked = 0;
  const stock = partOf(life.provider, 'stock');
  const availability = stock.availability.bind(stock);
  Object.assign(stock, {
    availability: (market: 'spot' | 'ondemand') => {
      asked++;
      return availability(market);
    },
  });
  await life.runFor(90 * MINUTE);
  const passes = life.executed.filter((e) => e.command.kind === 'rank').length;
  expect(life.creates).toEqual([]);
  expect(passes).toBeGreaterThan(5);
  expect(asked).toBeLessThanOrEqual(2 * passes);
});

it('scenario 28: the ladder falls in one pass to what the provider has', async () => {
  const life = start({ rank: selectedLadder(policy('ondemand')), scenario: 'demo' });
  await life.runUntil(ready(life));
  expect(life.state.passes).toBe(1);
  expect(life.state.machine?.intent.offer).toBe('datacrunch/FIN-02/1A100.40S.22V/ondemand');
});

it('scenario 29: a machine stuck in provisioning is ended after its time and the next offer is tried', async () => {
  const life = start();
  life.sim.setFaults([{ match: CREATE, times: 1, effect: 'hang_provisioning', deletableAfterSec: 60 }]);
  await life.runUntil(ready(life));
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
  expect(life.living).toEqual([]);
  expect(life.disks).toEqual([]);
  expect(life.state.reason).toContain('no work is left');
});

it('a life that began before instances asked for work replaces a stuck machine without asking', async () => {
  const life = start({ settings: { replacesForWorkOnly: false } });
  life.workForAnother = false;
  life.sim.setFaults([{ match: CREATE, times: 1, effect: 'hang_provisioning', deletableAfterSec: 60 }]);
  await life.runUntil(ready(life));
  expect(life.executed.map(({ command }) => command.kind)).not.toContain('recheck_demand');
  expect(life.creates).toHaveLength(2);
});

it.each([120, 300, 1200])(
  'scenario 30: a machine that appears %i s after its create, which was given up, is ended within 4 minutes of being visible',
  async (delaySec) => {
    const life = start({ check: () => undefined, scenario: { end: { deletesWhileProvisioning: true } } });
    life.sim.setFaults([{ match: CREATE, times: 1, effect: 'lands_later', delaySec }]);
    const late = () => life.sim.core.allInstances().find((i) => i.hostname === 'dh-test1-visual-1-1');
    await life.runUntil(() => late()?.phase === 'gone' && ready(life)());
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
  await life.runUntil(ready(life));
  expect(offersTried(life)).toEqual(['1H100.80S.30V', '1A100.22V']);
  expect(life.alerts).toHaveLength(1);
  expect(life.ladder.told[0]?.error?.errorClass).toBe('quota');
});

it('scenario 31: with the quota used up everywhere an instance does not walk in circles', async () => {
  const life = start({ scenario: { quotas: { gpus: 0 } } });
  await life.runFor(55 * MINUTE);
  // Three locations, each tried after 0, 3, 9, 21, 36 and 51 minutes: seldomer each time, up to a quarter of an hour.
  expect(life.creates.length).toBeLessThanOrEqual(3 * 6);
  expect(life.alerts).toHaveLength(1);
});

it('a quota that is raised is noticed within a quarter of an hour', async () => {
  const life = start({ scenario: { quotas: { gpus: 0 } } });
  await life.runFor(155 * MINUTE);
  expect(life.sim.core.allInstances()).toEqual([]);
  life.sim.core.setQuotas({ gpus: 1 });
  await life.runUntil(() => life.sim.core.allInstances().length === 1, 15 * MINUTE);
});

it('scenario 32: a configuration error ends the life with its reason in less than a minute, after one create', async () => {
  const life = start();
  const message = 'Operating system is not valid for this instance type';
  life.sim.setFaults([refusal(CREATE, 400, 'invalid_request', message)]);
  await life.runUntil(() => life.isOver, MINUTE);
  expect(life.state.phase).toBe('failed');
  expect(life.state.reason).toContain('Operating system is not valid');
  expect(life.creates).toHaveLength(1);
});

it('scenario 33: without balance creates stop, the operator is told once, and it goes on when the account is topped up', async () => {
  const life = start({ scenario: { billing: { balanceUsd: 0 } } });
  await life.runFor(60 * MINUTE);
  // One create per block of the provider, not one per offer.
  expect(life.creates.length).toBeLessThanOrEqual(60 / 5 + 1);
  expect(life.alerts).toHaveLength(1);
  life.sim.core.setBalance(500);
  await life.runUntil(ready(life), 15 * MINUTE);
});

it('scenario 37: a spot machine taken back while it boots counts as capacity, not as an error of ours', async () => {
  const spot = simulatedOffer('1H100.80S.30V', 'FIN-01', 'spot');
  const life = start({ rank: fixedLadder([spot, A100]) });
  await life.runUntil(() => life.state.step.kind === 'checking');
  life.sim.core.evict(life.state.machine?.providerId ?? '');
  await life.runUntil(ready(life));
  expect(offersTried(life)).toEqual(['1H100.80S.30V', '1A100.22V']);
  expect(life.ladder.told[0]?.error?.errorClass).toBe('capacity_async');
  await life.runFor(5 * MINUTE);
  expect(life.disks).toHaveLength(1);
});

it('scenario 49: an instance asked to sleep while it boots first becomes ready; its boot is never thrown away', async () => {
  const life = start();
  await life.runUntil(() => life.state.phase === 'booting');
  life.request('suspend');
  await life.runUntil(() => life.state.phase === 'suspended');
  expect(life.phases).toEqual(['planned', 'creating', 'booting', 'ready', 'cordoned', 'suspending', 'suspended']);
  expect(life.creates).toHaveLength(1);
});

it('scenario 50: machines of others with look-alike names are never touched', async () => {
  const life = start({ check: () => undefined });
  const others = ['dh-test1-visual-1-11', 'dh-test1-visual-11-1', 'xdh-test1-visual-1-1', 'dh-test12-visual-1-1'];
  for (const hostname of others) {
    life.sim.core.create({
      hostname,
      description: '',
      instanceType: '1V100.6V',
      location: 'FIN-01',
      market: 'ondemand',
      boot: { kind: 'image', image: 'ubuntu-24.04', osVolume: OS_VOLUME, sshKeyIds: ['k'], startupScriptId: null },
      newVolumes: [],
      existingVolumeIds: [],
      tags: [],
    });
  }
  await life.runUntil(ready(life));
  life.request('destroy');
  await life.runUntil(() => life.isOver);
  expect(life.living.map((i) => i.hostname)).toEqual(others);
});

it('scenario 53: an unknown status word is still waiting', async () => {
  const life = start();
  life.sim.setFaults([{ match: CREATE, times: 1, effect: 'unknown_status', word: 'thawing', forSec: 120 }]);
  await life.runUntil(ready(life));
  expect(life.creates).toHaveLength(1);
});

it('an instance keeps its deadline: nothing to be had until then ends its life as failed', async () => {
  const life = start({ scenario: { stock: [{ types: '*', count: 0 }] } });
  const deadlineMs = life.nowMs + 20 * MINUTE;
  const bounded = start({ scenario: { stock: [{ types: '*', count: 0 }] }, settings: { deadlineMs } });
  await bounded.runUntil(() => bounded.isOver, 21 * MINUTE);
  expect(bounded.state.phase).toBe('failed');
  expect(bounded.nowMs).toBeGreaterThanOrEqual(deadlineMs);
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

it('an instance runs a planned life to its end', async () => {
  const plan = { seed: 1, commandFaults: [], faults: [], crashesAtSec: [], requests: [], destroyAtSec: null };
  const life = await runPlan(plan);
  expect(life.phases.at(-1)).toBe('gone');
});
