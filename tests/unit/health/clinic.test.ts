/**
 * Ill machines in a pool, on virtual time against the simulated provider: noticed within three minutes, treated by the table of remedies,
 * never more out of service than the guard allows. Scenarios by their numbers in tests/SCENARIOS.md.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { VirtualClinic, type ClinicOptions } from '../../../testing/fleet/virtual-clinic.ts';
import type { Sickness } from '../../../testing/fleet/sick-machine.ts';
import { forAll } from '../../../testing/property.ts';

const MINUTE = 60_000;
const BUSY = { kind: 'busy', inFlight: 2, callMs: 20_000 } as const;
const IDLE = { kind: 'idle' } as const;

async function opened(options: Partial<ClinicOptions> = {}): Promise<VirtualClinic> {
  const clinic = new VirtualClinic({ count: 3, ...options });
  await clinic.open();
  await clinic.runFor(5 * MINUTE + 17_000);
  return clinic;
}

const actions = (clinic: VirtualClinic, instance = 'visual-1'): string[] =>
  clinic.acts.filter((act) => act.instance === instance).map((act) => act.action);
const creates = (clinic: VirtualClinic, index = 0): number => clinic.bed(index).life.creates.length;
const phase = (clinic: VirtualClinic, index = 0): string => clinic.bed(index).life.state.phase;

/** Lets it fall ill and waits until something is done about it: within three minutes, and only to it. */
async function noticed(clinic: VirtualClinic, sickness: Sickness, cure = {}): Promise<void> {
  const sinceMs = clinic.nowMs;
  const before = clinic.acts.length;
  clinic.fall(0, sickness, cure);
  await clinic.runUntil(() => clinic.acts.length > before, 4 * MINUTE);
  const [act] = clinic.acts.slice(before);
  expect(act?.instance).toBe('visual-1');
  // The pool's look and one step of this test's time come on top.
  expect((act?.atMs ?? Infinity) - sinceMs).toBeLessThanOrEqual(3 * MINUTE + 6_000);
}

const backAtWork = (clinic: VirtualClinic): Promise<void> =>
  clinic.runUntil(() => phase(clinic) === 'ready' && Object.keys(clinic.quarantines).length === 0, 60 * MINUTE);

it.each([
  ['busy', BUSY],
  ['idle', IDLE],
])(
  'scenario 15: a wedged runner on a machine that is %s: its model server is restarted, and it works again',
  async (_, traffic) => {
    const clinic = await opened({ traffic });
    await noticed(clinic, { kind: 'wedged' }, { restart: true });
    // Its calls are cut, so that they are repeated elsewhere at once.
    const drains = clinic.bed(0).life.executed.filter((e) => e.command.kind === 'drain');
    expect(drains.map((e) => e.command)).toMatchObject([{ timeoutMs: 0, cut: true }, {}]);
    await backAtWork(clinic);
    expect(actions(clinic)).toEqual(['restart']);
    expect(creates(clinic)).toBe(1);
    await clinic.runFor(30 * MINUTE);
    expect(actions(clinic)).toEqual(['restart']);
  },
);

it('scenario 15: a runner that no restart frees: restarted, rebooted, replaced', async () => {
  const clinic = await opened();
  await noticed(clinic, { kind: 'wedged' });
  await backAtWork(clinic);
  expect(actions(clinic)).toEqual(['restart', 'reboot', 'replace']);
  expect(creates(clinic)).toBe(2);
  expect(clinic.bed(0).life.living).toHaveLength(1);
});

it('scenario 14: a machine that falls back to its CPU while it serves is repaired before anything is routed to it again', async () => {
  const clinic = await opened({ traffic: IDLE });
  await noticed(clinic, { kind: 'cpu' }, { reboot: true });
  await backAtWork(clinic);
  expect(actions(clinic)).toEqual(['restart', 'reboot']);
  expect(creates(clinic)).toBe(1);
  const { transitions } = clinic.bed(0).life;
  expect(transitions.findLast((t) => t.to === 'ready')?.reason).toBe('passed its readiness check');
});

