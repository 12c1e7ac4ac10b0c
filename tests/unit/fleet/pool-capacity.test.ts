/** What a deck that waits is told of its GPU. */
import { describe, expect, it } from 'vitest';
import { capacityReason, type PoolCapacity } from '../../../activities/decks/waiting/capacity.ts';
import { waitingReason } from '../../../activities/decks/waiting/waiting.ts';
import { INSTANCE_PHASES, type InstancePhase } from '../../../domain/fleet/phases.ts';

const NOW_MS = 1_000_000;
const pool = (phases: readonly InstancePhase[], changes: Partial<PoolCapacity> = {}): PoolCapacity => ({
  name: 'visual',
  classes: ['gpu-visual'],
  reasons: ['No offer has stock.'],
  nextLookAtMs: NOW_MS + 30_000,
  instances: phases.map((phase, index) => ({
    name: `visual-${index}`,
    phase,
    phaseSinceMs: NOW_MS - 65_000,
    reason: 'as told',
  })),
  ...changes,
});
const reason = (...pools: PoolCapacity[]): string | null => capacityReason(pools, 'gpu-visual', NOW_MS);

describe('a deck that waits for a GPU', () => {
  it.each([
    ['visual-0 is being rented (1 min 5 s so far: as told)', pool(['creating'])],
    ['visual-0 is booting (1 min 5 s so far: as told)', pool(['booting'])],
    ['visual-0 is waking (1 min 5 s so far: as told)', pool(['waking'])],
    ['a free place at visual-0', pool(['ready'])],
    ['visual-0 is being put to sleep and wakes afterwards', pool(['suspending'])],
    ['visual-0 is cordoned (as told)', pool(['cordoned'])],
    ['pool visual has no instance awake (No offer has stock); it looks again in 30 s', pool(['suspended'])],
    ['pool visual has no instance awake (No offer has stock); it looks again in 30 s', pool([])],
    ['no pool serves gpu-visual; name one in the fleet file', pool(['ready'], { classes: ['gpu-text'] })],
  ])('a deck that waits for a GPU is told: %s', (text, seen) => expect(reason(seen)).toBe(text));

  it('a deck that waits for a GPU hears of the instance that is nearest to serving it', () =>
    expect(reason(pool(['suspended', 'creating', 'booting']))).toMatch(/^visual-2 is booting/u));

  it('a deck that waits for a GPU hears nothing where no pool is known', () => expect(reason()).toBeNull());

  it('a deck that waits for a GPU hears something in every phase', () => {
    for (const phase of INSTANCE_PHASES) expect(reason(pool([phase]))).toBeTruthy();
  });
});

describe('the whole sentence', () => {
  const activity = { name: 'describeSlide', started: false, scheduledAtMs: NOW_MS - 60_000, lastFailure: null };

  it('the sentence of a waiting deck names the host and what it is doing', () =>
    expect(waitingReason([activity], NOW_MS, [pool(['booting'])])).toBe(
      'a model host for images: visual-0 is booting (1 min 5 s so far: as told)',
    ));

  it('the sentence of a waiting deck says too that no host has shown its models yet', () => {
    const planning = {
      ...activity,
      name: 'planSlides',
      lastFailure: 'Waiting for a host that serves gemma3:12b.',
      lastFailureCode: 'model_not_ready',
    };
    expect(waitingReason([planning], NOW_MS, [pool(['booting'])])).toBe(
      'a host that serves gemma3:12b: visual-0 is booting (1 min 5 s so far: as told)',
    );
  });

  it('of a text stage whose model no host has shown yet names the text pool, not the visual one', () => {
    const planning = {
      ...activity,
      name: 'planExtractions',
      lastFailure: 'Waiting for a host that serves phi4.',
      lastFailureCode: 'model_not_ready',
    };
    const text = { ...pool([]), name: 'text', classes: ['gpu-text'], reasons: ['Nothing was asked.'] };
    expect(waitingReason([planning], NOW_MS, [pool(['ready']), text])).toMatch(
      /^a host that serves phi4: pool text has no instance awake/u,
    );
  });

  it('the sentence of work for the processor says nothing of GPUs', () =>
    expect(waitingReason([{ ...activity, name: 'convertWindow' }], NOW_MS, [pool(['booting'])])).toBe(
      'a convert worker',
    ));
});
