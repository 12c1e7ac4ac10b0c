/** The reducer is total and pure: any event at any time gives a next state, nothing is changed in place, and an ended life stays ended. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { initialState, reduce } from '../../../../domain/fleet/instance-life/reducer.ts';
import type {
  Command,
  HealthRequest,
  InstanceRequest,
  InstanceState,
  LifeEvent,
  LifeEventBody,
  Sighting,
} from '../../../../domain/fleet/instance-life/types.ts';
import type { ReadinessFailure } from '../../../../domain/fleet/instance-life/memory.ts';
import { HEALTH_FAILURES } from '../../../../domain/health/types.ts';
import { PROVIDER_ERROR_CLASSES, type ProviderErrorClass } from '../../../../domain/fleet/provider/provider-errors.ts';
import type { RankedOffer } from '../../../../domain/fleet/selection/ladder.ts';
import { rankedOffer, simulatedOffer } from '../../../../testing/fleet/virtual-ladder.ts';
import { instanceSettingsForTests } from '../../../../testing/instance-settings.ts';
import { INSTANCE_PHASES } from '../../../../domain/fleet/phases.ts';
import { forAll } from '../../../../testing/property.ts';

/** Times of a pool with every default, so that waits are longer than most steps between events. */
const SETTINGS = instanceSettingsForTests({
  bootPollMs: 5_000,
  bootPollMaxMs: 15_000,
  stuckAfterMs: 900_000,
  proveTimeoutMs: 1_800_000,
  ladderPauseMs: 30_000,
  ladderPauseMaxMs: 300_000,
  drainTimeoutMs: 900_000,
  destroyRetryMs: 30_000,
  destroyAlarmMs: 1_200_000,
  goneConfirmMs: 30_000,
  visibilityWindowMs: 60_000,
  suspendStrategies: ['discontinue_keep_volume', 'hibernate', 'shutdown'],
  replacesForWorkOnly: true,
});

const offer = (location: string, rank: number | null): RankedOffer => ({
  ...rankedOffer(simulatedOffer('1H100.80S.30V', location, 'spot'), 1),
  rank,
});

const error = fc.oneof(
  { weight: 4, arbitrary: fc.constant(null) },
  fc.record({
    errorClass: fc.constantFrom(...(Object.keys(PROVIDER_ERROR_CLASSES) as ProviderErrorClass[])),
    message: fc.constant('said no'),
  }),
);

const sighting: fc.Arbitrary<Sighting> = fc.record({
  providerId: fc.constantFrom('m1', 'm1', 'm1', 'm2'),
  hostname: fc.constantFrom('dh-test1-visual-1-1', 'dh-test1-visual-1-2', 'other'),
  status: fc.constantFrom('starting', 'running', 'running', 'running', 'stopped', 'deleting', 'failed', 'gone'),
  rawStatus: fc.constant('word'),
  priceUsdPerHour: fc.constantFrom(0, 2),
  ip: fc.constantFrom(null, '198.18.0.1'),
  osVolumeId: fc.constantFrom(null, 'v1'),
  volumeIds: fc.constantFrom([], ['v1'], ['v1', 'v2']),
  simulatedModelUrl: fc.constant(null),
  createdAtMs: fc.constantFrom(0, 1),
});

/** What the world would answer to any command, were it asked now. */
const world = fc.record({
  error,
  offers: fc.constantFrom([], [offer('FIN-01', 1), offer('FIN-02', 2), offer('FIN-03', null)]),
  outcome: fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constant({ kind: 'created' as const, providerId: 'm1', adopted: false, priceUsdPerHour: null }),
    },
    fc.constant({ kind: 'unknown' as const, message: '' }),
    fc.constant({ kind: 'held_back' as const, message: '' }),
    error.map((e) => ({ kind: 'refused' as const, error: e ?? { errorClass: 'capacity' as const, message: '' } })),
  ),
  sightings: fc.array(sighting, { maxLength: 3 }),
  sighting: fc.option(sighting, { nil: null, freq: 5 }),
  proof: fc.constantFrom('proved' as const, 'proved' as const, 'proof_failed' as const, 'serve_ended' as const),
  failure: fc.constantFrom<ReadinessFailure>(
    'unreachable',
    'no_gpu',
    'cpu_only',
    'wrong_digest',
    'model_missing',
    'cannot_answer',
    'host_key_changed',
    'timeout',
  ),
  work: fc.boolean(),
});
type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