it('an XID 79 is met with a reboot; the third one with another machine, and what broke is not rented for an hour', async () => {
  const clinic = await opened();
  for (let n = 0; n < 2; n++) {
    await noticed(clinic, { kind: 'xid', xid: 79 }, { reboot: true });
    await backAtWork(clinic);
    // Long enough for the mild remedy to count again, not for the reboots to be forgotten.
    await clinic.runFor(7 * 60 * MINUTE);
  }
  expect(actions(clinic)).toEqual(['reboot', 'reboot']);
  const { life } = clinic.bed(0);
  const offer = life.state.machine?.intent.offer ?? '';
  await noticed(clinic, { kind: 'xid', xid: 79 }, { reboot: true });
  await backAtWork(clinic);
  expect(actions(clinic)).toEqual(['reboot', 'reboot', 'replace']);
  const blocked = life.ladder.memory.get(offer);
  const told = life.ladder.told.findLast((one) => one.offer === offer);
  expect((blocked?.blockedUntilMs ?? 0) - (blocked?.lastFailureAtMs ?? 0)).toBe(60 * MINUTE);
  expect(told?.error?.message).toContain('XID 79');
  expect(life.state.machine?.intent.offer).not.toBe(offer);
});

it('scenario 45: an XID 94 costs a restart of the model server and nothing more', async () => {
  const clinic = await opened();
  await noticed(clinic, { kind: 'xid', xid: 94 }, { restart: true });
  await backAtWork(clinic);
  await clinic.runFor(2 * 60 * MINUTE);
  expect(actions(clinic)).toEqual(['restart']);
  expect(creates(clinic)).toBe(1);
});

it('an overheated machine takes no new work, finishes its calls, and goes back to work when it has cooled down', async () => {
  const clinic = await opened();
  await noticed(clinic, { kind: 'hot', marginC: 4 });
  await clinic.runUntil(() => clinic.bed(0).life.state.step.kind === 'watched', 2 * MINUTE);
  const drain = clinic.bed(0).life.executed.findLast((e) => e.command.kind === 'drain');
  expect(drain?.command).toMatchObject({ timeoutMs: 900_000 });
  await clinic.runFor(10 * MINUTE);
  expect(phase(clinic)).toBe('cordoned');
  clinic.fall(0, null);
  await backAtWork(clinic);
  expect(actions(clinic)).toEqual(['quarantine', 'release']);
  expect(creates(clinic)).toBe(1);
});

it('one that stays overheated for half an hour is replaced', async () => {
  const clinic = await opened();
  await noticed(clinic, { kind: 'hot', marginC: 4 });
  await backAtWork(clinic);
  expect(actions(clinic)).toEqual(['quarantine', 'replace']);
  const [first, second] = clinic.acts;
  expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(30 * MINUTE);
});

it('without work one that is overheated is put to sleep instead: it wakes on another machine', async () => {
  const clinic = await opened({ traffic: IDLE, work: false });
  await noticed(clinic, { kind: 'hot', marginC: 4 });
  await clinic.runUntil(() => phase(clinic) === 'suspended', 20 * MINUTE);
  expect(clinic.quarantines).toEqual({});
  clinic.bed(0).life.request('wake');
  await backAtWork(clinic);
  expect(actions(clinic)).toEqual(['quarantine']);
});

it('a machine of which nothing is heard takes no new work, is never ended, and comes back with the first answers', async () => {
  const clinic = await opened();
  await noticed(clinic, { kind: 'silent' });
  await clinic.runFor(24 * 60 * MINUTE);
  expect(phase(clinic)).toBe('cordoned');
  expect(clinic.bed(0).life.living).toHaveLength(1);
  clinic.fall(0, null);
  await backAtWork(clinic);
  expect(actions(clinic)).toEqual(['quarantine', 'release']);
  expect(creates(clinic)).toBe(1);
});

it('the last one at work is kept there while it only works slowly or is not heard of, and repaired when it does no work', async () => {
  const clinic = await opened({ count: 1 });
  clinic.fall(0, { kind: 'hot', marginC: 4 });
  await clinic.runFor(20 * MINUTE);
  expect(clinic.acts).toEqual([]);
  clinic.fall(0, { kind: 'silent' });
  await clinic.runFor(20 * MINUTE);
  expect(clinic.acts).toEqual([]);
  clinic.fall(0, { kind: 'wedged' }, { restart: true });
  await backAtWork(clinic);
  await clinic.runUntil(() => clinic.acts.length > 0, 10 * MINUTE);
  await backAtWork(clinic);
  expect(actions(clinic)).toEqual(['restart']);
});

