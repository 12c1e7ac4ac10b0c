/** Finds objects by the ids in a call, as EC2 shows them: in the call's region, not before they are visible, not long after their end. */
import type { SimInstance, SimVolume } from '../../core/state.ts';
import type { Call, SecurityGroup } from '../account.ts';
import { regionOf } from '../catalogue.ts';
import { AwsError, instanceNotFound, volumeNotFound } from '../errors.ts';

const HEX = /^[0-9a-f]{8}(?:[0-9a-f]{9})?$/u;

/** Checks the form of an id. @throws AwsError */
export function checkId(prefix: string, id: string, code: string): void {
  if (!id.startsWith(`${prefix}-`) || !HEX.test(id.slice(prefix.length + 1)))
    throw new AwsError(code, `Invalid id: "${id}" (expecting "${prefix}-...")`);
}

/** True while a terminated instance is still shown. */
function isShown({ sim, nowMs }: Call, instance: SimInstance): boolean {
  if (instance.phase !== 'gone') return true;
  const endedAtMs = instance.history.at(-1)?.atMs ?? 0;
  return nowMs - endedAtMs < sim.dialect.terminatedVisibleSec * 1000;
}

/** The instance. @throws AwsError */
export function instanceIn(call: Call, id: string): SimInstance {
  checkId('i', id, 'InvalidInstanceID.Malformed');
  const { cloud } = call.sim;
  const known = cloud.state.instances[id];
  if (known === undefined || regionOf(known.location) !== call.region || !isShown(call, known))
    throw instanceNotFound(id);
  return cloud.instance(id);
}

/** All instances that a list without ids shows. */
export const listedInstances = (call: Call): SimInstance[] =>
  call.sim.cloud.listed(call.staleByMs).filter((i) => regionOf(i.location) === call.region && isShown(call, i));

/** The volume. @throws AwsError */
export function volumeIn(call: Call, id: string): SimVolume {
  checkId('vol', id, 'InvalidParameterValue');
  const volume = call.sim.cloud.state.volumes[id];
  if (volume === undefined || volume.status === 'purged' || regionOf(volume.location) !== call.region)
    throw volumeNotFound(id);
  return volume;
}

/** The security group. @throws AwsError */
export function groupIn({ sim, region }: Call, id: string): SecurityGroup {
  const group = sim.account.groups[id];
  if (group === undefined || group.region !== region)
    throw new AwsError('InvalidGroup.NotFound', `The security group '${id}' does not exist`);
  return group;
}

/** The security group of that name. @throws AwsError */
export function groupNamed({ sim, region }: Call, name: string): SecurityGroup {
  const group = Object.values(sim.account.groups).find((g) => g.region === region && g.name === name);
  if (group === undefined)
    throw new AwsError('InvalidGroup.NotFound', `The security group '${name}' does not exist in default VPC`);
  return group;
}
