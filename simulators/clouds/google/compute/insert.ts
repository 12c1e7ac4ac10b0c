/** `POST` of an instance: checks of the request, which are answered; quota and capacity, which show in the operation. */
import { z } from 'zod';
import type { Market } from '../../../../domain/fleet/selection/offer.ts';
import type { CreateRequest } from '../../core/instances.ts';
import { draw } from '../../core/random.ts';
import { CloudRefusal } from '../../core/refusal.ts';
import type { Call, OperationRecord } from '../account.ts';
import { googleType, isSpotOnly, regionOf } from '../catalogue.ts';
import { GoogleError, invalid, type OperationError } from '../errors.ts';
import { acceleratorsSchema, checkedType, checkLabels, labels, NAME, readBody, tagsOf } from './body.ts';
import { holderOf, zoneOf } from './find.ts';
import { diskSchema, disksOf, type LaunchDisks } from './launch-disks.ts';
import { lastPart, resourceName } from './links.ts';
import { answerWith, beginOperation } from './operations.ts';
import { noCapacity, quotaFault } from './quotas.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/iu;
const MOST_METADATA_BYTES = 262_144;

const text = z.string();

const bodySchema = z.looseObject({
  name: text,
  description: text.default(''),
  machineType: text,
  guestAccelerators: acceleratorsSchema,
  disks: z.array(diskSchema).min(1),
  networkInterfaces: z
    .array(
      z.looseObject({
        network: text.optional(),
        subnetwork: text.optional(),
        accessConfigs: z.array(z.looseObject({})).default([]),
      }),
    )
    .default([]),
  labels,
  metadata: z.looseObject({ items: z.array(z.object({ key: text, value: text })).default([]) }).default({ items: [] }),
  tags: z.looseObject({ items: z.array(text).default([]) }).default({ items: [] }),
  scheduling: z
    .looseObject({
      provisioningModel: z.enum(['STANDARD', 'SPOT']).optional(),
      preemptible: z.boolean().optional(),
      onHostMaintenance: z.enum(['MIGRATE', 'TERMINATE']).optional(),
      automaticRestart: z.boolean().optional(),
      instanceTerminationAction: z.enum(['STOP', 'DELETE']).optional(),
    })
    .default({}),
});

/** The body of a new instance, as far as it is read. */
type Body = z.infer<typeof bodySchema>;

function marketOf({ scheduling }: Body, instanceType: string): Market {
  const isSpot = scheduling.provisioningModel === 'SPOT' || scheduling.preemptible === true;
  const hasGpu = (googleType(instanceType)?.gpuCount ?? 0) > 0;
  if (hasGpu && scheduling.onHostMaintenance !== 'TERMINATE')
    throw new GoogleError(400, 'badRequest', 'Instances with guest accelerators do not support live migration.');
  if (isSpot && scheduling.automaticRestart === true)
    throw invalid(
      'resource.scheduling.automaticRestart',
      'true',
      'Preemptible instances cannot be restarted automatically.',
    );
  if (!isSpot && scheduling.instanceTerminationAction !== undefined)
    throw invalid('resource.scheduling.instanceTerminationAction', '', 'It is for Spot VMs only.');
  if (scheduling.instanceTerminationAction === 'STOP')
    throw new GoogleError(400, 'notImplemented', 'The simulator only deletes Spot VMs that it takes back.');
  return isSpot ? 'spot' : 'ondemand';
}

interface Place {
  readonly network: string;
  readonly subnetwork: string;
  readonly hasPublicIp: boolean;
}

function placeOf(zone: string, { networkInterfaces }: Body): Place {
  const [first] = networkInterfaces;
  const network = lastPart(first?.network ?? 'default');
  if (network !== 'default')
    throw invalid('resource.networkInterfaces[0].network', network, 'The referenced network resource cannot be found.');
  const subnetwork = lastPart(first?.subnetwork ?? 'default');
  if (subnetwork !== 'default')
    throw invalid(
      'resource.networkInterfaces[0].subnetwork',
      subnetwork,
      'The referenced subnetwork resource cannot be found.',
    );
  return {
    network,
    subnetwork: `/regions/${regionOf(zone)}/subnetworks/${subnetwork}`,
    hasPublicIp: (first?.accessConfigs.length ?? 0) > 0,
  };
}