it('scenario 46: a controller that hears of nobody takes out two of ten, ends none, and has all back when it hears again', async () => {
  const clinic = await opened({ count: 10 });
  for (let n = 0; n < 10; n++) clinic.fall(n, { kind: 'silent' });
  await clinic.runFor(60 * MINUTE);
  expect(clinic.mostOut).toBe(2);
  expect(clinic.beds.filter((bed) => bed.life.state.phase === 'ready')).toHaveLength(8);
  expect(clinic.beds.flatMap((bed) => bed.life.living)).toHaveLength(10);
  for (let n = 0; n < 10; n++) clinic.fall(n, null);
  await clinic.runUntil(() => clinic.beds.every((bed) => bed.life.state.phase === 'ready'), 20 * MINUTE);
  expect(clinic.beds.every((bed) => bed.life.creates.length === 1)).toBe(true);
  expect(new Set(clinic.acts.map((act) => act.action))).toEqual(new Set(['quarantine', 'release']));
});

it('a pool that seems worn as a whole is not ended machine by machine while no others are to be had', async () => {
  const clinic = await opened({ count: 10 });
  for (let n = 0; n < 10; n++) {
    clinic.fall(n, { kind: 'remap_failed' });
    clinic.bed(n).isSoldOut = true;
  }
  await clinic.runFor(25 * MINUTE);
  expect(clinic.beds.filter((bed) => bed.life.state.phase === 'ready')).toHaveLength(8);
  expect(clinic.beds.flatMap((bed) => bed.life.living)).toHaveLength(8);
  // Once there are, all are replaced, two at a time.
  for (const bed of clinic.beds) bed.isSoldOut = false;
  await clinic.runUntil(() =>
    clinic.beds.every((bed) => bed.life.state.phase === 'ready' && bed.health?.state.level === 'healthy'),
  );
  expect(clinic.mostOut).toBe(2);
  expect(clinic.beds.every((bed) => bed.life.creates.length === 2)).toBe(true);
});

it('the worst comes first: one that works slowly makes room for one that does no work', async () => {
  const clinic = await opened({ count: 4 });
  clinic.fall(1, { kind: 'hot', marginC: 4 });
  await clinic.runUntil(() => clinic.quarantines['visual-2'] !== undefined, 5 * MINUTE);
  clinic.fall(0, { kind: 'wedged' }, { restart: true });
  await clinic.runUntil(() => actions(clinic).includes('restart'), 10 * MINUTE);
  expect(clinic.mostOut).toBe(1);
});

it('whatever befalls ten machines, no more than two are out of service at once, and all that can heal are back in the end', async () => {
  const sickness = fc.oneof(
    fc.constant<Sickness>({ kind: 'wedged' }),
    fc.constant<Sickness>({ kind: 'cpu' }),
    fc.constantFrom<Sickness>({ kind: 'xid', xid: 79 }, { kind: 'xid', xid: 94 }, { kind: 'xid', xid: 119 }),
    fc.constant<Sickness>({ kind: 'hot', marginC: 3 }),
    fc.constant<Sickness>({ kind: 'silent' }),
    fc.constant<Sickness>({ kind: 'remap_failed' }),
  );
  const plan = fc.array(
    fc.record({
      afterMs: fc.integer({ min: 0, max: 10 * MINUTE }),
      index: fc.nat(9),
      sickness,
      cure: fc.record({ restart: fc.boolean(), reboot: fc.boolean() }),
    }),
    { minLength: 1, maxLength: 12 },
  );
  await forAll([plan], { runs: 12, seed: 20_261_125 }, async (falls) => {
    const clinic = await opened({ count: 10 });
    for (const { afterMs, index, sickness: what, cure } of falls) {
      await clinic.runFor(afterMs);
      clinic.fall(index, what, cure);
    }
    await clinic.runFor(90 * MINUTE);
    // What time alone heals; nothing else is left by now but machines that wait for their turn.
    for (const bed of clinic.beds) if (bed.machine?.isSilent === true) bed.machine.fall(null, clinic.nowMs);
    await clinic.runUntil(
      () => clinic.beds.every((bed) => bed.life.state.phase === 'ready' && bed.health?.state.level === 'healthy'),
      10 * 60 * MINUTE,
    );
    expect(clinic.mostOut).toBeLessThanOrEqual(2);
    for (const bed of clinic.beds) expect(bed.life.living).toHaveLength(1);
  });
}, 300_000);
