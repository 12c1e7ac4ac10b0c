/**
 * The pool workflow on real Temporal: from zero at once, floods, memory through continue-as-new, operators, servers that run already.
 */
import { expect, it } from 'vitest';
import { readyInstance, SOME_DEMAND, startPoolWorld, type PoolUnderTest } from '../../testing/fleet/pool-world.ts';
import { NO_DEMAND } from '../../testing/fleet/made-up-pools.ts';
import { until } from '../../testing/until.ts';
import { perFile } from '../../testing/per-file.ts';

/** An idle pool looks so seldom that whatever happens within a test was caused by a signal. */
const ONLY_BY_SIGNAL = { idleTickMs: 600_000, tickMs: 600_000 };

const world = perFile(startPoolWorld);

/** Waits for the first look. */
const settled = (pool: PoolUnderTest): Promise<unknown> => until(() => pool.decisions.length).is((count) => count > 0);
const startedAtLeast = (pool: PoolUnderTest, count: number): Promise<string[]> =>
  until(() => pool.startedInstances()).is((names) => names.length >= count);
const looksAtLeast = (pool: PoolUnderTest, count: number): Promise<unknown> =>
  until(() => pool.decisions.length).is((seen) => seen >= count);

it('from zero a deck that is announced has an instance started, without waiting for the next look', async () => {
  const pool = await world.start({ timing: ONLY_BY_SIGNAL });
  await settled(pool);
  expect(await pool.startedInstances()).toEqual([]);
  pool.shown.demand = { ...NO_DEMAND, comingSeconds: 230 };
  await pool.announce('analysis-1');
  const [name] = await startedAtLeast(pool, 1);
  expect(name).toMatch(/^p\d+-1-[0-9a-f]{4}$/u);
  await looksAtLeast(pool, 2);
  expect(pool.looks).toHaveLength(2);
  expect(pool.decisions.at(-1)).toMatchObject({ pool: pool.name, target: 1 });
});

it('a flood of announcements is one instance and few looks; what is being made counts until it is there', async () => {
  const pool = await world.start({ max: 3, timing: ONLY_BY_SIGNAL });
  await settled(pool);
  pool.shown.demand = SOME_DEMAND;
  await Promise.all(Array.from({ length: 200 }, (_, n) => pool.announce(`analysis-${n}`)));
  await startedAtLeast(pool, 1);
  // Every signal has arrived; one more look sees them all.
  const before = pool.decisions.length;
  await pool.announce('the last');
  await looksAtLeast(pool, before + 1);
  expect(await pool.startedInstances()).toHaveLength(1);
  expect(pool.looks.length).toBeLessThan(20);
});

it('a deck that was cancelled before the pool looked causes nothing', async () => {
  const pool = await world.start({ timing: ONLY_BY_SIGNAL });
  await settled(pool);
  pool.shown.over.add('cancelled');
  await pool.announce('cancelled');
  await looksAtLeast(pool, 2);
  expect(await pool.startedInstances()).toEqual([]);
  expect((await pool.report()).wakeIntents).toEqual([]);
});

it('a database that does not answer changes nothing, and is no reason to give anything up', async () => {
  const pool = await world.start({ max: 2, timing: { tickMs: 200, idleTickMs: 200, fixedIdleMs: 0, minIdleMs: 0 } });
  pool.shown.instances = [readyInstance('a', { inFlight: 1 })];
  pool.shown.demand = SOME_DEMAND;
  await settled(pool);
  const { target } = await pool.report();
  pool.shown.demand = null;
  const report = await until(() => pool.report()).is((r) => r.demand === null);
  expect(report).toMatchObject({ target, actions: [] });
  expect(report.reasons[0]).toMatch(/unknown/u);
  const stored = pool.decisions.length;
  pool.shown.demand = SOME_DEMAND;
  await looksAtLeast(pool, stored + 1);
  expect((await pool.report()).target).toBe(target);
});

it('an instance is woken ahead of decks under a reason by name, once the pool was told when they are expected', async () => {
  const pool = await world.start({ prewarm: 'learned', timing: ONLY_BY_SIGNAL });
  const inAMinute = Date.now() + 60_000;
  const window = { wakeAtMs: 0, readyAtMs: inAMinute, keptUntilMs: inAMinute, chance: 0.7, gainUsd: 0.1 };
  pool.shown.outlook = { madeAtMs: 0, verdict: 'pays', words: 'Pre-warm pays.', windows: [window] };
  await settled(pool);
  // The first look has no outlook: it is asked for once there is known to be no work.
  expect(await pool.startedInstances()).toEqual([]);
  await pool.configure({});
  const [name] = await startedAtLeast(pool, 1);
  const decision = await until(() => pool.decisions.at(-1)).is((last) => last?.target === 1);
  expect(decision?.wish).toBe(0);
  expect(decision?.reasons[0]).toMatch(/^pre-warm: a deck is expected/u);
  pool.shown.instances = [readyInstance(name ?? '')];
  pool.shown.demand = SOME_DEMAND;
  await pool.announce('analysis-1');
  await until(() => pool.decisions.at(-1)?.wish).is((wish) => wish === 1);
  expect(await pool.startedInstances()).toHaveLength(1);
});

