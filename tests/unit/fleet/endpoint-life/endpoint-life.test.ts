/** The life of a deployment over the simulated provider: it follows the claims, is created once whatever is interrupted, and leaves nothing. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { newEndpoint, stepEndpoint, type EndpointSight } from '../../../../domain/fleet/endpoint-life/endpoint-life.ts';
import { forAll } from '../../../../testing/property.ts';
import { ENDPOINT_NAME, PATIENCE, VirtualEndpoint, type Crash } from '../../../../testing/fleet/virtual-endpoint.ts';

const MINUTE_MS = 60_000;
/** A deployment of one replica that works. */
const SIGHT: EndpointSight = {
  status: 'active',
  rawStatus: 'healthy',
  desired: 1,
  running: 1,
  url: null,
  isCurrent: true,
  failed: 0,
};
/** A look at it, while so many replicas are claimed. */
const looked = (atMs: number, claims: number, sight: EndpointSight | null = null) =>
  ({ kind: 'looked', atMs, sight, claims, isRetired: false }) as const;

it('is created with as many replicas as are claimed, follows them up and down, rests paused, and wakes again', async () => {
  const world = new VirtualEndpoint();
  await world.round(0);
  expect([world.state.phase, world.sent]).toEqual(['absent', []]);
  await world.round(2);
  expect(world.state.phase).toBe('creating');
  await world.round(2);
  expect(world.state).toMatchObject({ phase: 'scaling', reason: expect.stringContaining('0 of 2 replicas running') });
  world.clock.advance(MINUTE_MS);
  await world.round(2);
  expect(world.state.phase).toBe('scaled');
  await world.round(3);
  await world.round(1);
  world.clock.advance(MINUTE_MS);
  await world.round(1);
  expect([world.state.phase, world.replicas]).toEqual(['scaled', 1]);
  await world.round(0);
  world.clock.advance(MINUTE_MS);
  await world.round(0);
  expect([world.state.phase, world.replicas]).toEqual(['paused', 0]);
  await world.round(1);
  world.clock.advance(MINUTE_MS);
  await world.round(1);
  expect([world.state.phase, world.replicas]).toEqual(['scaled', 1]);
  expect(world.sent.map((command) => command.kind)).toEqual(['create', 'scale', 'scale', 'pause', 'scale']);
});

it('is deleted when its pool is not configured any more, and not before the last claim is given up', async () => {
  const world = new VirtualEndpoint();
  await world.round(1);
  await world.round(1, { isRetired: true });
  expect(world.sent.map((command) => command.kind)).toEqual(['create']);
  await world.round(0, { isRetired: true });
  expect(world.state.phase).toBe('deleting');
  await world.round(0, { isRetired: true });
  expect([world.state.phase, await world.scaler.get()]).toEqual(['absent', null]);
});

it('with another configuration it is made anew once it is at zero', async () => {
  const before = new VirtualEndpoint();
  await before.round(1);
  const after = new VirtualEndpoint({}, { image: 'a/b:2' });
  after.sim.restore(before.sim.snapshot());
  await after.round(1);
  expect(after.state.reason).toContain('it is made anew when it is at zero');
  await after.round(0);
  await after.round(1);
  expect(after.sent.map((command) => command.kind)).toEqual(['delete', 'create']);
});

it('what is refused is tried again later and later', () => {
  let state = newEndpoint(0);
  const waits: number[] = [];
  for (let atMs = 0; waits.length < 6; atMs += 1000) {
    const step = stepEndpoint(state, looked(atMs, 1), PATIENCE);
    ({ state } = step);
    if (step.command === null) continue;
    const refused = { kind: 'answered', atMs, commandId: step.command.id, outcome: 'refused', message: 'no' } as const;
    ({ state } = stepEndpoint(state, refused, PATIENCE));
    waits.push(state.retryAtMs - atMs);
  }
  expect(waits).toEqual([5000, 10_000, 20_000, 40_000, 60_000, 60_000]);
  expect(state.reason).toBe('create was refused: no');
});