/** One thing that happens: a command is answered (rarely another one than is open), or something is asked. */
const happening = fc.record({
  world,
  pick: fc.nat(5),
  stray: fc.constantFrom(false, false, false, false, false, false, false, true),
  request: fc.oneof(
    { weight: 30, arbitrary: fc.constant(null) },
    fc.constantFrom<InstanceRequest>('serve', 'cordon', 'uncordon', 'suspend', 'suspend', 'wake', 'wake', 'destroy'),
  ),
  health: fc.oneof(
    { weight: 12, arbitrary: fc.constant(null) },
    fc.record({
      request: fc.constantFrom<HealthRequest>('quarantine', 'release', 'repair', 'repair'),
      failure: fc.constantFrom(...HEALTH_FAILURES),
      reason: fc.constant('seen'),
      episodeMs: fc.nat(5),
    }),
  ),
  afterMs: fc.constantFrom(0, 200, 10_000, 40_000, 100_000),
});
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

function answer(command: Command, it: World): LifeEventBody {
  const { id: commandId } = command;
  switch (command.kind) {
    case 'rank':
      return { kind: 'ranked', commandId, offers: it.offers, nextTryAtMs: null, error: it.error };
    case 'create':
      return { kind: 'create_answered', commandId, outcome: it.outcome };
    case 'find':
      return { kind: 'found', commandId, sightings: it.sightings, error: it.error };
    case 'look':
      return { kind: 'looked', commandId, sighting: it.sighting, error: it.error };
    case 'serve':
      if (it.proof === 'proved')
        return { kind: 'proved', commandId, facts: { models: [], loadMs: 0, generationMs: 0 } };
      if (it.proof === 'proof_failed') return { kind: 'proof_failed', commandId, failure: it.failure, message: '' };
      // A notice ends the life of a machine that serves: rare, so that the other phases are reached.
      if (it.failure === 'host_key_changed') return { kind: 'eviction_noticed', commandId, endsAtMs: 120_000 };
      return { kind: 'serve_ended', commandId, reason: '' };
    case 'drain':
      return { kind: 'drained', commandId, callsCut: 0 };
    case 'recheck_demand':
      return { kind: 'demand_rechecked', commandId, work: it.work };
    case 'wait':
      return { kind: 'waited', commandId };
    default:
      return { kind: 'acted', commandId, error: it.error };
  }
}

function eventOf(state: InstanceState, one: Happening, atMs: number): LifeEvent {
  if (one.request !== null) return { kind: 'requested', request: one.request, reason: 'asked', atMs };
  if (one.health !== null) return { kind: 'health_asked', ...one.health, atMs };
  const command = state.open[one.pick % Math.max(state.open.length, 1)];
  if (command === undefined) return { kind: 'waited', commandId: one.pick, atMs };
  const stray = { ...command, id: command.id + 1 };
  return { ...answer(one.stray ? stray : command, one.world), atMs };
}

/** Something is under way that the life goes on with; what is done on the side does not count. */
function leadsOn({ open, step, machine }: InstanceState): boolean {
  return open.some((command) => {
    switch (command.kind) {
      case 'remember':
      case 'serve':
      case 'drain':
        return false;
      case 'delete_volume':
        return step.kind === 'purging';
      case 'delete':
        return command.providerId === machine?.providerId;
      default:
        return true;
    }
  });
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) freeze(part);
  }
  return value;
}

