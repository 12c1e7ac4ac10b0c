/**
 * Scenarios of readiness checks, serving, sleeping and waking (numbers as in tests/SCENARIOS.md), on virtual
 * time against the simulated provider.
 */
import { partOf } from '../../../../clouds/parts.ts';
import { expect, it, vi } from 'vitest';
import { providerError } from '../../../../clouds/errors.ts';
import { offerKey } from '../../../../domain/fleet/selection/offer.ts';
import { atMostOne } from '../../../../testing/fleet/run-plan.ts';
import { VirtualInstance, type VirtualInstanceOptions } from '../../../../testing/fleet/virtual-instance.ts';
import { fixedLadder, simulatedOffer } from '../../../../testing/fleet/virtual-ladder.ts';
import { refusal } from '../../../../testing/fleet/command-faults.ts';

const MINUTE = 60_000;
const H100 = simulatedOffer('1H100.80S.30V', 'FIN-01');
const SPOT = simulatedOffer('1H100.80S.30V', 'FIN-01', 'spot');
const SMALLER = simulatedOffer('1L40S.20V', 'FIN-01');
const ELSEWHERE = simulatedOffer('1A100.22V', 'FIN-02');
const LADDER = fixedLadder([H100, SMALLER, ELSEWHERE]);
const CREATE = { method: 'POST', path: '/instances' } as const;
/** A disk that comes loose late is tried again, which is another test's matter. */
const DISKS_FREE_AT_ONCE = { end: { diskLingerSec: 0 } } as const;
const START = { method: 'PUT', path: '/instances', action: 'start' } as const;
const noStock = (match: Parameters<typeof refusal>[0]) =>
  refusal(match, 503, 'service_unavailable', 'No capacity available');

async function served(options: Partial<VirtualInstanceOptions> = {}): Promise<VirtualInstance> {
  const life = new VirtualInstance({ rank: LADDER, check: atMostOne, scenario: DISKS_FREE_AT_ONCE, ...options });
  await life.until('ready');
  return life;
}

async function asleep(options: Partial<VirtualInstanceOptions> = {}): Promise<VirtualInstance> {
  const life = await served(options);
  await life.ask('suspend', 'suspended');
  return life;
}

const counted = (life: VirtualInstance, kind: string): number =>
  life.executed.filter((e) => e.command.kind === kind).length;

it('an instance sleeps in two steps and wakes from its disk, with another machine and the same disk', async () => {
  const life = await asleep();
  expect(life.phases.slice(-3)).toEqual(['cordoned', 'suspending', 'suspended']);
  expect(life.living).toEqual([]);
  const disk = life.state.volume?.volumeId;
  expect(life.disks.map((d) => d.id)).toEqual([disk]);
  await life.ask('wake', 'ready');
  expect(life.state.machine?.osVolumeId).toBe(disk);
  expect(life.state.volume).toBeNull();
  expect(life.disks.map((d) => d.id)).toEqual([disk]);
});

it('scenario 10: work that comes while an instance falls asleep waits, then it wakes; there are never two machines', async () => {
  const life = await served();
  await life.ask('suspend', 'suspending');
  life.request('wake');
  await life.ask('wake', 'ready');
  expect(life.phases.slice(-5)).toEqual(['suspending', 'suspended', 'waking', 'booting', 'ready']);
  expect(life.creates).toHaveLength(2);
});

it('scenario 10: work that comes while an instance drains keeps it awake', async () => {
  const life = await served();
  life.work = true;
  await life.ask('suspend', 'cordoned');
  await life.until('ready');
  expect(life.phases.slice(-3)).toEqual(['ready', 'cordoned', 'ready']);
  expect(life.creates).toHaveLength(1);
  expect(counted(life, 'shutdown')).toBe(0);
});

it('scenario 11: an instance without stock of its type wakes on another type beside its disk', async () => {
  const life = await asleep();
  const disk = life.state.volume?.volumeId;
  life.sim.setFaults([noStock({ ...CREATE, instanceType: '1H100*' })]);
  await life.ask('wake', 'ready');
  expect(life.state.machine?.intent.offer).toBe('datacrunch/FIN-01/1L40S.20V/ondemand');
  expect(life.state.machine?.osVolumeId).toBe(disk);
});

it('scenario 11: a stopped machine that cannot start for lack of stock is ended, its disk kept, and the ladder is walked', async () => {
  const life = await asleep({ settings: { suspendStrategies: ['shutdown', 'delete'] } });
  const disk = life.state.machine?.osVolumeId;
  expect(life.living.map((i) => i.phase)).toEqual(['stopped']);
  life.sim.setFaults([noStock(START)]);
  await life.ask('wake', 'ready');
  expect(life.state.machine?.osVolumeId).toBe(disk);
  expect(life.living).toHaveLength(1);
});

