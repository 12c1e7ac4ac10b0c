/**
 * The reaper on real Temporal, Postgres and a simulated provider: what appears behind Deckhand's back under its names goes at the second
 * sighting, what has an owner stays, and nothing of others is ever touched.
 */
import { ScheduleNotFoundError, type ScheduleDescription } from '@temporalio/client';
import { afterEach, beforeAll, expect, it } from 'vitest';
import type { ReapReportDocument } from '../../api/client.ts';
import { scriptFingerprint } from '../../activities/fleet/instance/boot-material.ts';
import { poolStartupScript } from '../../activities/gateway/pool-startup-script.ts';
import { DATACRUNCH } from '../../clouds/datacrunch/provider.ts';
import { AZURE_SIMULATOR_CREDENTIALS } from '../../clouds/azure/credentials.ts';
import { AZURE } from '../../clouds/azure/provider.ts';
import { azureSettingsSchema } from '../../clouds/azure/settings.ts';
import { partOf } from '../../clouds/parts.ts';
import type { CloudProvider } from '../../clouds/provider.ts';
import { makeHostname, makeOsVolumeName, makeScriptName, makeSshKeyName } from '../../domain/fleet/provider/names.ts';
import { loadFleet } from '../../clouds/fleet-file.ts';
import { createSimulatedAzure } from '../../simulators/clouds/azure/app.ts';
import { serveSimulator } from '../../simulators/clouds/core/serving.ts';
import type { SimInstance } from '../../simulators/clouds/core/state.ts';
import { orderVolume } from '../../simulators/clouds/core/volumes.ts';
import { REAPER_SCHEDULE_ID } from '../../contracts/reaper.ts';
import { INSTALLATION_ID, QUICK_SCENARIO, startFleetRig, testPool } from '../../testing/fleet-rig.ts';
import { until } from '../../testing/until.ts';
import { sharedServers } from '../../testing/test-servers.ts';
import { perFile } from '../../testing/per-file.ts';

let account: CloudProvider;
let made = 0;

const AZURE_LOCATION = 'northeurope';
const azure = perFile(() =>
  serveSimulator(createSimulatedAzure({ scenario: { dialect: { networkSec: 0 } } }), { modelServers: false }),
);
const rig = perFile(() =>
  startFleetRig({
    servers: sharedServers,
    scenario: QUICK_SCENARIO,
    // A pool that never starts anything: its script is the one in use.
    pools: [{ name: 'text', classes: ['gpu-text'], selector: 'h100-or-less', min: 0 }],
    reaper: { intervalMs: 86_400_000, minAgeMs: 0, quarantineMs: 300 },
    providers: { azure: { locations: [AZURE_LOCATION], baseUrl: azure.origin } },
  }),
);
beforeAll(async () => {
  account = DATACRUNCH.open({ client: rig.provider.client() });
  // Every other round is asked for by a test.
  await until(firstRounds).is(
    (info) => info !== null && info.recentActions.length === 1 && info.runningActions.length === 0,
  );
});
afterEach(() => rig.provider.setFaults([]));

/** What the schedule has done; null before the control process has made it. */
async function firstRounds(): Promise<ScheduleDescription['info'] | null> {
  try {
    return (await rig.temporal.schedule.getHandle(REAPER_SCHEDULE_ID).describe()).info;
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return null;
    throw error;
  }
}

const newName = (): string => `visual-${(made += 1)}`;
const round = (dryRun: 'true' | 'false' = 'false'): Promise<ReapReportDocument> =>
  rig.client.POST('/fleet/reap', { params: { query: { dryRun } } });
/** Rounds until one is about this thing. */
const roundThatReaps = (id: string): Promise<ReapReportDocument> =>
  until(() => round()).is((report) => report.reaped.some((v) => v.resource.resourceId === id));
/** Machines and disks; scripts of earlier tests go by themselves beside them. */
const hardware = <V extends ReapReportDocument['quarantined'][number]>(verdicts: readonly V[]): V[] =>
  verdicts.filter(({ resource }) => resource.kind === 'instance' || resource.kind === 'volume');
const idsOf = (verdicts: ReapReportDocument['quarantined']): string[] =>
  hardware(verdicts).map((v) => v.resource.resourceId);

