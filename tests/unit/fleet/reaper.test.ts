/** What the reaper takes, what it leaves, and that one look is never enough. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INSTANCE_PHASES } from '../../../domain/fleet/instance-life/types.ts';
import {
  disksToGiveUp,
  planReaping,
  REAPABLE_KINDS,
  type KnownInstance,
  type ListedResource,
  type ReapInput,
} from '../../../domain/fleet/reaper.ts';

const NOW_MS = 10_000_000;

const resource = (changes: Partial<ListedResource> = {}): ListedResource => ({
  kind: 'instance',
  resourceId: 'id-1',
  name: 'dh-inst-visual-1-1',
  instanceName: 'visual-1',
  createdAtMs: NOW_MS - 3_600_000,
  attached: false,
  ...changes,
});

const known = (changes: Partial<KnownInstance> = {}): KnownInstance => ({
  name: 'visual-1',
  phase: 'ready',
  phaseSinceMs: NOW_MS - 60_000,
  workflowRuns: true,
  providerId: 'id-1',
  osVolumeId: 'vol-1',
  keptVolumeLocation: null,
  openHostnames: [],
  ...changes,
});

const input = (changes: Partial<ReapInput> = {}): ReapInput => ({
  nowMs: NOW_MS,
  listed: [resource()],
  instances: [known()],
  idsInUse: new Set(),
  candidates: [],
  minAgeMs: 600_000,
  quarantineMs: 60_000,
  ...changes,
});

const seenBefore = (ageMs: number, about = resource()) => [
  { kind: about.kind, resourceId: about.resourceId, firstSeenAtMs: NOW_MS - ageMs },
];

const verdictOf = (changes: Partial<ReapInput>) => planReaping(input(changes)).verdicts[0];

describe('the reaper', () => {
  it('keeps the machine of a living instance', () => {
    expect(verdictOf({})?.verdict).toBe('keep');
  });

  it('keeps a machine that an instance has asked for and not found yet', () => {
    const instances = [known({ providerId: null, phase: 'creating', openHostnames: ['dh-inst-visual-1-1'] })];
    expect(verdictOf({ instances, candidates: seenBefore(3_600_000) })?.verdict).toBe('keep');
  });

  it('puts a machine of an ended instance into quarantine at the first sighting and takes it at the second', () => {
    const instances = [known({ phase: 'gone' })];
    expect(verdictOf({ instances })?.verdict).toBe('quarantine');
    expect(verdictOf({ instances, candidates: seenBefore(30_000) })?.verdict).toBe('quarantine');
    expect(verdictOf({ instances, candidates: seenBefore(60_000) })?.verdict).toBe('reap');
  });

  it('scenario 30: takes a machine that appears after its intent was given up, at the second sighting, without waiting for its age', () => {
    const late = resource({ resourceId: 'id-late', name: 'dh-inst-visual-1-0', createdAtMs: NOW_MS - 90_000 });
    expect(verdictOf({ listed: [late] })?.verdict).toBe('quarantine');
    expect(verdictOf({ listed: [late], candidates: seenBefore(90_000, late) })?.verdict).toBe('reap');
  });

  it('leaves a young machine alone that nothing is known of', () => {
    const young = resource({ instanceName: 'visual-9', createdAtMs: NOW_MS - 1_000 });
    expect(verdictOf({ listed: [young], candidates: seenBefore(60_000, young) })?.verdict).toBe('keep');
  });

  it('takes an old machine that nothing is known of', () => {
    const old = resource({ instanceName: 'visual-9' });
    expect(verdictOf({ listed: [old], candidates: seenBefore(60_000, old) })?.verdict).toBe('reap');
  });

  it('keeps a detached disk of a suspended instance and takes that of one that is gone', () => {
    const disk = resource({ kind: 'volume', resourceId: 'vol-1' });
    const candidates = seenBefore(60_000, disk);
    expect(verdictOf({ listed: [disk], candidates, instances: [known({ phase: 'suspended' })] })?.verdict).toBe('keep');
    expect(verdictOf({ listed: [disk], candidates, instances: [known({ phase: 'gone' })] })?.verdict).toBe('reap');
    const other = known({ phase: 'ready', osVolumeId: 'vol-2' });
    expect(verdictOf({ listed: [disk], candidates, instances: [other] })?.verdict).toBe('reap');
  });

  it('never takes a disk that is attached', () => {
    const disk = resource({ kind: 'volume', resourceId: 'vol-1', attached: true });
    const changes = { listed: [disk], instances: [known({ phase: 'gone' })], candidates: seenBefore(60_000, disk) };
    expect(verdictOf(changes)?.verdict).toBe('keep');
  });

  it('keeps the key and the scripts in use and takes the others', () => {
    const key = resource({ kind: 'ssh_key', resourceId: 'key-1', instanceName: null });
    const candidates = seenBefore(60_000, key);
    expect(verdictOf({ listed: [key], candidates, idsInUse: new Set(['key-1']) })?.verdict).toBe('keep');
    expect(verdictOf({ listed: [key], candidates, idsInUse: new Set(['key-2']) })?.verdict).toBe('reap');
  });

  it('takes an instance for living while Temporal cannot be asked', () => {
    expect(verdictOf({ instances: [known({ workflowRuns: null })], candidates: seenBefore(600_000) })?.verdict).toBe(
      'keep',
    );
    expect(planReaping(input({ instances: [known({ workflowRuns: null })] })).lost).toEqual([]);
  });

  it('names instances whose workflow does not run, in the other direction', () => {
    const { lost, verdicts } = planReaping(input({ instances: [known({ workflowRuns: false })] }));
    expect(lost.map((l) => l.name)).toEqual(['visual-1']);
    expect(verdicts[0]?.verdict).toBe('quarantine');
  });

  it('never takes what a living instance owns, and nothing at its first sighting', () => {
    const arbitraryResource = fc.record({
      kind: fc.constantFrom(...REAPABLE_KINDS),
      resourceId: fc.constantFrom('id-1', 'id-2', 'vol-1'),
      name: fc.constantFrom('dh-inst-visual-1-1', 'dh-inst-visual-1-2'),
      instanceName: fc.constantFrom('visual-1', 'visual-2', null),
      createdAtMs: fc.option(fc.integer({ min: 0, max: NOW_MS })),
      attached: fc.boolean(),
    });
    const arbitraryInstance = fc.record({
      name: fc.constantFrom('visual-1', 'visual-2'),
      phase: fc.constantFrom(...INSTANCE_PHASES),
      phaseSinceMs: fc.integer({ min: 0, max: NOW_MS }),
      workflowRuns: fc.option(fc.boolean()),
      providerId: fc.option(fc.constantFrom('id-1', 'id-2')),
      osVolumeId: fc.option(fc.constantFrom('vol-1')),
      keptVolumeLocation: fc.constant(null),
      openHostnames: fc.subarray(['dh-inst-visual-1-1', 'dh-inst-visual-1-2']),
    });
    fc.assert(
      fc.property(
        arbitraryResource,
        arbitraryInstance,
        fc.option(fc.integer({ min: 0, max: NOW_MS })),
        (listed, instance, seenAtMs) => {
          const candidates =
            seenAtMs === null ? [] : [{ kind: listed.kind, resourceId: listed.resourceId, firstSeenAtMs: seenAtMs }];
          const plan = planReaping(input({ listed: [listed], instances: [instance], candidates }));
          const verdict = plan.verdicts[0]?.verdict;
          if (seenAtMs === null) expect(verdict).not.toBe('reap');
          const livingOwner =
            listed.kind === 'instance' &&
            listed.instanceName === instance.name &&
            instance.providerId === listed.resourceId &&
            instance.workflowRuns !== false &&
            instance.phase !== 'gone' &&
            instance.phase !== 'failed';
          if (livingOwner) expect(verdict).toBe('keep');
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('kept disks', () => {
  const disk = (instanceName: string, ageHours: number) => ({
    instanceName,
    keptSinceMs: NOW_MS - ageHours * 3_600_000,
  });
  const limits = { nowMs: NOW_MS, maxCount: 2, maxAgeMs: 100 * 3_600_000 };

  it('are given up when they are too many, the oldest first', () => {
    expect(disksToGiveUp([disk('a', 3), disk('b', 1), disk('c', 2)], limits).map((d) => d.instanceName)).toEqual(['a']);
  });

  it('are given up when they are too old', () => {
    expect(disksToGiveUp([disk('a', 101)], limits).map((d) => d.instanceName)).toEqual(['a']);
    expect(disksToGiveUp([disk('a', 99)], limits)).toEqual([]);
  });
});
