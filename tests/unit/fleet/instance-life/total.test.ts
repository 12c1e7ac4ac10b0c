/**
 * The reducer is total and pure: any event at any time gives a next state, nothing is changed in place, and an ended life stays ended.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { initialState, step } from '../../../../domain/fleet/instance-life/step.ts';
import type {
  InstanceSettings,
  InstanceState,
  LifeEvent,
  Sighting,
} from '../../../../domain/fleet/instance-life/types.ts';
import { offerKey } from '../../../../domain/fleet/offer.ts';
import { PROVIDER_ERROR_CLASSES, type ProviderErrorClass } from '../../../../domain/fleet/provider-errors.ts';
import type { RankedOffer } from '../../../../domain/fleet/selection.ts';

const RUNS = 2_000;

const SETTINGS: InstanceSettings = {
  installationId: 'test1',
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
  volumePinsLocation: true,
  deadlineMs: null,
};

const offer = (location: string, rank: number | null): RankedOffer => {
  const id = { provider: 'datacrunch', location, instanceType: '1H100.80S.30V', market: 'spot' as const };
  const gpu = { tier: 'h100', gpuModel: 'H100', gpuCount: 1, vramGib: 80, priceUsdPerHour: 2 };
  return {
    ...id,
    ...gpu,
    key: offerKey(id),
    rank,
    refusal: null,
    reason: '',
    nextTryAtMs: null,
    available: null,
    usdPerSlide: null,
  };
};

const error = fc.option(
  fc.record({
    errorClass: fc.constantFrom(...(Object.keys(PROVIDER_ERROR_CLASSES) as ProviderErrorClass[])),
    message: fc.constant('said no'),
  }),
  { nil: null },
);

const sighting: fc.Arbitrary<Sighting> = fc.record({
  providerId: fc.constantFrom('m1', 'm2'),
  hostname: fc.constantFrom('dh-test1-visual-1-1', 'dh-test1-visual-1-2', 'other'),
  status: fc.constantFrom('starting', 'running', 'stopped', 'deleting', 'failed', 'gone'),
  rawStatus: fc.constant('word'),
  priceUsdPerHour: fc.constantFrom(0, 2),
  ip: fc.constantFrom(null, '198.18.0.1'),
  osVolumeId: fc.constantFrom(null, 'v1'),
  volumeIds: fc.constantFrom([], ['v1'], ['v1', 'v2']),
  simulatedModelUrl: fc.constant(null),
  createdAtMs: fc.constantFrom(0, 1),
});

/** An event body without its command id: that is taken from the open commands, or is of none. */
const body = fc.oneof(
  fc.record({
    kind: fc.constant('ranked' as const),
    offers: fc.constantFrom([], [offer('FIN-01', 1), offer('FIN-02', 2), offer('FIN-03', null)]),
    nextTryAtMs: fc.constant(null),
    error,
  }),
  fc.record({
    kind: fc.constant('create_answered' as const),
    outcome: fc.oneof(
      fc.constant({ kind: 'created' as const, providerId: 'm1', adopted: false, priceUsdPerHour: null }),
      fc.constant({ kind: 'unknown' as const, message: '' }),
      error.map((e) => ({ kind: 'refused' as const, error: e ?? { errorClass: 'capacity' as const, message: '' } })),
    ),
  }),
  fc.record({ kind: fc.constant('found' as const), sightings: fc.array(sighting, { maxLength: 3 }), error }),
  fc.record({ kind: fc.constant('looked' as const), sighting: fc.option(sighting, { nil: null }), error }),
  fc.record({ kind: fc.constant('acted' as const), error }),
  fc.record({ kind: fc.constant('waited' as const) }),
  fc.record({ kind: fc.constant('proved' as const), facts: fc.constant({ models: [], loadMs: 0, generationMs: 0 }) }),
  fc.record({
    kind: fc.constant('proof_failed' as const),
    failure: fc.constantFrom(
      'unreachable',
      'no_gpu',
      'cpu_only',
      'wrong_digest',
      'model_missing',
      'host_key_changed',
      'timeout',
    ),
    message: fc.constant(''),
  }),
  fc.record({ kind: fc.constant('serve_ended' as const), reason: fc.constant('') }),
  fc.record({ kind: fc.constant('drained' as const), callsCut: fc.constant(0) }),
  fc.record({ kind: fc.constant('demand_rechecked' as const), work: fc.boolean() }),
);