/** A machine that Deckhand never asked for. */
function appears(hostname: string): SimInstance {
  return rig.provider.core.create({
    hostname,
    description: 'Deckhand',
    instanceType: '1H100.80S.30V',
    location: 'FIN-01',
    market: 'ondemand',
    boot: {
      kind: 'image',
      image: 'ubuntu-24.04',
      osVolume: { name: makeOsVolumeName(hostname), sizeGib: 50, type: 'NVMe', onEviction: 'keep', tags: [] },
      sshKeyIds: ['k'],
      startupScriptId: null,
    },
    newVolumes: [],
    existingVolumeIds: [],
    tags: [{ id: 't', key: 'pool', value: 'visual' }],
  });
}

const runs = (machine: SimInstance): Promise<unknown> =>
  until(() => rig.provider.core.instance(machine.id).phase).is('running');

/** Waits until neither the machine nor a disk of it is left. */
const nothingIsLeftOf = (machine: SimInstance): Promise<unknown> =>
  until(() => {
    const { phase, volumeIds } = rig.provider.core.instance(machine.id);
    const disks = rig.provider.core.volumes().filter((v) => volumeIds.includes(v.id));
    return Promise.resolve({ phase, disks: disks.map((v) => v.status) });
  }).is(({ phase, disks }) => phase === 'gone' && disks.length === 1 && disks.every((status) => status === 'purged'));

async function ready(name: string): Promise<SimInstance> {
  await rig.startInstance(name);
  await rig.reaches(name, 'ready');
  const { providerId } = await rig.db.fleetInstance.findUniqueOrThrow({ where: { name } });
  return rig.provider.core.instance(providerId ?? '');
}

async function destroyed(name: string): Promise<void> {
  await rig.ask(name, 'destroy');
  await rig.endOf(name);
}

it('a round that the provider answers is noted, which an alert rule goes by', async () => {
  const startedAt = new Date();
  await round();
  const { at } = await rig.db.metricMark.findFirstOrThrow({ where: { name: { endsWith: 'datacrunch' } } });
  expect(at.getTime()).toBeGreaterThanOrEqual(startedAt.getTime());
});

it('scenario 30: the reaper takes a machine that appears late under one of our names at the second sighting, its disk too, and leaves those in use', async () => {
  const name = newName();
  const own = await ready(name);
  // A name that the living instance never had, and one of an unknown instance.
  const late = appears(makeHostname(INSTALLATION_ID, name, 9));
  const unheardOf = appears(makeHostname(INSTALLATION_ID, 'visual-77', 1));
  await Promise.all([runs(late), runs(unheardOf)]);
  const first = await round();
  expect(idsOf(first.quarantined).toSorted()).toEqual([late.id, unheardOf.id].toSorted());
  expect(first).toMatchObject({ reaped: [], lost: [] });
  expect([late, unheardOf].map((m) => rig.provider.core.instance(m.id).phase)).toEqual(['running', 'running']);
  const second = await roundThatReaps(late.id);
  expect(second.reaped).toMatchObject([
    { removed: true, message: null, disksToo: [expect.any(String)] },
    { removed: true, message: null, disksToo: [expect.any(String)] },
  ]);
  await Promise.all([nothingIsLeftOf(late), nothingIsLeftOf(unheardOf)]);
  expect(await round()).toMatchObject({ quarantined: [], reaped: [], lost: [] });
  expect(rig.provider.core.instance(own.id).phase).toBe('running');
  await destroyed(name);
});

it('the reaper leaves the disk of an instance that sleeps, and takes a disk that an ended one left', async () => {
  const name = newName();
  await ready(name);
  await rig.ask(name, 'suspend');
  await rig.reaches(name, 'suspended');
  const { osVolumeId } = await rig.db.fleetInstance.findUniqueOrThrow({ where: { name } });
  const ended = newName();
  await ready(ended);
  await destroyed(ended);
  const core = rig.provider.core;
  const left = orderVolume(core.context, core.settle(), {
    name: makeOsVolumeName(makeHostname(INSTALLATION_ID, ended, 1)),
    sizeGib: 50,
    type: 'NVMe',
    tags: [],
    location: 'FIN-01',
  });
  expect(idsOf((await round()).quarantined)).toEqual([left.id]);
  const report = await roundThatReaps(left.id);
  expect(idsOf(report.reaped)).toEqual([left.id]);
  const statusOf = (id: string | null) => core.volumes().find((v) => v.id === id)?.status;
  await until(() => statusOf(left.id)).is('purged');
  expect(statusOf(osVolumeId)).toBe('detached');
  await destroyed(name);
});

