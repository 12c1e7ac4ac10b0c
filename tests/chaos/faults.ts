/**
 * Does what a plan says goes wrong, and ends it again.
 */
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { serviceOf, type FaultKind, type KilledService, type PlannedFault } from './plan.ts';
import { ATTEMPT_MS, billedMachines, GOOD_SCRIPT, SLOTS, type ChaosWorld } from './world.ts';

/** A fault as it happened. */
export interface Fault {
  readonly kind: FaultKind;
  readonly fromMs: number;
  readonly toMs: number;
  /** Model calls that may be asked for once more because of it: those that were in flight. */
  readonly callsAtRisk: number;
}

/** Lets a planned fault happen. Resolves when it is over. */
export async function happen(world: ChaosWorld, planned: PlannedFault): Promise<Fault[]> {
  const fromMs = Date.now();
  const atStart = billedMachines(world).length;
  const ends = await Promise.all(planned.kinds.map((kind) => begin(world, kind)));
  // A kill waits until its service runs, and machines may have been rented meanwhile.
  const inFlight = Math.max(atStart, billedMachines(world).length) * SLOTS;
  if (planned.kinds.some((kind) => !kind.startsWith('kill '))) await delay(planned.lastsMs);
  for (const end of ends) await end();
  const toMs = Date.now();
  return planned.kinds.map((kind) => ({
    kind,
    fromMs,
    toMs,
    callsAtRisk: inFlight * timesAtRisk(kind, toMs - fromMs),
  }));
}

type End = () => Promise<void> | void;

async function begin(world: ChaosWorld, kind: FaultKind): Promise<End> {
  const { rig, reader } = world;
  const service = serviceOf(kind);
  if (service !== null) {
    await killed(world, service);
    return () => undefined;
  }
  switch (kind) {
    case 'storage full': {
      const quota = path.join(rig.config.blobDir, '!quota');
      writeFileSync(quota, '0');
      return () => rmSync(quota, { force: true });
    }
    case 'model wedged':
      await reader.script({ ...GOOD_SCRIPT, rules: [{ fault: { wedge: true } }] });
      return () => reader.script(GOOD_SCRIPT);
    case 'model gone':
      await reader.kill();
      return () => reader.revive();
    case 'provider down':
      rig.provider.setFaults([
        { match: { method: 'POST' }, effect: 'drop_answer' },
        { match: {}, effect: 'error', status: 503 },
      ]);
      return () => rig.provider.setFaults([]);
    case 'no capacity':
      rig.provider.core.setStock([{ types: '*', count: 0 }]);
      return () => rig.provider.core.setStock([{ types: '*', count: null }]);
    case 'kill watcher':
      await world.watchers.killOne();
      return () => undefined;
    default:
      throw new Error(`no way to bring about ${kind}`);
  }
}

/** Kills a service, as soon as it runs: a kill before may be a moment ago. */
async function killed({ rig }: ChaosWorld, service: KilledService): Promise<void> {
  while (!(await rig.kill(service))) await delay(50);
}

/** How often each call that is in flight may be asked for again. */
function timesAtRisk(kind: FaultKind, lastedMs: number): number {
  switch (kind) {
    case 'kill gateway':
    case 'kill temporal':
    case 'kill postgres':
    case 'model gone':
      return 1;
    case 'model wedged':
      // Every slot takes a call, waits for it until its time is up, and takes the next, until the model answers again.
      return 1 + Math.ceil(lastedMs / ATTEMPT_MS);
    case 'kill control':
    case 'kill convert':
    case 'kill api':
    case 'kill watcher':
    case 'storage full':
    case 'provider down':
    case 'no capacity':
      return 0;
    default:
      return kind satisfies never;
  }
}
