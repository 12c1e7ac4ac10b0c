/**
 * The control process killed with -9 at random moments while instances boot, sleep, wake and end, on a provider that loses answers: never
 * two machines for one intent or one instance, and nothing left when their lives are over.
 *
 * A seed is one life: when it is put to sleep, woken and destroyed. Ten lives run at a time and are all hit by each kill.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { randomFrom } from '../../samples/generator/random.ts';
import type { SimInstance } from '../../simulators/clouds/core/state.ts';
import { INSTALLATION_ID, QUICK_SCENARIO, startFleetRig } from '../../testing/fleet-rig.ts';
import { sharedServers } from '../../testing/test-servers.ts';
import { perFile } from '../../testing/per-file.ts';

const LIVES_AT_A_TIME = 10;
const ROUNDS = [1, 2, 3];
const KILLS_PER_ROUND = 3;
/** A create that lands later than this is not among these runs. */
const LATEST_LANDING_SEC = 1;

const rig = perFile(() =>
  startFleetRig({
    servers: sharedServers,
    scenario: {
      ...QUICK_SCENARIO,
      visibility: { listLagSec: [0, 0.5] },
      rateLimits: null,
      faults: [
        { match: { method: 'POST', path: '/instances', probability: 0.1 }, effect: 'drop_answer' },
        {
          match: { method: 'POST', path: '/instances', probability: 0.1 },
          effect: 'lands_later',
          delaySec: LATEST_LANDING_SEC,
        },
        { match: { method: 'POST', path: '/instances', probability: 0.1 }, effect: 'no_capacity_later' },
        { match: { method: 'PUT', path: '/instances', probability: 0.1 }, effect: 'drop_answer' },
        { match: { method: 'GET', path: '/instances*', probability: 0.05 }, effect: 'html_502' },
      ],
    },
  }),
);

/** One life by its seed. Resolves when it is over. */
async function live(name: string, seed: number): Promise<void> {
  const random = randomFrom(seed);
  const life = { settings: { visibilityWindowMs: 2_500 } };
  await rig.startInstance(name, life);
  if (random.next() < 0.3) {
    // Destroyed wherever it happens to be.
    await delay(random.next() * 4_000);
  } else {
    await rig.reaches(name, 'ready');
    if (random.next() < 0.5) {
      await rig.ask(name, 'suspend');
      if (random.next() < 0.7) await rig.reaches(name, 'suspended');
      await rig.ask(name, 'wake');
      await rig.reaches(name, 'ready', 'cordoned', 'suspending');
    }
  }
  await rig.ask(name, 'destroy');
  expect(await rig.endOf(name)).toMatchObject({ phase: 'gone' });
}

/** From when to when a machine was there to be used, or was on its way to that. */
function standingTime(machine: SimInstance): { readonly fromMs: number; readonly untilMs: number } {
  const end = machine.history.find(({ phase }) => phase === 'deleting' || phase === 'failed' || phase === 'gone');
  return { fromMs: machine.createdAtMs, untilMs: end?.atMs ?? Number.POSITIVE_INFINITY };
}

function overlaps(machines: readonly SimInstance[]): string[] {
  const times = machines.map((machine) => ({ id: machine.id, ...standingTime(machine) }));
  return times.flatMap((a, index) =>
    times
      .slice(index + 1)
      .filter((b) => a.fromMs < b.untilMs && b.fromMs < a.untilMs)
      .map((b) => `${a.id} and ${b.id}`),
  );
}

function machinesOf(name: string): readonly SimInstance[] {
  rig.provider.core.settle();
  return rig.provider.core
    .allInstances()
    .filter((machine) => machine.hostname.startsWith(`dh-${INSTALLATION_ID}-${name}-`));
}

/** One machine per intent, and one at a time per life. */
function checkMachines(name: string): void {
  const machines = machinesOf(name);
  const hostnames = machines.map((machine) => machine.hostname);
  expect(hostnames.length, `${name}: machines per intent`).toBe(new Set(hostnames).size);
  expect(overlaps(machines), `${name}: two machines at an instant`).toEqual([]);
}

/** Nothing is left of a life that is over. */
async function checkEnd(name: string): Promise<void> {
  const machines = machinesOf(name);
  expect(
    machines.filter((machine) => machine.phase !== 'gone').map(({ id, phase }) => `${id} is ${phase}`),
    `${name}: machines left`,
  ).toEqual([]);
  const disks = new Set(machines.flatMap((machine) => machine.volumeIds));
  expect(
    rig.provider.core.volumes().filter((volume) => disks.has(volume.id) && volume.status !== 'purged'),
    `${name}: disks left`,
  ).toEqual([]);
  const intents = await rig.db.createIntent.findMany({ where: { instanceName: name } });
  expect(
    intents.filter((intent) => intent.state !== 'gone' && intent.state !== 'refused'),
    `${name}: intents open`,
  ).toEqual([]);
  const positions = await rig.db.instanceTransition.findMany({
    where: { instanceName: name },
    orderBy: { position: 'asc' },
  });
  expect(positions.map((row) => row.position)).toEqual(positions.map((_, index) => index));
}

it.each(ROUNDS)('ten lives under kills of the control process, round %i', async (round) => {
  const seeds = Array.from({ length: LIVES_AT_A_TIME }, (_, index) => (round - 1) * LIVES_AT_A_TIME + index + 1);
  const random = randomFrom(1_000 + round);
  const names = seeds.map((seed) => `seed-${seed}`);
  let over = false;
  const lives = Promise.all(seeds.map((seed) => live(`seed-${seed}`, seed))).finally(() => {
    over = true;
  });
  let kills = 0;
  while (kills < KILLS_PER_ROUND && !over) {
    await Promise.race([lives, delay(500 + random.next() * 3_000)]);
    names.forEach(checkMachines);
    if (!over && (await rig.kill('control'))) kills++;
  }
  await lives;
  expect(kills).toBe(KILLS_PER_ROUND);
  names.forEach(checkMachines);
  for (const name of names) await checkEnd(name);
});