it('scenario 50: the reaper never touches what bears a look-alike name, and says how much there is', async () => {
  const before = await round();
  const others = [
    'dh-rig12-visual-1-1',
    'dh-rig1x-visual-1-1',
    'my-dh-rig1-visual-1-1',
    'dh-other-visual-1-1',
    'dh-rig1-visual',
  ].map(appears);
  await Promise.all(others.map(runs));
  const scriptId = await partOf(account, 'scripts').add('dh-rig12-script-0123456789ab', '#!/bin/sh\n');
  const keyId = await partOf(account, 'sshKeys').add(
    'dh-rig1-ssh-key-2',
    'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEotherother other',
  );
  // Machine and disk each, a script and a key.
  const foreign = before.foreign + others.length * 2 + 2;
  const mine = appears(makeHostname(INSTALLATION_ID, 'visual-78', 1));
  await runs(mine);
  expect(await round()).toMatchObject({ foreign });
  const report = await roundThatReaps(mine.id);
  expect(report.foreign).toBe(foreign);
  expect(idsOf(report.reaped)).toEqual([mine.id]);
  await nothingIsLeftOf(mine);
  expect(others.map((m) => rig.provider.core.instance(m.id).phase)).toEqual(others.map(() => 'running'));
  expect((await partOf(account, 'scripts').list()).map((s) => s.id)).toContain(scriptId);
  expect((await partOf(account, 'sshKeys').list()).map((k) => k.id)).toContain(keyId);
});

it('the reaper says on a dry run what would go, and changes nothing, not even what it remembers', async () => {
  const orphan = appears(makeHostname(INSTALLATION_ID, 'visual-79', 1));
  await runs(orphan);
  const remembered = () => rig.db.reapCandidate.findMany({ where: { resourceId: orphan.id } });
  expect(idsOf((await round('true')).quarantined)).toEqual([orphan.id]);
  expect(await remembered()).toEqual([]);
  await round();
  const [candidate] = await remembered();
  const report = await until(() => round('true')).is((answer) => idsOf(answer.reaped).length > 0);
  expect(report.dryRun).toBe(true);
  expect(hardware(report.reaped)).toMatchObject([{ resource: { resourceId: orphan.id }, removed: false }]);
  expect(await remembered()).toEqual([candidate]);
  expect(rig.provider.core.instance(orphan.id).phase).toBe('running');
  await roundThatReaps(orphan.id);
  await nothingIsLeftOf(orphan);
});

it('the reaper tries again in the next round what the provider refuses to delete', async () => {
  const orphan = appears(makeHostname(INSTALLATION_ID, 'visual-80', 1));
  await runs(orphan);
  rig.provider.setFaults([
    {
      match: { method: 'PUT', path: '/instances' },
      effect: 'error',
      status: 403,
      code: 'forbidden_action',
      message: "Can't discontinue a provisioning instance",
    },
  ]);
  await round();
  const refused = await roundThatReaps(orphan.id);
  expect(hardware(refused.reaped)).toMatchObject([
    { removed: false, message: expect.stringContaining('provisioning') as string },
  ]);
  expect(hardware((await round()).reaped)).toMatchObject([{ removed: false }]);
  expect(rig.provider.core.instance(orphan.id).phase).toBe('running');
  rig.provider.setFaults([]);
  expect(hardware((await round()).reaped)).toMatchObject([{ removed: true }]);
  await nothingIsLeftOf(orphan);
});

it('the reaper ends an instance whose workflow was terminated, and removes its machine and disk', async () => {
  const name = newName();
  const machine = await ready(name);
  await rig.temporal.workflow.getHandle(`instance/${name}`).terminate('by a test');
  const first = await round();
  expect(first.lost).toMatchObject([{ name }]);
  expect(idsOf(first.quarantined)).toEqual([machine.id]);
  const row = await rig.db.fleetInstance.findUniqueOrThrow({ where: { name } });
  expect(row.phase).toBe('gone');
  expect(row.endedAt).not.toBeNull();
  const last = await rig.db.instanceTransition.findFirst({
    where: { instanceName: name },
    orderBy: { position: 'desc' },
  });
  expect(last).toMatchObject({ toPhase: 'gone', reason: expect.stringContaining('workflow') as string });
  const report = await roundThatReaps(machine.id);
  expect(report.lost).toEqual([]);
  await nothingIsLeftOf(machine);
});

