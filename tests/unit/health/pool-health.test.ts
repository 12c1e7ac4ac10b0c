/**
 * Faulty machines in a pool, on virtual time against the simulated provider: noticed within three minutes, repaired by the table of remedies,
 * never more quarantined than the guard allows. Scenarios by their numbers in tests/SCENARIOS.md.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { VirtualHealthPool, type HealthPoolOptions } from '../../../testing/fleet/virtual-health-pool.ts';
import type { MachineFault } from '../../../testing/fleet/faulty-machine.ts';
import { forAll } from '../../../testing/property.ts';

const MINUTE = 60_000;
const BUSY = { kind: 'busy', inFlight: 2, callMs: 20_000 } as const;
const IDLE = { kind: 'idle' } as const;

async function opened(options: Partial<HealthPoolOptions> = {}): Promise<VirtualHealthPool> {
  const pool = new VirtualHealthPool({ count: 3, ...options });
  await pool.open();
  await pool.runFor(5 * MINUTE + 17_000);
  return pool;
}

const actions = (pool: VirtualHealthPool, instance = 'visual-1'): string[] =>
  pool.acts.filter((act) => act.instance === instance).map((act) => act.action);
const creates = (pool: VirtualHealthPool, index = 0): number => pool.member(index).life.creates.length;
const phase = (pool: VirtualHealthPool, index = 0): string => pool.member(index).life.state.phase;

/** Breaks the first machine and waits until something is done about it: within three minutes, and only to it. */
async function noticed(pool: VirtualHealthPool, fault: MachineFault, fixedBy = {}): Promise<void> {
  const sinceMs = pool.nowMs;
  const before = pool.acts.length;
  pool.setFault(0, fault, fixedBy);
  await pool.runUntil(() => pool.acts.length > before, 4 * MINUTE);
  const [act] = pool.acts.slice(before);
  expect(act?.instance).toBe('visual-1');
  // The pool's look and one step of this test's time come on top.
  expect((act?.atMs ?? Infinity) - sinceMs).toBeLessThanOrEqual(3 * MINUTE + 6_000);
}

const backAtWork = (pool: VirtualHealthPool): Promise<void> =>
  pool.runUntil(() => phase(pool) === 'ready' && Object.keys(pool.quarantines).length === 0, 60 * MINUTE);

/** The fault passes, and the first machine goes back to work as it is. */
async function comesBack(pool: VirtualHealthPool): Promise<void> {
  pool.setFault(0, null);
  await backAtWork(pool);
  expect(actions(pool)).toEqual(['quarantine', 'release']);
  expect(creates(pool)).toBe(1);
}

it.each([
  ['busy', BUSY],
  ['idle', IDLE],
])(
  'scenario 15: a wedged runner on a machine that is %s: its model server is restarted, and it works again',
  async (_, traffic) => {
    const pool = await opened({ traffic });
    await noticed(pool, { kind: 'wedged' }, { restart: true });
    // Its calls are cut, so that they are repeated elsewhere at once.
    const drains = pool.member(0).life.executed.filter((e) => e.command.kind === 'drain');
    expect(drains.map((e) => e.command)).toMatchObject([{ timeoutMs: 0, cut: true }, {}]);
    await backAtWork(pool);
    expect(actions(pool)).toEqual(['restart']);
    expect(creates(pool)).toBe(1);
    await pool.runFor(30 * MINUTE);
    expect(actions(pool)).toEqual(['restart']);
  },
);

it('scenario 15: a runner that no restart frees: restarted, rebooted, replaced', async () => {
  const pool = await opened();
  await noticed(pool, { kind: 'wedged' });
  await backAtWork(pool);
  expect(actions(pool)).toEqual(['restart', 'reboot', 'replace']);
  expect(creates(pool)).toBe(2);
  expect(pool.member(0).life.living).toHaveLength(1);
});

it('scenario 14: a machine that falls back to its CPU while it serves is repaired before anything is routed to it again', async () => {
  const pool = await opened({ traffic: IDLE });
  await noticed(pool, { kind: 'cpu' }, { reboot: true });
  await backAtWork(pool);
  expect(actions(pool)).toEqual(['restart', 'reboot']);
  expect(creates(pool)).toBe(1);
  const { transitions } = pool.member(0).life;
  expect(transitions.findLast((t) => t.to === 'ready')?.reason).toBe('passed its readiness check');
});