const happening = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ body, pick: fc.nat(5), afterMs: fc.constantFrom(0, 200, 10_000, 40_000, 1_000_000) }),
  },
  fc.record({
    request: fc.constantFrom('serve', 'cordon', 'uncordon', 'suspend', 'wake', 'destroy'),
    afterMs: fc.constantFrom(0, 200),
  }),
);

type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

const ANSWERED_BY: Readonly<Record<string, readonly string[]>> = {
  ranked: ['rank'],
  create_answered: ['create'],
  found: ['find'],
  looked: ['look'],
  acted: ['remember', 'shutdown', 'start', 'hibernate', 'delete', 'delete_volume', 'restart_model_server', 'reboot'],
  waited: ['wait'],
  proved: ['serve'],
  proof_failed: ['serve'],
  serve_ended: ['serve'],
  drained: ['drain'],
  demand_rechecked: ['recheck_demand'],
};

function eventOf(state: InstanceState, one: Happening, atMs: number): LifeEvent {
  if ('request' in one) return { kind: 'requested', request: one.request, reason: 'asked', atMs } as LifeEvent;
  const fitting = state.open.filter((c) => ANSWERED_BY[one.body.kind]?.includes(c.kind));
  const commandId = fitting[one.pick % Math.max(fitting.length, 1)]?.id ?? one.pick;
  return { ...one.body, commandId, atMs } as LifeEvent;
}

/** Answers whatever is open, so that a life goes on. */
function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) freeze(part);
  }
  return value;
}

it('takes any event at any time, keeps its state plain, never has two creates open, never acts after its end', () => {
  const phases = new Set<string>();
  fc.assert(
    fc.property(fc.array(happening, { minLength: 1, maxLength: 120 }), (happenings) => {
      let atMs = 1_000_000;
      let state = freeze(step(initialState('visual-1', SETTINGS, atMs), { kind: 'born', atMs }).state);
      for (const one of happenings) {
        atMs += one.afterMs;
        const event = freeze(eventOf(state, one, atMs));
        const ended = state.phase === 'gone' || state.phase === 'failed';
        const next = step(state, event);
        expect(JSON.parse(JSON.stringify(next.state))).toEqual(next.state);
        expect(next.state.open.filter((c) => c.kind === 'create').length).toBeLessThanOrEqual(1);
        expect(new Set(next.state.open.map((c) => c.id)).size).toBe(next.state.open.length);
        if (ended) expect(next).toEqual({ state, commands: [], transitions: [] });
        else if (next.state.phase !== 'gone' && next.state.phase !== 'failed' && next.state.phase !== 'suspended')
          expect(next.state.open.length).toBeGreaterThan(0);
        phases.add(next.state.phase);
        state = freeze(next.state);
      }
    }),
    { numRuns: RUNS, seed: 20_261_005 },
  );
  // The lives reached every phase, or the property would say little.
  expect([...phases].toSorted()).toEqual([
    'booting',
    'cordoned',
    'creating',
    'destroying',
    'failed',
    'gone',
    'planned',
    'ready',
    'suspended',
    'suspending',
    'waking',
  ]);
});

it('ignores answers to commands that are not open, and a second birth', () => {
  const atMs = 0;
  const born = step(initialState('visual-1', SETTINGS, atMs), { kind: 'born', atMs });
  expect(step(born.state, { kind: 'born', atMs }).state).toEqual(born.state);
  const stranger = { kind: 'create_answered', commandId: 99, outcome: { kind: 'unknown', message: '' }, atMs } as const;
  expect(step(born.state, stranger)).toEqual({ state: born.state, commands: [], transitions: [] });
  // The id of an open command of another kind is no answer to it.
  expect(step(born.state, { ...stranger, commandId: born.commands[0]?.id ?? 0 }).commands).toEqual([]);
});

it('refuses a name that cannot be part of a host name at birth, not later', () => {
  expect(() => initialState('Visual_1', SETTINGS, 0)).toThrow(RangeError);
  expect(() => initialState('visual-1', { ...SETTINGS, installationId: 'no-hyphen' }, 0)).toThrow(RangeError);
});
