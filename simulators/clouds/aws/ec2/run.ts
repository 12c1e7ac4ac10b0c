/** RunInstances: idempotency, capacity, quota, and the instances it makes. */
import { decodedScript } from '../../../machine/served-model.ts';
import { CloudRefusal } from '../../core/refusal.ts';
import { draw } from '../../core/random.ts';
import type { CreateRequest } from '../../core/instances.ts';
import type { NewVolume, SimInstance } from '../../core/state.ts';
import { ACCOUNT_ID, subnetOf, type Call, type TokenUse } from '../account.ts';
import { awsId } from '../catalogue.ts';
import { AwsError } from '../errors.ts';
import type { Parameters } from '../parameters.ts';
import { setOf, type XmlTree } from '../xml.ts';
import { chooseZone, noCapacity } from './capacity.ts';
import { instanceItem } from './instance-item.ts';
import { launchOf, type Launch } from './launch.ts';
import { checkQuota } from './quotas.ts';

function createRequest(launch: Launch, zone: string): CreateRequest {
  const { instanceTags, volumeTags } = launch;
  const [root, ...others] = launch.disks.map((disk): NewVolume => ({
    name: volumeTags.find((t) => t.key === 'Name')?.value ?? '',
    sizeGib: disk.sizeGib,
    type: disk.type,
    onEviction: disk.isDeletedAtEnd ? 'purge' : 'keep',
    tags: volumeTags,
  }));
  if (root === undefined) throw new Error('a launch without a root disk');
  return {
    hostname: instanceTags.find((t) => t.key === 'Name')?.value ?? '',
    description: '',
    instanceType: launch.instanceType,
    location: zone,
    market: launch.market,
    boot: {
      kind: 'image',
      image: launch.image.id,
      osVolume: root,
      sshKeyIds: launch.kept.keyName === null ? [] : [launch.kept.keyName],
      startupScriptId: null,
    },
    script: decodedScript(launch.kept.userData),
    newVolumes: others,
    existingVolumeIds: [],
    tags: instanceTags,
  };
}

/** The parameters that count for idempotency, as text. */
export const fingerprintOf = ({ DryRun: _dry, ClientToken: _token, ...rest }: Parameters): string =>
  JSON.stringify(Object.entries(rest).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** The instances of an earlier call with this token. @throws AwsError when its parameters were others, or they are terminated */
function earlier({ sim }: Call, use: TokenUse, request: string): SimInstance[] {
  if (use.request !== request)
    throw new AwsError(
      'IdempotentParameterMismatch',
      'Arguments on this idempotent request are inconsistent with arguments used in previous request(s).',
    );
  const instances = use.instanceIds.flatMap((id) => sim.cloud.state.instances[id] ?? []);
  if (instances.every((i) => i.phase === 'gone' || i.phase === 'deleting' || i.phase === 'failed'))
    throw new AwsError(
      'IdempotentInstanceTerminated',
      'The request to launch an instance uses the same client token as a previous request for which the instance has been terminated.',
    );
  return instances;
}

function checkPrice({ sim }: Call, { market, kept: { maxPriceUsd }, instanceType }: Launch, zone: string): void {
  const spotUsd = market === 'spot' ? sim.cloud.price(instanceType, 'spot', zone) : null;
  if (spotUsd !== null && maxPriceUsd !== null && maxPriceUsd < spotUsd)
    throw new AwsError(
      'SpotMaxPriceTooLow',
      `Your Spot request price of ${maxPriceUsd} is lower than the minimum required Spot request fulfillment price of ${spotUsd.toFixed(4)}.`,
    );
}

function make(call: Call, launch: Launch, zone: string, count: number): SimInstance[] {
  const { cloud, account } = call.sim;
  const { random } = cloud.state;
  const reservationId = awsId('r', random);
  return Array.from({ length: count }, (_, launchIndex) => {
    const instance = cloud.create(createRequest(launch, zone), call.createFault);
    account.records[instance.id] = {
      ...launch.kept,
      reservationId,
      launchIndex,
      subnetId: subnetOf(zone),
      privateIp: `172.31.${Math.floor(draw(random) * 256)}.${4 + Math.floor(draw(random) * 250)}`,
      spotRequestId: launch.market === 'spot' ? `sir-${awsId('x', random).slice(3, 11)}` : null,
      devices: launch.disks.map((d) => d.device),
      launchedAtMs: instance.createdAtMs,
      stateReason: { code: 'pending', message: 'pending' },
      transition: '',
      startFails: false,
    };
    return instance;
  });
}

export function runInstances(call: Call): XmlTree {
  const { cloud, account } = call.sim;
  const launch = launchOf(call);
  const { instanceType, market, count } = launch;
  const { clientToken } = launch.kept;
  if (call.parameters['DryRun'] === 'true') throw dryRun();
  // A token holds for the region, and where a zone is named for that zone only.
  const tokenKey = `${call.region}/${launch.zone ?? ''}/${clientToken}`;
  const request = fingerprintOf(call.parameters);
  const use = clientToken === '' ? undefined : account.tokens[tokenKey];
  if (use !== undefined) return answer(call, earlier(call, use, request));
  const zone = launch.zone ?? chooseZone(call, instanceType, market, count.least);
  checkPrice(call, launch, zone);
  const units = cloud.units(instanceType, zone, market);
  const made = Math.min(count.most, units);
  checkQuota(call, instanceType, market, Math.max(made, count.least));
  if (made > 0 && made < count.least) throw noCapacity(call, instanceType, zone, market);
  let instances: SimInstance[];
  try {
    // Without a unit the core refuses the first one, and counts the refusal.
    instances = make(call, launch, zone, Math.max(1, made));
  } catch (error) {
    if (error instanceof CloudRefusal && error.reason === 'no_capacity')
      throw noCapacity(call, instanceType, zone, market);
    throw error;
  }
  if (clientToken !== '') account.tokens[tokenKey] = { request, instanceIds: instances.map((i) => i.id) };
  return answer(call, instances);
}

function answer(call: Call, instances: readonly SimInstance[]): XmlTree {
  const [first] = instances;
  return {
    reservationId: first === undefined ? '' : (call.sim.account.records[first.id]?.reservationId ?? ''),
    ownerId: ACCOUNT_ID,
    groupSet: '',
    instancesSet: setOf(instances, (i) => instanceItem(call, i)),
  };
}

/** The answer to a call that only asks whether it would be allowed. */
export const dryRun = (): AwsError =>
  new AwsError('DryRunOperation', 'Request would have succeeded, but DryRun flag is set.', 412);
