/** What the reaper takes, what it leaves, and that one look is never enough. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INSTANCE_PHASES } from '../../../domain/fleet/phases.ts';
import {
  planReaping,
  REAPABLE_KINDS,
  type KnownInstance,
  type KnownPool,
  type ListedResource,
  type ReapInput,
  type ReapVerdict,
} from '../../../domain/fleet/provider/reaper.ts';
import { scriptsInUse } from '../../../domain/fleet/provider/scripts-in-use.ts';
import { forAll } from '../../../testing/property.ts';

const NOW_MS = 10_000_000;

const resource = (changes: Partial<ListedResource> = {}): ListedResource => ({
  kind: 'instance',
  provider: 'datacrunch',
  resourceId: 'id-1',
  name: 'dh-inst-visual-1-1',
  instanceName: 'visual-1',
  createdAtMs: NOW_MS - 3_600_000,
  disk: null,
  ...changes,
});

const disk = (changes: Partial<ListedResource> = {}, attachedTo: string | null = null, attempt = 1): ListedResource =>
  resource({
    kind: 'volume',
    resourceId: 'vol-1',
    name: `dh-inst-visual-1-${attempt}-os`,
    disk: { hostname: `dh-inst-visual-1-${attempt}`, location: 'FIN-01', attachedTo },
    ...changes,
  });

const known = (changes: Partial<KnownInstance> = {}): KnownInstance => ({
  name: 'visual-1',
  phase: 'ready',
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
  pools: [],
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
  const HOUR_MS = 3_600_000;
  const late = resource({ resourceId: 'id-late', name: 'dh-inst-visual-1-0', createdAtMs: NOW_MS - 90_000 });
  const unknown = resource({ instanceName: 'visual-9' });
  const part = resource({ kind: 'part', resourceId: 'ip-1', name: 'dh-inst-visual-1-2', createdAtMs: null });
  const gone = known({ phase: 'gone' });
  const asleep = known({ phase: 'suspended', providerId: null });
  const asking = (openHostname: string) =>
    known({ phase: 'creating', providerId: null, osVolumeId: null, openHostnames: [openHostname] });
  const making = asking('dh-inst-visual-1-1');
  const cold = known({ providerId: 'id-2', osVolumeId: 'vol-2', keptVolumeLocation: 'FIN-01' });

  it.each<[string, ListedResource, seenForMs: number | null, KnownInstance | null, ReapVerdict['verdict']]>([
    ['keeps the machine of a living instance', resource(), HOUR_MS, known(), 'keep'],
    ['keeps a machine that an instance has asked for and not found yet', resource(), HOUR_MS, making, 'keep'],
    ['puts a machine of an ended instance into quarantine at the first sighting', resource(), null, gone, 'quarantine'],
    ['leaves it there for the time of a quarantine', resource(), 59_999, gone, 'quarantine'],
    ['takes it after that', resource(), 60_000, gone, 'reap'],
    ['scenario 30: quarantines a machine whose intent was given up at first', late, null, known(), 'quarantine'],
    ['scenario 30: takes it at the second sighting, without waiting for its age', late, 90_000, known(), 'reap'],
    [
      'leaves a young machine alone that nothing is known of',
      { ...unknown, createdAtMs: NOW_MS - 1_000 },
      60_000,
      known(),
      'keep',
    ],
    ['takes an old machine that nothing is known of', unknown, 60_000, known(), 'reap'],
    ['keeps a detached disk of a suspended instance', disk(), 60_000, asleep, 'keep'],
    ['takes a detached disk of an instance that is gone', disk(), 60_000, gone, 'reap'],
    ['takes a detached disk that its instance does not boot', disk(), 60_000, known({ osVolumeId: 'vol-2' }), 'reap'],
    ['keeps the disk that an instance which woke cold elsewhere still has registered', disk(), HOUR_MS, cold, 'keep'],
    [
      'takes it when the registered one is in another place',
      disk(),
      HOUR_MS,
      { ...cold, keptVolumeLocation: 'ICE-01' },
      'reap',
    ],
    ['keeps a disk whose machine an instance is still making or ending', disk(), HOUR_MS, making, 'keep'],
    ['never takes a disk off a machine', disk({}, 'id-1'), 60_000, gone, 'keep'],
    ['keeps a part that a create under way has just made', part, HOUR_MS, asking('dh-inst-visual-1-2'), 'keep'],
    ['takes a part of an instance that is gone', part, HOUR_MS, gone, 'reap'],
    ['takes a part that belongs to nothing', part, HOUR_MS, null, 'reap'],
    ['puts such a part into quarantine at the first sighting', part, null, null, 'quarantine'],
    [
      'takes an instance for living while Temporal cannot be asked',
      resource(),
      HOUR_MS,
      known({ workflowRuns: null }),
      'keep',
    ],
  ])('%s', (_rule, listed, seenForMs, instance, verdict) => {
    const candidates = seenForMs === null ? [] : seenBefore(seenForMs, listed);
    const instances = instance === null ? [] : [instance];
    expect(verdictOf({ listed: [listed], candidates, instances })?.verdict).toBe(verdict);
  });

  it('the reaper takes a part of a create that was given up, although another one of its instance is under way, and says so', () =>
    expect(verdictOf({ listed: [part], instances: [making], candidates: seenBefore(HOUR_MS, part) })).toMatchObject({
      verdict: 'reap',
      reason: expect.stringContaining('visual-1 gave dh-inst-visual-1-2 up'),
    }));

  it('takes the ownerless disks of a machine with it, and leaves the disk that a living instance keeps', () => {
    const machine = resource({ resourceId: 'id-late', name: 'dh-inst-visual-1-2' });
    const candidates = seenBefore(60_000, machine);
    const listed = [machine, disk({}, 'id-late')];
    const expected = { verdict: 'reap', disksToo: [] };
    expect(verdictOf({ listed, candidates, instances: [asleep] })).toMatchObject(expected);
    expect(verdictOf({ listed, candidates, instances: [gone] })?.disksToo).toEqual(['vol-1']);
  });

  it('keeps the key and the scripts in use and takes the others', () => {
    const key = resource({ kind: 'ssh_key', resourceId: 'key-1', instanceName: null });
    const candidates = seenBefore(60_000, key);
    expect(verdictOf({ listed: [key], candidates, idsInUse: new Set(['key-1']) })?.verdict).toBe('keep');
    expect(verdictOf({ listed: [key], candidates, idsInUse: new Set(['key-2']) })?.verdict).toBe('reap');
  });

  it('names instances whose workflow does not run, in the other direction', () => {
    const { lost, verdicts } = planReaping(input({ instances: [known({ workflowRuns: false })] }));
    expect(lost.map((l) => l.name)).toEqual(['visual-1']);
    expect(verdicts[0]?.verdict).toBe('quarantine');
    // Not known is not lost.
    expect(planReaping(input({ instances: [known({ workflowRuns: null })] })).lost).toEqual([]);
  });

  it('never takes what a living instance owns, and nothing at its first sighting', async () => {
    const hostname = fc.constantFrom('dh-inst-visual-1-1', 'dh-inst-visual-1-2');
    const location = fc.constantFrom('FIN-01', 'ICE-01');
    const about = {
      provider: fc.constant('datacrunch'),
      resourceId: fc.constantFrom('id-1', 'id-2', 'vol-1'),
      name: hostname,
      instanceName: fc.constantFrom('visual-1', 'visual-2', null),
      createdAtMs: fc.option(fc.integer({ min: 0, max: NOW_MS })),
    };
    const arbitraryResource: fc.Arbitrary<ListedResource> = fc.oneof(
      fc.record({
        ...about,
        kind: fc.constant('volume' as const),
        disk: fc.record({ hostname, location, attachedTo: fc.constantFrom('id-1', null) }),
      }),
      fc.record({
        ...about,
        kind: fc.constantFrom(...REAPABLE_KINDS.filter((kind) => kind !== 'volume')),
        disk: fc.constant(null),
      }),
    );
    const arbitraryInstance = fc.record({
      name: fc.constantFrom('visual-1', 'visual-2'),
      phase: fc.constantFrom(...INSTANCE_PHASES),
      workflowRuns: fc.option(fc.boolean()),
      providerId: fc.option(fc.constantFrom('id-1', 'id-2')),
      osVolumeId: fc.option(fc.constantFrom('vol-1')),
      keptVolumeLocation: fc.option(location),
      openHostnames: fc.subarray(['dh-inst-visual-1-1', 'dh-inst-visual-1-2']),
    });
    await forAll(
      [arbitraryResource, arbitraryInstance, fc.option(fc.integer({ min: 0, max: NOW_MS }))],
      { runs: 2000 },
      (listed, instance, seenAtMs) => {
        const candidates =
          seenAtMs === null ? [] : [{ kind: listed.kind, resourceId: listed.resourceId, firstSeenAtMs: seenAtMs }];
        const plan = planReaping(input({ listed: [listed], instances: [instance], candidates }));
        const verdict = plan.verdicts[0]?.verdict;
        if (seenAtMs === null) expect(verdict).not.toBe('reap');
        const lives =
          listed.instanceName === instance.name &&
          instance.workflowRuns !== false &&
          instance.phase !== 'gone' &&
          instance.phase !== 'failed';
        const isItsMachine =
          listed.kind === 'instance' &&
          (instance.providerId === listed.resourceId || instance.openHostnames.includes(listed.name));
        const isItsDisk =
          listed.disk !== null &&
          (instance.osVolumeId === listed.resourceId ||
            instance.keptVolumeLocation === listed.disk.location ||
            instance.openHostnames.includes(listed.disk.hostname));
        if (lives && (isItsMachine || isItsDisk)) expect(verdict).toBe('keep');
      },
    );
  });
});

describe('the reaper and deployments', () => {
  const deployment = (isPaused = false, createdAtMs: number | null = NOW_MS - 3_600_000): ListedResource =>
    resource({
      kind: 'deployment',
      resourceId: 'dh-inst-visual',
      name: 'dh-inst-visual',
      instanceName: null,
      createdAtMs,
      deployment: { pool: 'visual', isPaused },
    });
  const aPool = (changes: Partial<KnownPool> = {}): KnownPool => ({
    name: 'visual',
    isDeployed: true,
    workflowRuns: true,
    claims: 0,
    claimEndedAtMs: null,
    ...changes,
  });
  const judged = (pool: Partial<KnownPool>, listed = deployment()) =>
    verdictOf({ listed: [listed], pools: [aPool(pool)], candidates: seenBefore(60_000, listed) });

  it('keeps one of which replicas are claimed, whatever else is known', () => {
    for (const isDeployed of [true, false])
      for (const workflowRuns of [true, false, null])
        expect(judged({ claims: 1, isDeployed, workflowRuns })).toMatchObject({ verdict: 'keep' });
  });

  it('keeps one that its pool has paused, and takes one that runs without a claim', () => {
    expect(judged({}, deployment(true))).toMatchObject({ verdict: 'keep', reason: 'pool visual keeps it paused' });
    expect(judged({})).toMatchObject({ verdict: 'reap' });
  });

  it('leaves the pool the time to pause it after the last claim', () => {
    expect(judged({ claimEndedAtMs: NOW_MS - 599_000 })).toMatchObject({ verdict: 'keep' });
    expect(judged({ claimEndedAtMs: NOW_MS - 600_000 })).toMatchObject({ verdict: 'reap' });
  });

  it('takes one whose pool is not configured any more or does not run, also where it is paused', () => {
    expect(judged({ isDeployed: false }, deployment(true))).toMatchObject({
      verdict: 'reap',
      reason: expect.stringContaining('pool visual is not configured with it any more'),
    });
    expect(judged({ workflowRuns: false }, deployment(true))).toMatchObject({
      verdict: 'reap',
      reason: expect.stringContaining('no workflow runs for pool visual any more'),
    });
    expect(judged({ workflowRuns: null, isDeployed: false })).toMatchObject({ verdict: 'keep' });
  });

  it('leaves a young one alone whose pool is not configured: another process may know it', () => {
    expect(judged({ isDeployed: false }, deployment(false, NOW_MS - 1_000))).toMatchObject({ verdict: 'keep' });
    expect(judged({ isDeployed: false }, deployment(false, null))).toMatchObject({ verdict: 'reap' });
  });

  it('takes none that may be in use, none at its first sighting, and every other one at the second', async () => {
    const aMoment = fc.option(fc.integer({ min: 0, max: NOW_MS }));
    const pool = fc.record({
      name: fc.constantFrom('visual', 'text'),
      isDeployed: fc.boolean(),
      workflowRuns: fc.option(fc.boolean()),
      claims: fc.nat(3),
      claimEndedAtMs: aMoment,
    });
    await forAll([pool, fc.boolean(), aMoment, aMoment], { runs: 2000 }, (of, isPaused, createdAtMs, firstSeenAtMs) => {
      const listed = deployment(isPaused, createdAtMs);
      const candidates =
        firstSeenAtMs === null ? [] : [{ kind: listed.kind, resourceId: listed.resourceId, firstSeenAtMs }];
      const verdict = verdictOf({ listed: [listed], pools: [of], candidates })?.verdict;
      const isYoung = (atMs: number | null) => atMs !== null && NOW_MS - atMs < 600_000;
      const isUsed =
        of.name !== 'visual' ||
        of.claims > 0 ||
        of.workflowRuns === null ||
        isYoung(of.claimEndedAtMs) ||
        (of.isDeployed ? of.workflowRuns && isPaused : isYoung(createdAtMs));
      const isSeenAgain = firstSeenAtMs !== null && NOW_MS - firstSeenAtMs >= 60_000;
      expect(verdict).toBe(isUsed ? 'keep' : isSeenAgain ? 'reap' : 'quarantine');
    });
  });
});

describe('startup scripts', () => {
  const script = (fingerprint: string, createdAtMs: number) => ({ id: `id-${fingerprint}`, fingerprint, createdAtMs });
  const scripts = [script('visual', 1000), script('text', 2000), script('older', 500)];
  const idsInUse = (oldestBirthMs: number | null, present = ['visual', 'text']) =>
    scriptsInUse(scripts, new Set(present), oldestBirthMs).map((s) => s.id);

  it('of every pool are in use, not only the newest', () => expect(idsInUse(null)).toEqual(['id-visual', 'id-text']));

  it('of an earlier configuration are kept while an instance lives that was born by it', () => {
    expect(idsInUse(1500)).toHaveLength(3);
    expect(idsInUse(2500)).toEqual(['id-visual', 'id-text']);
    expect(idsInUse(2500, ['not-made-yet'])).toHaveLength(3);
    expect(idsInUse(null, ['not-made-yet'])).toEqual([]);
  });
});
