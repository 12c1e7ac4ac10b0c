/**
 * The life of an instance on real Temporal, Postgres and a simulated provider: failover, sleep and wake, verified end, long lives.
 */
import { afterEach, expect, it } from 'vitest';
import { QUICK_SCENARIO, startFleetRig, type LifeOptions } from '../../testing/fleet-rig.ts';
import { until } from '../../testing/until.ts';
import { sharedServers } from '../../testing/test-servers.ts';
import { perFile } from '../../testing/per-file.ts';

let made = 0;

const rig = perFile(() => startFleetRig({ servers: sharedServers, scenario: QUICK_SCENARIO }));
afterEach(() => {
  rig.provider.setFaults([]);
  rig.provider.core.setStock([{ types: '*', count: null }]);
});

const newName = (): string => `visual-${(made += 1)}`;
const transitionsOf = (name: string) =>
  rig.db.instanceTransition.findMany({ where: { instanceName: name }, orderBy: { position: 'asc' } });
/** Phases entered, in order. */
const phasesOf = async (name: string): Promise<string[]> =>
  (await transitionsOf(name)).filter((row) => row.fromPhase !== row.toPhase).map((row) => row.toPhase);
const intentsOf = (name: string) =>
  rig.db.createIntent.findMany({ where: { instanceName: name }, orderBy: { createdAt: 'asc' } });
const machinesOf = (name: string) =>
  rig.provider.core.allInstances().filter((machine) => machine.hostname.startsWith(`dh-rig1-${name}-`));
const standingOf = (name: string) => machinesOf(name).filter((machine) => machine.phase !== 'gone');

/** Neither machine nor disk costs anything any more. */
function nothingIsLeft(name: string): void {
  rig.provider.core.settle();
  const ids = new Set(machinesOf(name).flatMap((machine) => machine.volumeIds));
  expect(standingOf(name)).toEqual([]);
  expect(rig.provider.core.volumes().filter((v) => ids.has(v.id) && v.status !== 'purged')).toEqual([]);
}

/** Starts a life and waits until it is ready. Returns its name. */
async function ready(options: LifeOptions = {}): Promise<string> {
  const name = newName();
  await rig.startInstance(name, options);
  await rig.reaches(name, 'ready');
  return name;
}

async function destroy(name: string): Promise<void> {
  await rig.ask(name, 'destroy');
  await rig.endOf(name);
  nothingIsLeft(name);
}

it('an instance boots, passes its readiness check, serves and is destroyed, machine and disk', async () => {
  const name = await ready();
  expect(standingOf(name)).toHaveLength(1);
  await rig.ask(name, 'destroy');
  expect(await rig.endOf(name)).toMatchObject({ phase: 'gone' });
  nothingIsLeft(name);
  expect(await phasesOf(name)).toEqual(['planned', 'creating', 'booting', 'ready', 'destroying', 'gone']);
});

it('an instance walks down the ladder where stock is missing, and says so', async () => {
  rig.provider.core.setStock([
    { types: '*H100*', count: 0 },
    { types: '*A100.80S*', count: 0 },
  ]);
  const name = await ready();
  const machine = standingOf(name)[0];
  expect(machine?.instanceType).not.toMatch(/H100|A100\.80S/u);
  expect(await rig.db.fleetInstance.findUnique({ where: { name } })).toMatchObject({
    offerKey: `datacrunch/${machine?.location ?? ''}/${machine?.instanceType ?? ''}/ondemand`,
    providerId: machine?.id,
  });
  await destroy(name);
});

it('an instance takes the next offer when a create that was accepted ends without capacity', async () => {
  rig.provider.setFaults([{ match: { method: 'POST', path: '/instances', nth: 1 }, effect: 'no_capacity_later' }]);
  const name = await ready();
  const intents = await intentsOf(name);
  expect(intents.length).toBe(2);
  expect(intents[0]?.offerKey).not.toBe(intents[1]?.offerKey);
  const blocked = await rig.db.offerBlock.findUnique({ where: { scopeKey: intents[0]?.offerKey ?? '' } });
  expect(blocked?.errorClass).toBe('capacity_async');
  await destroy(name);
});

it('an instance finds its machine by name when the answer to the create was lost', async () => {
  rig.provider.setFaults([{ match: { method: 'POST', path: '/instances', nth: 1 }, effect: 'drop_answer' }]);
  const name = await ready();
  expect(machinesOf(name)).toHaveLength(1);
  expect(await intentsOf(name)).toMatchObject([{ state: 'created' }]);
  await destroy(name);
});

it('an instance goes on asking when a delete is refused while the machine is being prepared', async () => {
  const name = newName();
  rig.provider.setFaults([
    { match: { method: 'POST', path: '/instances', nth: 1 }, effect: 'hang_provisioning', deletableAfterSec: 3 },
  ]);
  await rig.startInstance(name);
  await rig.reaches(name, 'booting');
  await rig.ask(name, 'destroy');
  expect(await rig.endOf(name)).toMatchObject({ phase: 'gone' });
  expect(rig.provider.calls.filter((call) => call === 'PUT /instances').length).toBeGreaterThan(1);
  nothingIsLeft(name);
});