it('an XID 79 is met with a reboot; the third one with another machine, and what broke is not rented for an hour', async () => {
  const pool = await opened();
  for (let n = 0; n < 2; n++) {
    await noticed(pool, { kind: 'xid', xid: 79 }, { reboot: true });
    await backAtWork(pool);
    // Long enough for the mild remedy to count again, not for the reboots to be forgotten.
    await pool.runFor(7 * 60 * MINUTE);
  }
  expect(actions(pool)).toEqual(['reboot', 'reboot']);
  const { life } = pool.member(0);
  const offer = life.state.machine?.intent.offer ?? '';
  await noticed(pool, { kind: 'xid', xid: 79 }, { reboot: true });
  await backAtWork(pool);
  expect(actions(pool)).toEqual(['reboot', 'reboot', 'replace']);
  const blocked = life.ladder.memory.get(offer);
  const told = life.ladder.told.findLast((one) => one.offer === offer);
  expect((blocked?.blockedUntilMs ?? 0) - (blocked?.lastFailureAtMs ?? 0)).toBe(60 * MINUTE);
  expect(told?.error?.message).toContain('XID 79');
  expect(life.state.machine?.intent.offer).not.toBe(offer);
});

it('scenario 45: an XID 94 costs a restart of the model server and nothing more', async () => {
  const pool = await opened();
  await noticed(pool, { kind: 'xid', xid: 94 }, { restart: true });
  await backAtWork(pool);
  await pool.runFor(2 * 60 * MINUTE);
  expect(actions(pool)).toEqual(['restart']);
  expect(creates(pool)).toBe(1);
});

it('an overheated machine takes no new work, finishes its calls, and goes back to work when it has cooled down', async () => {
  const pool = await opened();
  await noticed(pool, { kind: 'hot', marginC: 4 });
  await pool.runUntil(() => pool.member(0).life.state.step.kind === 'watched', 2 * MINUTE);
  const drain = pool.member(0).life.executed.findLast((e) => e.command.kind === 'drain');
  expect(drain?.command).toMatchObject({ timeoutMs: 900_000 });
  await pool.runFor(10 * MINUTE);
  expect(phase(pool)).toBe('cordoned');
  await comesBack(pool);
});

it('one that stays overheated for half an hour is replaced', async () => {
  const pool = await opened();
  await noticed(pool, { kind: 'hot', marginC: 4 });
  await backAtWork(pool);
  expect(actions(pool)).toEqual(['quarantine', 'replace']);
  const [first, second] = pool.acts;
  expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(30 * MINUTE);
});

it('without work one that is overheated is put to sleep instead: it wakes on another machine', async () => {
  const pool = await opened({ traffic: IDLE, work: false });
  await noticed(pool, { kind: 'hot', marginC: 4 });
  await pool.runUntil(() => phase(pool) === 'suspended', 20 * MINUTE);
  expect(pool.quarantines).toEqual({});
  pool.member(0).life.request('wake');
  await backAtWork(pool);
  expect(actions(pool)).toEqual(['quarantine']);
});

it('a machine of which nothing is heard takes no new work, is never ended, and comes back with the first answers', async () => {
  const pool = await opened();
  await noticed(pool, { kind: 'silent' });
  await pool.runFor(24 * 60 * MINUTE);
  expect(phase(pool)).toBe('cordoned');
  expect(pool.member(0).life.living).toHaveLength(1);
  await comesBack(pool);
});

it('the last one at work is kept there while it only works slowly or is not heard of, and repaired when it does no work', async () => {
  const pool = await opened({ count: 1 });
  pool.setFault(0, { kind: 'hot', marginC: 4 });
  await pool.runFor(20 * MINUTE);
  expect(pool.acts).toEqual([]);
  pool.setFault(0, { kind: 'silent' });
  await pool.runFor(20 * MINUTE);
  expect(pool.acts).toEqual([]);
  pool.setFault(0, { kind: 'wedged' }, { restart: true });
  await backAtWork(pool);
  await pool.runUntil(() => pool.acts.length > 0, 10 * MINUTE);
  await backAtWork(pool);
  expect(actions(pool)).toEqual(['restart']);
});