it('a stopped machine that may not be started says why, tells an operator once, and starts when that is mended', async () => {
  const life = await asleep({ settings: { suspendStrategies: ['shutdown', 'delete'] } });
  life.sim.setFaults([
    { match: START, times: 4, effect: 'error', status: 402, code: 'insufficient_funds', message: 'Insufficient funds' },
  ]);
  life.request('wake');
  await life.runFor(MINUTE);
  const expected = { phase: 'waking', reason: expect.stringContaining('Insufficient funds') as string };
  expect(life.state).toMatchObject(expected);
  expect(life.alerts).toEqual([expect.stringContaining('Insufficient funds')]);
  await life.until('ready');
  expect(life.alerts).toHaveLength(1);
});

it('scenario 11: an instance with nothing to be had waits in waking, and goes back to sleep when it is no longer wanted', async () => {
  const life = await asleep();
  const disk = life.state.volume;
  life.sim.setFaults([noStock(CREATE)]);
  life.request('wake');
  await life.runFor(60 * MINUTE);
  expect(life.state.phase).toBe('waking');
  await life.ask('suspend', 'suspended', MINUTE);
  expect(life.state.volume).toEqual(disk);
});

it('scenario 12: waking cold elsewhere is said, and the disk stays registered until a newer one takes its place', async () => {
  const life = await asleep();
  const disk = life.state.volume?.volumeId ?? '';
  life.sim.setFaults([noStock({ ...CREATE, location: 'FIN-01' })]);
  await life.ask('wake', 'ready');
  expect(life.state.machine?.intent.offer).toContain('FIN-02');
  expect(life.state.volume?.volumeId).toBe(disk);
  expect(life.alerts).toEqual([expect.stringContaining(disk)]);
  await life.ask('suspend', 'suspended');
  expect(life.alerts.at(-1)).toContain(`${disk} in FIN-01 is deleted`);
  await life.runFor(5 * MINUTE);
  expect(life.disks.map((d) => d.id)).toEqual([life.state.volume?.volumeId]);
});

it('a wake whose machine is stuck goes back to sleep on its disk when no work is left, and can be woken again', async () => {
  const life = await asleep();
  const disk = life.state.volume;
  life.workForAnother = false;
  life.sim.setFaults([{ match: CREATE, times: 1, effect: 'hang_provisioning', deletableAfterSec: 60 }]);
  await life.ask('wake', 'booting');
  await life.until('suspended');
  expect(life.living).toEqual([]);
  expect(life.state.volume).toEqual(disk);
  expect(life.disks.map((d) => d.id)).toEqual([disk?.volumeId]);
  await life.ask('wake', 'ready');
  expect(life.state.machine?.intent.volumeId).toBe(disk?.volumeId);
});

it('scenario 12: a kept disk that cannot be booted is said, and it wakes cold', async () => {
  const life = await asleep();
  await life.provider.deleteVolume(life.state.volume?.volumeId ?? '');
  await life.ask('wake', 'ready');
  expect(life.state.machine?.intent.volumeId).toBeNull();
  expect(life.alerts).toEqual([expect.stringContaining('cannot be booted')]);
});

it('a kept disk that a type cannot boot blocks no offer: the wake goes on to the next one', async () => {
  const life = await asleep();
  const disk = life.state.volume;
  bootsNoDisk(life, H100.instanceType);
  await life.ask('wake', 'ready');
  expect(life.state.machine?.intent).toMatchObject({ offer: offerKey(SMALLER), volumeId: disk?.volumeId });
  expect(blocked(life)).toEqual([]);
  expect(life.alerts).toEqual([]);
});

it('a kept disk that no offered type can boot is given up, which is said, and it wakes cold', async () => {
  const life = await asleep({ rank: fixedLadder([H100]) });
  const disk = life.state.volume?.volumeId ?? '';
  bootsNoDisk(life, H100.instanceType);
  await life.ask('wake', 'ready');
  expect(life.state.machine?.intent).toMatchObject({ offer: offerKey(H100), volumeId: null });
  expect(blocked(life)).toEqual([]);
  expect(life.alerts).toEqual([expect.stringContaining(`${disk} of ${life.state.name} cannot be booted`)]);
});

/** Failures that are remembered against offers. */
const blocked = ({ executed }: VirtualInstance) =>
  executed.filter(({ command }) => command.kind === 'remember' && command.error !== null);

/** The provider refuses to boot kept disks as this type, and says that nothing else is concerned. */
function bootsNoDisk({ provider }: VirtualInstance, instanceType: string): void {
  const maker = partOf(provider, 'keptDisks');
  const prepare = maker.prepareCreate.bind(maker);
  vi.spyOn(maker, 'prepareCreate').mockImplementation((request) =>
    request.instanceType === instanceType
      ? Promise.reject(providerError('capacity', `${instanceType} does not boot the disk`, { block: null }))
      : prepare(request),
  );
}