it('takes any event at any time, keeps its state plain, never has two creates open, never acts after its end', async () => {
  const phases = new Set<string>();
  const steps = new Set<string>();
  // A seed of which a tenth of the runs reaches every phase as well.
  await forAll([fc.array(happening, { maxLength: 120, size: 'max' })], { runs: 2_000, seed: 4 }, (happenings) => {
    let atMs = 1_000_000;
    let state = freeze(reduce(initialState('visual-1', SETTINGS, atMs), { kind: 'born', atMs }).state);
    for (const one of happenings) {
      atMs += one.afterMs;
      const event = freeze(eventOf(state, one, atMs));
      const ended = state.phase === 'gone' || state.phase === 'failed';
      const next = reduce(state, event);
      expect(JSON.parse(JSON.stringify(next.state))).toEqual(next.state);
      expect(next.state.open.filter((c) => c.kind === 'create').length).toBeLessThanOrEqual(1);
      expect(new Set(next.state.open.map((c) => c.id)).size).toBe(next.state.open.length);
      if (ended) expect(next).toEqual({ state, commands: [], transitions: [] });
      else if (next.state.phase !== 'gone' && next.state.phase !== 'failed' && next.state.phase !== 'suspended')
        expect(leadsOn(next.state)).toBe(true);
      phases.add(next.state.phase);
      steps.add(next.state.step.kind);
      state = freeze(next.state);
    }
  });
  expect(steps).toContain('watched');
  expect(steps).toContain('checking_demand');
  // The lives reached every phase, or the property would say little.
  expect([...phases].toSorted()).toEqual(INSTANCE_PHASES.toSorted());
});

it('ignores answers to commands that are not open, and a second birth', () => {
  const atMs = 0;
  const born = reduce(initialState('visual-1', SETTINGS, atMs), { kind: 'born', atMs });
  expect(reduce(born.state, { kind: 'born', atMs }).state).toEqual(born.state);
  const stranger = { kind: 'create_answered', commandId: 99, outcome: { kind: 'unknown', message: '' }, atMs } as const;
  expect(reduce(born.state, stranger)).toEqual({ state: born.state, commands: [], transitions: [] });
  // The id of an open command of another kind is no answer to it.
  expect(reduce(born.state, { ...stranger, commandId: born.commands[0]?.id ?? 0 }).commands).toEqual([]);
});

it('goes to the next rung when a create was held back, and remembers no failure', () => {
  const atMs = 0;
  const born = reduce(initialState('visual-1', SETTINGS, atMs), { kind: 'born', atMs });
  const offers = [offer('FIN-01', 1), offer('FIN-02', 2)];
  const rank = born.commands[0]?.id ?? 0;
  let last = reduce(born.state, { kind: 'ranked', commandId: rank, offers, nextTryAtMs: null, error: null, atMs });
  for (const location of ['FIN-01', 'FIN-02']) {
    const create = last.commands.find((c) => c.kind === 'create');
    expect(create?.intent.offer).toContain(location);
    const outcome = { kind: 'held_back', message: 'used up meanwhile' } as const;
    last = reduce(last.state, { kind: 'create_answered', commandId: create?.id ?? 0, outcome, atMs });
    expect(last.commands.some((c) => c.kind === 'remember')).toBe(false);
  }
  expect(last.state).toMatchObject({ step: { kind: 'pausing' }, ladder: [], hostnames: [], intent: null });
  expect(last.commands).toMatchObject([{ kind: 'wait', untilMs: SETTINGS.ladderPauseMs }]);
  expect(last.state.reason).toContain('used up meanwhile');
});

it('refuses a name that cannot be part of a host name at birth, not later', () => {
  expect(() => initialState('Visual_1', SETTINGS, 0)).toThrow(RangeError);
  expect(() => initialState('visual-1', { ...SETTINGS, installationId: 'no-hyphen' }, 0)).toThrow(RangeError);
});