it('a create whose answer was lost is not repeated while it may still show up', () => {
  let state = newEndpoint(0);
  const look = (atMs: number) => {
    const step = stepEndpoint(state, looked(atMs, 1), PATIENCE);
    state = step.state;
    return step.command?.kind ?? null;
  };
  expect(look(0)).toBe('create');
  // The run that sent it is over: no answer ever comes.
  expect([look(1000), look(59_000)]).toEqual([null, null]);
  expect(look(61_000)).toBe('create');
});

const crash = fc.constantFrom<Crash>('none', 'before it is sent', 'before its answer');
const rounds = fc.array(fc.record({ claims: fc.nat(4), crash, advanceSec: fc.nat(90) }), { maxLength: 12 });

it('whatever is interrupted, there is one deployment, never more replicas than were ever claimed at once, and in the end what is claimed', async () => {
  await forAll([rounds, fc.nat(3)], { runs: 300 }, async (plan, last) => {
    const world = new VirtualEndpoint();
    let most = 0;
    for (const { claims, crash: at, advanceSec } of plan) {
      most = Math.max(most, claims);
      await world.round(claims, { crash: at });
      world.clock.advance(advanceSec * 1000);
      const draining = world.sim.core.allInstances().filter((one) => one.phase === 'deleting').length;
      expect(world.replicas - draining).toBeLessThanOrEqual(most);
    }
    for (let n = 0; n < 6; n++) {
      await world.round(last);
      world.clock.advance(MINUTE_MS);
    }
    expect(world.replicas).toBe(last);
    if (last > 0) expect(world.state.phase).toBe('scaled');
    for (let n = 0; n < 3; n++) await world.round(0, { isRetired: true });
    world.clock.advance(MINUTE_MS);
    expect([world.state.phase, world.replicas, await world.scaler.get()]).toEqual(['absent', 0, null]);
    // The provider refuses a second one of the name; it was never asked for one.
    const creates = world.sent.filter((command) => command.kind === 'create').length;
    expect(creates).toBeLessThanOrEqual(1 + plan.filter((round) => round.crash === 'before it is sent').length);
  });
});

it('a deployment of the name that is there already is taken over', async () => {
  const world = new VirtualEndpoint();
  await world.scaler.create(1);
  await world.round(2);
  expect(world.sent).toMatchObject([{ kind: 'scale', replicas: 2 }]);
  expect(Object.keys(world.sim.snapshot().account.deployments)).toEqual([ENDPOINT_NAME]);
});

it('the price is that of all GPUs of a replica, and unknown for one that is not sold', async () => {
  const one = await new VirtualEndpoint().scaler.priceUsdPerHour();
  const two = await new VirtualEndpoint({}, { computeSize: 2 }).scaler.priceUsdPerHour();
  expect(one).toBeGreaterThan(0);
  expect(two).toBeCloseTo((one ?? 0) * 2, 3);
  expect(await new VirtualEndpoint({}, { compute: 'no such GPU' }).scaler.priceUsdPerHour()).toBeNull();
});

it('its logs are what the containers wrote and what the provider says of them, in one order, the newest of them', async () => {
  const world = new VirtualEndpoint();
  const query = { minutes: 60, limit: 100 };
  expect(await world.scaler.logs(query)).toBeNull();
  await world.scaler.create(1);
  world.clock.advance(MINUTE_MS);
  const lines = (await world.scaler.logs(query)) ?? [];
  const replica = `${ENDPOINT_NAME}-1`;
  expect(lines).toMatchObject([
    { replica, source: 'provider', message: 'Pulled: The image is there' },
    { replica, source: 'provider', message: 'Started: The replica answers' },
  ]);
  expect(lines[1]?.atMs).toBeGreaterThan(lines[0]?.atMs ?? Infinity);
  expect(await world.scaler.logs({ minutes: 60, limit: 1 })).toEqual(lines.slice(1));
  world.clock.advance(2 * 60 * MINUTE_MS);
  expect(await world.scaler.logs(query)).toEqual([]);
});

