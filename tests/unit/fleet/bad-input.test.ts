/**
 * Mistakes in input: each mistake is told by its class and in words that say what to do, before anything is bought, and is not
 * asked about again and again.
 */
import { expect, it } from 'vitest';
import { answerOf } from '../../../activities/fleet/instance/provider-answer.ts';
import { capacityReason } from '../../../activities/decks/waiting/capacity.ts';
import { findCredentials } from '../../../clouds/datacrunch/credentials.ts';
import type { CloudProvider } from '../../../clouds/provider.ts';
import { assertSelectable } from '../../../domain/fleet/selection/build-ladder.ts';
import type { LadderPolicy } from '../../../domain/fleet/selection/ladder-input.ts';
import { VirtualInstance } from '../../../testing/fleet/virtual-instance.ts';
import { atMostOne } from '../../../testing/fleet/run-plan.ts';
import type { LadderOf } from '../../../testing/fleet/virtual-ladder.ts';
import { POLICY } from './selection-catalogue.ts';

const MINUTE = 60_000;

/** A ladder that is asked for as the activity does it, and refused for the reason under test. */
const refusedLadder =
  (ask: (provider: CloudProvider) => Promise<unknown>): LadderOf =>
  (provider) =>
  async () => {
    const { error } = await answerOf(() => ask(provider));
    if (error === null) throw new Error('it was accepted');
    return { offers: [], nextTryAtMs: null, error };
  };

/** The wish of a pool against what the simulated provider sells. */
const wishing = (changes: Partial<LadderPolicy>, weightsGib = 8): LadderOf =>
  refusedLadder(async (provider) => {
    const catalogue = await provider.listInstanceTypes();
    const locations = (await provider.listLocations()).map((l) => l.code);
    const models = [{ modelName: 'gemma3:12b', weightsGib, kvCacheGibPerSlot: 1 }];
    return assertSelectable({ policy: { ...POLICY, ...changes }, catalogue, locations, models, slots: 2 });
  });

const start = (rank: LadderOf): VirtualInstance => new VirtualInstance({ rank, check: atMostOne });
const ranked = (life: VirtualInstance): number => life.executed.filter((e) => e.command.kind === 'rank').length;

it.each([
  ['an unknown selector', wishing({ selector: 'h100-or-les' }), 'Did you mean h100-or-less?'],
  ['a location that does not exist', wishing({ locations: ['FIN-99'] }), 'There is no location FIN-99.'],
  ['a model that fits no allowed tier', wishing({ selector: 'v100' }, 70), '1V100.6V, has 16 GiB'],
])('%s ends the life with its reason, after one look and without a create', async (_, rank, words) => {
  const life = start(rank);
  await life.runUntil(() => life.isOver, MINUTE);
  expect(life.state.phase).toBe('failed');
  expect(life.state.reason).toContain(words);
  expect(ranked(life)).toBe(1);
  expect(life.creates).toEqual([]);
});

it.each([
  [
    'credentials that the provider refuses',
    refusedLadder((provider) => provider.listInstanceTypes()),
    'deckhand credentials test datacrunch',
  ],
  [
    'credentials that are missing',
    refusedLadder(async () =>
      findCredentials(
        { clientId: undefined, clientSecret: undefined, credentialsFile: '/nonexistent/credentials' },
        'https://api.verda.com/v1',
      ),
    ),
    'deckhand credentials set',
  ],
])(
  '%s are told once with the next step; a deck hears why it waits; nothing is asked in a hurry',
  async (_, rank, words) => {
    const life = start(rank);
    life.sim.setFaults([{ match: {}, effect: 'error', status: 401, code: 'unauthorized_request' }]);
    await life.runFor(60 * MINUTE);
    expect(life.state).toMatchObject({ phase: 'planned', step: { kind: 'pausing' } });
    expect(life.state.reason).toContain(words);
    expect(life.alerts).toHaveLength(1);
    expect(life.alerts[0]).toContain(words);
    expect(ranked(life)).toBeLessThanOrEqual(16);
    expect(life.creates).toEqual([]);
    const { name, phase, phaseSinceMs, reason } = life.state;
    const seen = {
      classes: ['gpu-visual'],
      reasons: [],
      nextLookAtMs: null,
      instances: [{ name, phase, phaseSinceMs, reason }],
    };
    expect(capacityReason([{ name: 'visual', ...seen }], 'gpu-visual', life.nowMs)).toContain(words);
  },
);
