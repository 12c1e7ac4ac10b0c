/** Finds objects by zone and name (or id), as Compute Engine shows them: not before they are visible, not after their end. */
import type { SimInstance, SimVolume } from '../../core/state.ts';
import { recordOf, type Call, type Simulation } from '../account.ts';
import { ZONES } from '../catalogue.ts';
import { notFound } from '../errors.ts';
import { resourceName } from './links.ts';

/** The zone in the path. @throws GoogleError for one that does not exist */
export function zoneOf({ sim, params }: Call): string {
  const zone = params['zone'] ?? '';
  if (!ZONES.includes(zone)) throw notFound(resourceName(sim, `/zones/${zone}`));
  return zone;
}

/** True for an instance whose insert came to nothing: Compute Engine never shows it as anything but an operation. */
const neverRan = (instance: SimInstance): boolean => instance.history.some(({ phase }) => phase === 'failed');

/** True while the name of an instance is taken. */
const isThere = (instance: SimInstance): boolean => instance.phase !== 'gone' && !neverRan(instance);

/** The instance that has this name in a zone, also one that is not visible yet. */
export const holderOf = (sim: Simulation, zone: string, name: string): SimInstance | undefined =>
  Object.values(sim.cloud.state.instances).find(
    (one) => one.location === zone && isThere(one) && (recordOf(sim, one.id).name === name || one.id === name),
  );

/** The instance in the path. @throws GoogleError */
export function instanceIn(call: Call): SimInstance {
  const zone = zoneOf(call);
  const name = call.params['name'] ?? '';
  const found = holderOf(call.sim, zone, name);
  if (found === undefined || found.readableAtMs > call.nowMs)
    throw notFound(resourceName(call.sim, `/zones/${zone}/instances/${name}`));
  return found;
}

/** All instances that lists show. */
export const listedInstances = ({ sim, staleByMs }: Call): readonly SimInstance[] =>
  sim.cloud.listed(staleByMs).filter((one) => one.phase !== 'gone' && !neverRan(one));

/** The disk of a name in a zone; undefined when there is none. */
export const volumeNamed = (sim: Simulation, zone: string, name: string): SimVolume | undefined =>
  Object.values(sim.cloud.state.volumes).find(
    (one) =>
      one.location === zone &&
      (one.name === name || one.id === name) &&
      one.status !== 'purged' &&
      one.status !== 'trashed',
  );

/** The disk in the path. @throws GoogleError */
export function volumeIn(call: Call): SimVolume {
  const zone = zoneOf(call);
  const name = call.params['name'] ?? '';
  const found = volumeNamed(call.sim, zone, name);
  if (found === undefined) throw notFound(resourceName(call.sim, `/zones/${zone}/disks/${name}`));
  return found;
}