it('with an instance that does no work every replica is replaced, once for an episode and once in half an hour', async () => {
  const world = new VirtualEndpoint();
  await world.round(2);
  world.clock.advance(MINUTE_MS);
  await world.round(2);
  const before = (await world.scaler.get())?.replicas.map(({ id }) => id);
  const first = world.clock.nowMs();
  await world.round(2, { sickSinceMs: first });
  expect(world.state).toMatchObject({ phase: 'scaling', reason: 'restarted: an instance is ready and does no work' });
  world.clock.advance(MINUTE_MS);
  await world.round(2, { sickSinceMs: first });
  expect(world.state.phase).toBe('scaled');
  const after = (await world.scaler.get())?.replicas.map(({ id }) => id) ?? [];
  expect(after).toHaveLength(2);
  expect(before?.some((id) => after.includes(id))).toBe(false);
  // The same episode, and a new one that begins too soon.
  world.clock.advance(31 * MINUTE_MS);
  await world.round(2, { sickSinceMs: first });
  const second = world.clock.nowMs();
  await world.round(2, { sickSinceMs: second });
  await world.round(2, { sickSinceMs: second + 1 });
  expect(world.sent.filter(({ kind }) => kind === 'restart')).toHaveLength(2);
});

it('is restarted only while replicas are claimed, and never more often than its pause allows', async () => {
  const look = fc.record({ claims: fc.nat(2), isSick: fc.boolean(), advanceMin: fc.nat(20), isLost: fc.boolean() });
  await forAll([fc.array(look, { maxLength: 40 })], { runs: 500 }, (looks) => {
    let state = newEndpoint(0);
    let atMs = 0;
    let desired: number | null = 1;
    let lastMs = -Infinity;
    for (const { claims, isSick, advanceMin, isLost } of looks) {
      atMs += advanceMin * MINUTE_MS;
      const sickSinceMs = isSick ? atMs : null;
      const event = { ...looked(atMs, claims, { ...SIGHT, desired }), sickSinceMs };
      const step = stepEndpoint(state, event, PATIENCE);
      ({ state } = step);
      const { command } = step;
      if (command === null) continue;
      if (command.kind === 'restart') {
        expect(claims).toBe(desired);
        expect(atMs - lastMs).toBeGreaterThanOrEqual(PATIENCE.restartPauseMs);
        lastMs = atMs;
      } else if (command.kind === 'scale') desired = command.replicas;
      if (isLost) continue;
      const answer = { kind: 'answered', atMs, commandId: command.id, outcome: 'done', message: '' } as const;
      state = stepEndpoint(state, answer, PATIENCE).state;
    }
  });
});

it('tries a restart again that was refused, and none of which the answer was lost', () => {
  const sick = (atMs: number) => ({ ...looked(atMs, 1, SIGHT), sickSinceMs: 1 });
  const restart = stepEndpoint(newEndpoint(0), sick(2), PATIENCE);
  expect(restart.command).toMatchObject({ kind: 'restart' });
  const next = (outcome: 'refused' | 'unknown') => {
    const answer = { kind: 'answered', atMs: 2, commandId: restart.command?.id ?? -1, outcome, message: '' } as const;
    const { state } = stepEndpoint(restart.state, answer, PATIENCE);
    return stepEndpoint(state, sick(2 + PATIENCE.longestRetryMs), PATIENCE).command;
  };
  expect(next('refused')).toMatchObject({ kind: 'restart' });
  expect(next('unknown')).toBeNull();
});

it('says how many replicas its provider calls broken', () => {
  const sight = { ...SIGHT, rawStatus: 'degraded', desired: 3, running: 2, failed: 1 };
  const { state } = stepEndpoint(newEndpoint(0), looked(0, 3, sight), PATIENCE);
  expect(state.reason).toBe('2 of 3 replicas running, 1 broken (degraded)');
});