it('nothing is lost and nothing doubled when a pool continues as new again and again', async () => {
  const pool = await world.start(
    { max: 3, timing: { ...ONLY_BY_SIGNAL, drainGoalMs: 1000 } },
    { maxHistoryLength: 30 },
  );
  await settled(pool);
  // Work that cannot be seen yet: the announcements alone have to survive.
  for (let n = 0; n < 40; n++) {
    await pool.announce(`analysis-${n}`);
    if (n % 10 === 0) await looksAtLeast(pool, pool.decisions.length + 1);
  }
  await until(() => pool.report()).is((r) => r.wakeIntents.length === 40);
  pool.shown.demand = { ...SOME_DEMAND, openCalls: 100, openSeconds: 1000 };
  await pool.announce('the last');
  const names = await startedAtLeast(pool, 3);
  // Births without a row are carried too: more looks start no more instances.
  for (let n = 0; n < 5; n++) {
    const before = pool.decisions.length;
    await pool.announce(`later-${n}`);
    await looksAtLeast(pool, before + 1);
  }
  expect(await pool.runs()).toBeGreaterThan(3);
  expect(await pool.startedInstances()).toEqual(names);
  expect(new Set(names).size).toBe(3);
  expect((await pool.report()).births.map((b) => b.name)).toEqual(names);
});

it('the time of a pool’s next look survives continuing as new', async () => {
  const pool = await world.start({ timing: { ...ONLY_BY_SIGNAL, idleTickMs: 700 } }, { maxHistoryLength: 1 });
  await looksAtLeast(pool, 4);
  expect(await pool.runs()).toBeGreaterThanOrEqual(4);
});

it('what an operator asks reaches the instance, and holds through continuing as new', async () => {
  const pool = await world.start({ min: 1, max: 1, timing: ONLY_BY_SIGNAL }, { maxHistoryLength: 1 });
  const [name = ''] = await startedAtLeast(pool, 1);
  pool.shown.instances = [readyInstance(name)];
  await pool.ask(name, 'cordon');
  await until(() => pool.asked(name)).is((asks) =>
    asks.some((a) => a.request === 'cordon' && a.reason === 'cordon asked by a test'),
  );
  pool.shown.instances = [readyInstance(name, { phase: 'cordoned' })];
  pool.shown.demand = SOME_DEMAND;
  const before = pool.decisions.length;
  await pool.announce('analysis-1');
  await looksAtLeast(pool, before + 1);
  // There is work and the only instance is cordoned: it is neither uncordoned nor replaced beyond the maximum.
  expect((await pool.report()).holds[name]).toMatchObject({ kind: 'cordoned', by: 'a test' });
  expect(await pool.startedInstances()).toEqual([name]);
  // A look that still saw it ready has told it again, which changes nothing.
  expect(new Set((await pool.asked(name)).map((a) => a.request))).toEqual(new Set(['cordon']));

  await pool.ask(name, 'drain');
  await until(() => pool.asked(name)).is((asks) => asks.at(-1)?.request === 'suspend');
  await pool.ask(name, 'wake');
  await until(() => pool.report()).is((r) => Object.keys(r.holds).length === 0);
  // The pool forgets the hold before its signal has reached the instance.
  await until(() => pool.asked(name)).is((asks) => asks.some((ask) => ask.request === 'wake'));
});

it('instances that fail for good are not replaced at once', async () => {
  const pool = await world.start({ timing: { ...ONLY_BY_SIGNAL, ladderPauseMs: 600_000, ladderPauseMaxMs: 600_000 } });
  pool.shown.failures = { count: 1, lastAtMs: Date.now(), instance: 'p-1', reason: 'image unknown' };
  pool.shown.demand = SOME_DEMAND;
  await pool.announce('analysis-1');
  const report = await until(() => pool.report()).is((r) => r.demand?.openCalls === SOME_DEMAND.openCalls);
  expect(report.reasons[0]).toMatch(/^Nothing is created until .*: p-1 failed \(image unknown\)$/u);
  expect(await pool.startedInstances()).toEqual([]);
});

it('a static pool has one instance per server, follows its configuration and decides nothing', async () => {
  const pool = await world.start(
    { min: 2, max: 2, timing: ONLY_BY_SIGNAL },
    { setup: { provider: 'static', staticHosts: ['http://a:1', 'http://b:2'] } },
  );
  const names = await startedAtLeast(pool, 2);
  expect(names).toEqual([`${pool.name}-0`, `${pool.name}-1`]);
  pool.shown.instances = names.map((name) => readyInstance(name));
  await pool.configure({ provider: 'static', staticHosts: ['http://b:2', 'http://c:3'] });
  expect(await startedAtLeast(pool, 3)).toEqual([...names, `${pool.name}-2`]);
  await until(() => pool.asked(names[0] ?? '').catch(() => [])).is((asks) => asks.some((a) => a.request === 'destroy'));
  expect(await pool.asked(names[1] ?? '')).toEqual([]);
});

it('a pool that is not configured any more gives up what it has, and ends', async () => {
  const pool = await world.start({ min: 1, timing: { ...ONLY_BY_SIGNAL, tickMs: 200 } });
  const [name = ''] = await startedAtLeast(pool, 1);
  pool.shown.instances = [readyInstance(name)];
  await pool.retire();
  await until(() => pool.asked(name)).is((asks) => asks.some((a) => a.request === 'destroy'));
  pool.shown.instances = [];
  await pool.end();
  expect(pool.decisions.at(-1)).toMatchObject({ target: 0, nextLookAtMs: null });
});