it('an instance sleeps with its disk kept and wakes from it, as another machine', async () => {
  const name = await ready();
  const first = standingOf(name)[0];
  await rig.ask(name, 'suspend');
  await rig.reaches(name, 'suspended');
  rig.provider.core.settle();
  expect(standingOf(name)).toEqual([]);
  const asleep = await rig.db.fleetInstance.findUniqueOrThrow({ where: { name } });
  expect(asleep).toMatchObject({ providerId: null, billedSince: null, keptVolumeLocation: first?.location });
  const kept = rig.provider.core.volumes().find((volume) => volume.id === asleep.osVolumeId);
  expect(kept?.status).toBe('detached');

  await rig.ask(name, 'wake');
  await rig.reaches(name, 'ready');
  const second = standingOf(name)[0];
  expect(second).toMatchObject({ bootedFromVolume: true, osVolumeId: asleep.osVolumeId, sshKeyIds: [] });
  expect(second?.id).not.toBe(first?.id);
  await destroy(name);
});

it('an instance wakes when work came while it fell asleep', async () => {
  const name = await ready();
  await rig.ask(name, 'suspend');
  await rig.reaches(name, 'suspending');
  await rig.ask(name, 'wake');
  await rig.reaches(name, 'ready');
  expect(await phasesOf(name)).toContain('suspended');
  await destroy(name);
});

it('an instance that is cordoned serves again when it is uncordoned', async () => {
  const name = await ready();
  await rig.ask(name, 'cordon');
  await until(() => rig.stateOf(name)).is((state) => state?.step.kind === 'held');
  await rig.ask(name, 'uncordon');
  await rig.reaches(name, 'ready');
  expect(machinesOf(name)).toHaveLength(1);
  await destroy(name);
});

it('an instance continues as new while it serves, with the same machine and a history that goes on', async () => {
  const name = await ready({ maxHistoryLength: 120, settings: { bootPollMaxMs: 200 } });
  const handle = rig.temporal.workflow.getHandle(`instance/${name}`);
  const { runId } = await handle.describe();
  await until(() => handle.describe()).is((now) => now.runId !== runId);
  await until(() => rig.stateOf(name)).is((state) => state?.phase === 'ready');
  expect(machinesOf(name)).toHaveLength(1);
  await destroy(name);
  const transitions = await transitionsOf(name);
  expect(transitions.map((row) => row.position)).toEqual(transitions.map((_, index) => index));
  expect(transitions.at(-1)?.toPhase).toBe('gone');
});

it('an instance that is cancelled still ends its machine', async () => {
  const name = newName();
  await rig.startInstance(name);
  await rig.reaches(name, 'booting');
  await rig.temporal.workflow.getHandle(`instance/${name}`).cancel();
  expect(await rig.endOf(name)).toMatchObject({ phase: 'gone' });
  nothingIsLeft(name);
});

it('an instance fails at once where its selector names nothing, and says so', async () => {
  const name = newName();
  await rig.startInstance(name, { pool: { selector: '1H1000.80S' } });
  expect(await rig.endOf(name)).toMatchObject({
    phase: 'failed',
    reason: expect.stringContaining('1H1000.80S') as string,
  });
  expect(machinesOf(name)).toEqual([]);
});

it('an instance uploads its startup script again where it was removed', async () => {
  const first = await ready();
  const client = rig.provider.client();
  for (const { id } of await client.scripts.list()) await client.scripts.delete(id);
  const second = await ready();
  expect(await client.scripts.list()).toHaveLength(1);
  await Promise.all([destroy(first), destroy(second)]);
});

it('an instance of a static pool attaches to its server and never asks the provider', async () => {
  const name = 'static-0';
  const calls = rig.provider.calls.length;
  const url = rig.reader?.host ?? '';
  await rig.startInstance(name, { staticUrl: url, pool: { name: 'static' } });
  await rig.reaches(name, 'ready');
  await rig.ask(name, 'cordon');
  await rig.reaches(name, 'cordoned');
  await rig.ask(name, 'uncordon');
  await rig.reaches(name, 'ready');
  await rig.ask(name, 'destroy');
  expect(await rig.endOf(name)).toMatchObject({ phase: 'gone' });
  await rig.startInstance(name, { staticUrl: url, pool: { name: 'static' } });
  // Until the second attachment has stored its first row, the row is that of the first, which is over.
  await until(() => rig.db.fleetInstance.findUnique({ where: { name } })).is((row) => row?.endedAt === null);
  await rig.reaches(name, 'ready');
  await rig.ask(name, 'destroy');
  await rig.endOf(name);
  const transitions = await transitionsOf(name);
  expect(transitions.map((row) => row.position)).toEqual(transitions.map((_, index) => index));
  // The reaper lists everything and the ledger looks at machines of before, each at its own pace; nothing was made, changed or looked at for this
  // instance.
  const rented = new Set((await rig.db.rental.findMany()).map(({ resourceId }) => `GET /instances/${resourceId}`));
  const forIt = (call: string): boolean =>
    /^(?:POST|PUT|DELETE) \/(?:instances|volumes)|^GET \/instances\//u.test(call) && !rented.has(call);
  expect(rig.provider.calls.slice(calls).filter(forIt)).toEqual([]);
});