it('scenario 46: a controller that hears of no machine quarantines two of ten, ends none, and has all back when it hears again', async () => {
  const pool = await opened({ count: 10 });
  for (let n = 0; n < 10; n++) pool.setFault(n, { kind: 'silent' });
  await pool.runFor(60 * MINUTE);
  expect(pool.mostOut).toBe(2);
  expect(pool.members.filter((member) => member.life.state.phase === 'ready')).toHaveLength(8);
  expect(pool.members.flatMap((member) => member.life.living)).toHaveLength(10);
  for (let n = 0; n < 10; n++) pool.setFault(n, null);
  await pool.runUntil(() => pool.members.every((member) => member.life.state.phase === 'ready'), 20 * MINUTE);
  expect(pool.members.every((member) => member.life.creates.length === 1)).toBe(true);
  expect(new Set(pool.acts.map((act) => act.action))).toEqual(new Set(['quarantine', 'release']));
});

it('a pool that seems worn as a whole is not ended machine by machine while no others are to be had', async () => {
  const pool = await opened({ count: 10 });
  for (let n = 0; n < 10; n++) {
    pool.setFault(n, { kind: 'remap_failed' });
    pool.member(n).isSoldOut = true;
  }
  await pool.runFor(25 * MINUTE);
  expect(pool.members.filter((member) => member.life.state.phase === 'ready')).toHaveLength(8);
  expect(pool.members.flatMap((member) => member.life.living)).toHaveLength(8);
  // Once there are, all are replaced, two at a time.
  for (const member of pool.members) member.isSoldOut = false;
  await pool.runUntil(() =>
    pool.members.every((member) => member.life.state.phase === 'ready' && member.health?.state.level === 'healthy'),
  );
  expect(pool.mostOut).toBe(2);
  expect(pool.members.every((member) => member.life.creates.length === 2)).toBe(true);
});

it('the worst comes first: one that works slowly makes room for one that does no work', async () => {
  const pool = await opened({ count: 4 });
  pool.setFault(1, { kind: 'hot', marginC: 4 });
  await pool.runUntil(() => pool.quarantines['visual-2'] !== undefined, 5 * MINUTE);
  pool.setFault(0, { kind: 'wedged' }, { restart: true });
  await pool.runUntil(() => actions(pool).includes('restart'), 10 * MINUTE);
  expect(pool.mostOut).toBe(1);
});

it('whatever happens to ten machines, no more than two are quarantined at once, and all that can recover are back in the end', async () => {
  const fault = fc.oneof(
    fc.constant<MachineFault>({ kind: 'wedged' }),
    fc.constant<MachineFault>({ kind: 'cpu' }),
    fc.constantFrom<MachineFault>({ kind: 'xid', xid: 79 }, { kind: 'xid', xid: 94 }, { kind: 'xid', xid: 119 }),
    fc.constant<MachineFault>({ kind: 'hot', marginC: 3 }),
    fc.constant<MachineFault>({ kind: 'silent' }),
    fc.constant<MachineFault>({ kind: 'remap_failed' }),
  );
  const plan = fc.array(
    fc.record({
      afterMs: fc.integer({ min: 0, max: 10 * MINUTE }),
      index: fc.nat(9),
      fault,
      fixedBy: fc.record({ restart: fc.boolean(), reboot: fc.boolean() }),
    }),
    { minLength: 1, maxLength: 12 },
  );
  await forAll([plan], { runs: 12, deepRuns: 4, seed: 20_261_125 }, async (faults) => {
    const pool = await opened({ count: 10 });
    for (const { afterMs, index, fault: what, fixedBy } of faults) {
      await pool.runFor(afterMs);
      pool.setFault(index, what, fixedBy);
    }
    await pool.runFor(90 * MINUTE);
    // What passes with time; nothing else is left by now but machines that wait for their turn.
    for (const member of pool.members) if (member.machine?.isSilent === true) member.machine.setFault(null, pool.nowMs);
    await pool.runUntil(
      () =>
        pool.members.every((member) => member.life.state.phase === 'ready' && member.health?.state.level === 'healthy'),
      10 * 60 * MINUTE,
    );
    expect(pool.mostOut).toBeLessThanOrEqual(2);
    for (const member of pool.members) expect(member.life.living).toHaveLength(1);
  });
});