it('scenario 13: a strategy that the provider refuses falls to the next one, with one warning', async () => {
  const life = await served({ settings: { suspendStrategies: ['hibernate', 'discontinue_keep_volume'] } });
  const hibernate = { method: 'PUT', path: '/instances', action: 'hibernate' } as const;
  const message = 'Hibernation is not supported for this instance type';
  life.sim.setFaults([refusal(hibernate, 400, 'invalid_request', message)]);
  await life.ask('suspend', 'suspended');
  expect(life.state.volume).not.toBeNull();
  expect(life.alerts).toEqual([expect.stringContaining('hibernate')]);
  expect(life.living).toEqual([]);
});

it('scenario 13: a machine with every strategy refused is deleted: an idle machine must not cost', async () => {
  const life = await served({ settings: { suspendStrategies: [] } });
  life.request('suspend');
  await life.runUntil(() => life.isOver);
  expect(life.state.phase).toBe('gone');
  expect(life.disks).toEqual([]);
});

it('scenario 14: a model on the CPU after boot: the model server is restarted, then the machine, then it is replaced', async () => {
  const life = new VirtualInstance({ rank: LADDER, check: atMostOne });
  life.gateway.restartMends = false;
  life.gateway.rebootMends = false;
  life.sim.setFaults([{ match: CREATE, times: 1, effect: 'model_fault', fault: 'cpu_only' }]);
  await life.until('ready');
  const kinds = life.executed.map((e) => e.command.kind);
  const remedies = kinds.filter((k) => k === 'restart_model_server' || k === 'reboot' || k === 'create');
  expect(remedies).toEqual(['create', 'restart_model_server', 'reboot', 'create']);
  // Nothing was routed to it before it passed its readiness check.
  expect(life.phases.filter((p) => p === 'ready')).toHaveLength(1);
});

it('scenario 14: where a restart of the model server mends it, the machine is kept', async () => {
  const life = new VirtualInstance({ rank: LADDER, check: atMostOne });
  life.sim.setFaults([{ match: CREATE, times: 1, effect: 'model_fault', fault: 'cpu_only' }]);
  await life.until('ready');
  expect(counted(life, 'restart_model_server')).toBe(1);
  expect(life.creates).toHaveLength(1);
});

it('scenario 16: a model that takes long to pull is waited for within the time for the proof', async () => {
  const life = new VirtualInstance({ rank: LADDER, check: atMostOne });
  life.gateway.proofMs = 25 * MINUTE;
  await life.until('ready');
  expect(life.creates).toHaveLength(1);
});

it('scenario 17: a model pull that fails is tried again on the same machine; a wrong model twice in a row ends the life with its reason', async () => {
  const mended = new VirtualInstance({ rank: LADDER, check: atMostOne });
  mended.gateway.script.push({ failure: 'model_missing' }, { failure: 'model_missing' });
  await mended.until('ready');
  expect(mended.creates).toHaveLength(1);
  expect(mended.alerts).toHaveLength(1);

  const hopeless = new VirtualInstance({ rank: LADDER, check: atMostOne });
  hopeless.gateway.script.push(...Array.from({ length: 20 }, () => ({ failure: 'wrong_digest' }) as const));
  await hopeless.runUntil(() => hopeless.isOver);
  expect(hopeless.state.phase).toBe('failed');
  expect(hopeless.state.reason).toContain('wrong_digest');
  expect(hopeless.creates).toHaveLength(2);
  expect(hopeless.living).toEqual([]);
});

it('a machine whose readiness check does not end is replaced after its time', async () => {
  const life = new VirtualInstance({ rank: LADDER, check: atMostOne });
  life.gateway.script.push('silent');
  await life.until('ready');
  const waited = (life.creates[1]?.atMs ?? 0) - (life.creates[0]?.atMs ?? 0);
  expect(life.creates).toHaveLength(2);
  expect(waited).toBeGreaterThan(life.state.settings.proveTimeoutMs);
});

it('scenario 35: two minutes of an API that answers 503, and a day with 5 % errors, rebuild nothing', async () => {
  const life = await served();
  const id = life.state.machine?.providerId;
  const all = { method: 'GET', path: '/instances*' } as const;
  life.sim.setFaults([{ match: all, effect: 'error', status: 503 }]);
  await life.runFor(2 * MINUTE);
  life.sim.setFaults([{ match: { ...all, probability: 0.05 }, effect: 'error', status: 503 }]);
  await life.runFor(24 * 60 * MINUTE);
  expect(life.state.phase).toBe('ready');
  expect(life.state.machine?.providerId).toBe(id);
  expect(life.creates).toHaveLength(1);
  expect(life.phases.filter((p) => p === 'ready')).toHaveLength(1);
});

