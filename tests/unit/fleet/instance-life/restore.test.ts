/** States that earlier versions carried through continue-as-new are read, converted once, and lived on. */
import { expect, it } from 'vitest';
import { NEW_MEMORY } from '../../../../domain/fleet/instance-life/memory.ts';
import { initialState, reduce } from '../../../../domain/fleet/instance-life/reducer.ts';
import { restoreState, type EarlierState } from '../../../../domain/fleet/instance-life/restore.ts';
import type { InstanceState } from '../../../../domain/fleet/instance-life/types.ts';
import { instanceSettingsForTests } from '../../../../testing/instance-settings.ts';

const settings = instanceSettingsForTests();

/** As JSON, which is what crosses continue-as-new. */
function earlier(errand: string, notes: Record<string, number>, changes: Partial<InstanceState> = {}): EarlierState {
  const { step: _, memory: __, ...others } = initialState('visual-1-ab12', settings, 1000);
  return JSON.parse(JSON.stringify({ ...others, ...changes, errand, notes })) as EarlierState;
}

it('every note finds its place', () => {
  const notes = {
    absentSince: 1, landsUntil: 2, lookedAt: 3, watchAt: 4, rankedAt: 5, proveSince: 6,
    emptyPasses: 7, volumeRefused: 1, strategy: 2, priced: 1, modelReplaced: 1, endAsFailed: 1, loadMs: 900,
    'told:late:srv-1': 8, 'proof:unreachable': 3,
    'health:gpu_lost': 2, 'healthAt:gpu_lost': 9, 'healthReboots:gpu_lost': 1, healthEpisode: 10,
    'leaving:dh-a': 11, 'absent:dh-a': 12, 'given_up:dh-b': 13, 'blind:srv-2': 14, 'bare:srv-3': 15,
    removeSince: 16, orderedAt: 17, endedByProvider: 1,
  }; // prettier-ignore
  const { step, memory } = restoreState(earlier('removing', notes));
  expect(step).toEqual({ kind: 'removing', sinceMs: 16, orderedAtMs: 17, isEndedByProvider: true });
  expect(memory).toEqual({
    times: { absentSince: 1, landsUntil: 2, lookedAt: 3, leftoversDueAt: 4, rankedAt: 5, checkingSince: 6 },
    emptyPasses: 7,
    volumeRefusals: 1,
    strategy: 2,
    isPriced: true,
    hasReplacedForModels: true,
    endsAsFailed: true,
    loadMs: 900,
    alerted: ['late:srv-1'],
    readinessFailures: { unreachable: 3 },
    repairs: { gpu_lost: { count: 2, lastMs: 9, reboots: 1 } },
    repairedEpisodeMs: 10,
    leftovers: { 'dh-a': { leavingSinceMs: 11, absentSinceMs: 12 }, 'dh-b': { givenUpSinceMs: 13 } },
    endedUnseen: ['srv-2'],
    endedWithoutDisks: ['srv-3'],
  });
});

it.each([
  ['unborn', {}, { kind: 'new' }],
  ['ranking', {}, { kind: 'ranking' }],
  ['pausing', { pauseUntil: 5 }, { kind: 'pausing', untilMs: 5 }],
  ['seeking', { seekLooks: 2 }, { kind: 'finding', looks: 2 }],
  ['starting', { bootSince: 5, pollMs: 7 }, { kind: 'starting', sinceMs: 5, pollMs: 7 }],
  ['proving', {}, { kind: 'checking' }],
  ['repairing', { attachAt: 5 }, { kind: 'repairing', attachAtMs: 5 }],
  ['draining', { drainSince: 5 }, { kind: 'draining', sinceMs: 5 }],
  ['watched', {}, { kind: 'watched', attachAtMs: 0 }],
  ['stopping', { removeSince: 5 }, { kind: 'stopping', sinceMs: 5, orderedAtMs: null }],
  ['vanishing', { orderedAt: 6 }, { kind: 'discontinuing', sinceMs: null, orderedAtMs: 6 }],
  ['ending', { orderedAt: 6 }, { kind: 'ending', orderedAtMs: 6 }],
  ['over', {}, { kind: 'over' }],
])('the step of "%s" carries its own data', (errand, notes, step) => {
  const restored = restoreState(earlier(errand, notes));
  expect(restored).toMatchObject({ step, memory: NEW_MEMORY });
  expect(restored).not.toHaveProperty('notes');
});

it('a life goes on from an earlier state: a pause ends when it was to end, and the ladder is asked for', () => {
  const wait = { id: 4, kind: 'wait', untilMs: 31_000, reason: 'no offer' } as const;
  const state = earlier(
    'pausing',
    { pauseUntil: 31_000, emptyPasses: 2 },
    { open: [wait], nextCommandId: 5, seenAtMs: 1000 },
  );
  const { state: after, commands } = reduce(restoreState(state), { kind: 'waited', atMs: 31_000, commandId: 4 });
  expect(commands).toMatchObject([{ kind: 'rank' }]);
  expect(after).toMatchObject({ step: { kind: 'ranking' }, memory: { emptyPasses: 2 } });
});

it('a state of this version stays as it is', () => {
  const state = initialState('visual-1-ab12', settings, 1000);
  expect(restoreState(state)).toBe(state);
});