/** The operation of an earlier call with this request id and content; null when there was none. */
function earlier({ sim, query, body }: Call): OperationRecord | null {
  const requestId = query.get('requestId');
  if (requestId === null) return null;
  if (!UUID.test(requestId)) throw invalid('requestId', requestId, 'It must be a UUID.');
  const use = sim.account.requests[requestId];
  if (use === undefined || use.request !== JSON.stringify(body)) return null;
  return sim.account.operations[use.operation] ?? null;
}

export function insertInstance(call: Call): unknown {
  const { sim, nowMs } = call;
  const zone = zoneOf(call);
  const before = earlier(call);
  if (before !== null) return answerWith(call, before);
  const body = readBody(bodySchema, call.body);
  const { name } = body;
  if (!NAME.test(name))
    throw invalid('resource.name', name, "Must be a match of regex '(?:[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?)'");
  const instanceType = checkedType(zone, body.machineType, body.guestAccelerators);
  const target = `/zones/${zone}/instances/${name}`;
  if (holderOf(sim, zone, name) !== undefined)
    throw new GoogleError(409, 'alreadyExists', `The resource '${resourceName(sim, target)}' already exists`);
  const requestId = call.query.get('requestId');
  if (requestId !== null && sim.account.requests[requestId] !== undefined)
    throw invalid('requestId', requestId, 'It was used for another request.');
  const market = marketOf(body, instanceType);
  checkLabels(body.labels);
  if (body.metadata.items.some(({ value }) => Buffer.byteLength(value) > MOST_METADATA_BYTES))
    throw invalid('resource.metadata.items', '', `A value may have ${MOST_METADATA_BYTES} bytes.`);
  const place = placeOf(zone, body);
  const disks = disksOf(call, zone, body);
  const made = make(call, { body, instanceType, market, zone, disks, place });
  const operation = beginOperation(call, { type: 'insert', zone, target, ...made });
  if (requestId !== null)
    sim.account.requests[requestId] = { request: JSON.stringify(call.body), operation: operation.name };
  return { ...answerWith({ ...call, nowMs }, operation) };
}

interface Launch {
  readonly body: Body;
  readonly instanceType: string;
  readonly market: Market;
  readonly zone: string;
  readonly disks: LaunchDisks;
  readonly place: Place;
}

/** Makes the instance, or says what the operation ends with. */
function make(
  call: Call,
  { body, instanceType, market, zone, disks, place }: Launch,
): { readonly error: OperationError } | { readonly instanceId: string; readonly awaits: 'running' } {
  const { sim } = call;
  const fault = quotaFault(sim, instanceType, zone, market);
  if (fault !== null) return { error: fault };
  if (market === 'ondemand' && isSpotOnly(instanceType)) return { error: noCapacity(sim, instanceType, zone, market) };
  const request: CreateRequest = {
    hostname: body.name,
    description: body.description,
    instanceType,
    location: zone,
    market,
    boot: disks.boot,
    script: body.metadata.items.find(({ key }) => key === 'startup-script')?.value,
    newVolumes: disks.added,
    existingVolumeIds: disks.existing,
    tags: tagsOf(body.labels),
  };
  try {
    const instance = sim.cloud.create(request, call.createFault);
    const { random } = sim.cloud.state;
    sim.account.records[instance.id] = {
      name: body.name,
      metadata: body.metadata.items,
      networkTags: body.tags.items,
      ...place,
      privateIp: `10.164.${Math.floor(draw(random) * 16)}.${2 + Math.floor(draw(random) * 250)}`,
      scheduling: body.scheduling,
      disks: disks.attached,
    };
    return { instanceId: instance.id, awaits: 'running' };
  } catch (error) {
    if (!(error instanceof CloudRefusal)) throw error;
    if (error.reason === 'no_capacity') return { error: noCapacity(sim, instanceType, zone, market) };
    if (error.reason === 'storage_quota' || error.reason === 'volume_quota')
      return {
        error: {
          code: 'QUOTA_EXCEEDED',
          message: `Quota 'SSD_TOTAL_GB' exceeded.  Limit: ${sim.cloud.state.quotas.storageGib ?? 0} in region ${regionOf(zone)}.`,
          httpStatus: 403,
        },
      };
    throw error;
  }
}