const ONE = { method: 'GET', path: '/instances/*' } as const;
const UNKNOWN_ID = refusal(ONE, 400, 'invalid_request', 'Invalid instance id');

it('scenario 3: one look that does not find a serving or a booting machine concludes nothing', async () => {
  const life = await served();
  const id = life.state.machine?.providerId;
  for (let round = 0; round < 5; round++) {
    life.sim.setFaults([{ ...UNKNOWN_ID, times: 1 }]);
    await life.runFor(10 * MINUTE);
  }
  expect(life.state.phase).toBe('ready');
  expect(life.state.machine?.providerId).toBe(id);
  expect(life.phases.filter((p) => p === 'ready')).toHaveLength(1);

  const booting = new VirtualInstance({ rank: LADDER, scenario: { boot: { provisioningSec: 600 } } });
  await booting.runFor(3 * MINUTE);
  booting.sim.setFaults([{ ...UNKNOWN_ID, times: 1 }]);
  await booting.until('ready');
  expect(booting.creates).toHaveLength(1);
});

it('scenario 3: two looks that do not find it, far enough apart, do', async () => {
  const life = await served();
  const lostAtMs = life.nowMs;
  life.sim.setFaults([UNKNOWN_ID]);
  await life.until('destroying');
  expect(life.nowMs - lostAtMs).toBeGreaterThanOrEqual(life.state.settings.goneConfirmMs);
  await life.runUntil(() => life.isOver);
  // It was there after all: whatever looked lost is ended, and its disk with it.
  expect([life.living, life.disks]).toEqual([[], []]);
});

it('scenario 36: a spot machine taken back while it serves is noticed within 90 s, its offer marked, its disk purged', async () => {
  const life = await served({ rank: fixedLadder([SPOT, H100]) });
  await life.runFor(30 * MINUTE);
  const takenAtMs = life.nowMs;
  life.sim.core.evict(life.state.machine?.providerId ?? '');
  await life.until('destroying');
  expect(life.nowMs - takenAtMs).toBeLessThanOrEqual(90_000);
  expect(life.ladder.told.at(-1)).toMatchObject({ error: { errorClass: 'capacity_async' } });
  await life.runUntil(() => life.isOver);
  expect(life.state.phase).toBe('gone');
  expect(life.disks).toEqual([]);
});

it('scenario 36: an attachment that ends by itself has the machine looked at at once, and a living one attached again', async () => {
  const life = await served();
  await life.runFor(5 * MINUTE);
  const looks = counted(life, 'look');
  life.report({ kind: 'serve_ended', commandId: life.attachment, reason: 'the tunnel broke' });
  await life.runUntil(() => counted(life, 'look') > looks, 2_000);
  await life.until('ready', 2 * MINUTE);
  expect(life.creates).toHaveLength(1);
  expect(life.phases.slice(-3)).toEqual(['ready', 'booting', 'ready']);
});

it('a machine that was stopped behind our back is started again', async () => {
  const life = await served();
  life.sim.core.stop(life.state.machine?.providerId ?? '');
  await life.until('waking', 5 * MINUTE);
  await life.until('ready');
  expect(life.creates).toHaveLength(1);
});

it('an instance that an operator cordoned serves nothing and goes on when that is lifted', async () => {
  const life = await served();
  life.request('cordon');
  await life.runUntil(() => life.state.step.kind === 'held');
  await life.runFor(60 * MINUTE);
  expect(life.living).toHaveLength(1);
  await life.ask('uncordon', 'ready', MINUTE);
  expect(life.creates).toHaveLength(1);
});

it('the kept disk of an instance that is destroyed while it sleeps goes too', async () => {
  const life = await asleep();
  await life.end();
  expect(life.disks).toEqual([]);
});

it('scenario 44: a machine that its dead-man stopped while the controller was away is found, works again where it is wanted, and sleeps where it is not', async () => {
  for (const isWanted of [true, false]) {
    const life = await served();
    const { providerId } = life.state.machine ?? { providerId: '' };
    // Two hours without a look: its dead-man switch has ended it.
    await partOf(life.provider, 'stopping').shutdown(providerId);
    life.clock.advance(2 * 60 * MINUTE);
    life.crash();
    if (!isWanted) await life.ask('suspend', isWanted ? 'waking' : 'suspended');
    if (isWanted) {
      await life.until('ready');
      expect(life.living.map((i) => i.id)).toEqual([providerId]);
    } else expect(life.living).toEqual([]);
    expect(life.creates).toHaveLength(1);
  }
});