it('the reaper keeps the script of every pool and the one key in use, and removes our others once nothing may need them', async () => {
  const name = newName();
  await ready(name);
  const key = await rig.db.fleetKey.findFirstOrThrow();
  const text = testPool({ name: 'text', classes: ['gpu-text'] });
  const fleet = loadFleet(rig.config);
  const script = await poolStartupScript({ db: rig.db, config: rig.config, fleet }, text);
  const present = await partOf(account, 'scripts').add(
    makeScriptName(INSTALLATION_ID, scriptFingerprint(script)),
    script,
  );
  // Newer than the one in use.
  const older = await partOf(account, 'scripts').add(makeScriptName(INSTALLATION_ID, '0123456789ab'), '#!/bin/sh\n');
  const secondKey = await partOf(account, 'sshKeys').add(
    makeSshKeyName(INSTALLATION_ID),
    'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEanotheranother another',
  );
  await roundThatReaps(secondKey);
  // While an instance lives that was born before, it may boot once more by what was in use then.
  expect((await partOf(account, 'scripts').list()).map((s) => s.id)).toEqual(expect.arrayContaining([present, older]));
  await destroyed(name);
  await roundThatReaps(older);
  const ours = (await partOf(account, 'scripts').list()).filter((s) => s.name.startsWith(`dh-${INSTALLATION_ID}-`));
  expect(ours.map((s) => s.id)).toEqual([present]);
  const keys = (await partOf(account, 'sshKeys').list()).filter((k) => k.name === makeSshKeyName(INSTALLATION_ID));
  expect(keys.map((k) => k.id)).toEqual([key.providerKeyId]);
});

it('the reaper takes the parts of a create at Azure that stopped half way, and leaves those of others', async () => {
  const ours = AZURE.open({
    settings: azureSettingsSchema.parse({ locations: [AZURE_LOCATION], baseUrl: azure.origin }),
    credentials: AZURE_SIMULATOR_CREDENTIALS.credentials,
    installationId: INSTALLATION_ID,
  });
  const create = async (hostname: string): Promise<string> => {
    const order = {
      hostname,
      description: 'Deckhand',
      instanceType: 'Standard_NC4as_T4_v3',
      location: AZURE_LOCATION,
      market: 'ondemand',
      boot: {
        kind: 'image',
        image: azureSettingsSchema.parse({ locations: [AZURE_LOCATION] }).image,
        osVolumeName: makeOsVolumeName(hostname),
        osVolumeGib: 100,
        sshKey: { id: null, text: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEanotheranother another' },
        startupScript: null,
      },
      tags: {},
    } as const;
    return ours.createInstance(order, await ours.prepareCreate(order));
  };
  const lost = makeHostname(INSTALLATION_ID, 'visual-90', 1);
  const foreign = makeHostname('other', 'visual-90', 1);
  // The answer is lost, and the machine never was: nothing may be removed by the one who asked.
  azure.simulator.setFaults([
    {
      match: { method: 'PUT', path: '/Microsoft.Compute/virtualMachines/*' },
      effect: 'error',
      status: 500,
      code: 'InternalServerError',
      message: 'An internal error has occurred',
    },
  ]);
  for (const hostname of [lost, foreign])
    await expect(create(hostname)).rejects.toMatchObject({ code: 'provider_transient' });
  azure.simulator.setFaults([]);
  const left = async (): Promise<string[]> =>
    (await partOf(ours, 'leftovers').list()).map(({ name }) => name).toSorted();
  // An address hangs on its interface, and is left over when that is gone.
  expect(await left()).toEqual([`${foreign}-nic`, `${lost}-nic`]);
  const seen = await round();
  expect(seen.quarantined.map(({ resource }) => [resource.kind, resource.name])).toEqual([['part', lost]]);
  expect(await rig.db.reapCandidate.findMany({ where: { provider: 'azure' } })).toMatchObject([
    { kind: 'part', name: lost, sightings: 1, reapedAt: null },
  ]);
  const removed = new Set<string>();
  await until(async () => {
    const { reaped } = await round();
    for (const { resource } of reaped) removed.add(resource.resourceId);
    return left();
  }).is((names) => names.join() === `${foreign}-nic` && removed.size === 2);
  expect([...removed].toSorted()).toEqual(
    ['ip', 'nic'].map((piece) => `azure/deckhand-${INSTALLATION_ID}/${lost}-${piece}`),
  );
  expect(azure.simulator.core.ledger().meters).toEqual([]);
  const after = await round();
  expect([...after.quarantined, ...after.reaped]).toEqual([]);
});
