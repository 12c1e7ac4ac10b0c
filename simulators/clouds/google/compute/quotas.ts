/** Quotas of GPUs: over all regions, and of each kind in each region by market. */
import type { Market } from '../../../../domain/fleet/selection/offer.ts';
import type { Phase } from '../../core/state.ts';
import type { Simulation } from '../account.ts';
import { googleType, regionOf } from '../catalogue.ts';
import type { OperationError } from '../errors.ts';

/** Instances in these phases count. */
const COUNTED: ReadonlySet<Phase> = new Set<Phase>(['accepted', 'preparing', 'starting', 'running', 'stopping']);

/** Name of the quota of a kind of GPU, such as `PREEMPTIBLE_NVIDIA_L4_GPUS`. */
const metricOf = (accelerator: string, market: Market): string =>
  `${market === 'spot' ? 'PREEMPTIBLE_' : ''}${accelerator.replace('nvidia-tesla-', 'nvidia-').replaceAll('-', '_').toUpperCase()}_GPUS`;

const exceeded = (metric: string, most: number, where: string): OperationError => ({
  code: 'QUOTA_EXCEEDED',
  message: `Quota '${metric}' exceeded.  Limit: ${most.toFixed(1)} ${where}.`,
  httpStatus: 403,
});

/** What one more instance of a type exceeds; null = nothing. */
export function quotaFault(sim: Simulation, instanceType: string, zone: string, market: Market): OperationError | null {
  const type = googleType(instanceType);
  if (type === undefined || type.gpuCount === 0) return null;
  const { gpusAllRegions, gpusPerKind, spotGpusPerKind } = sim.account.quotas;
  const counted = Object.values(sim.cloud.state.instances).filter((one) => COUNTED.has(one.phase));
  const gpus = (list: typeof counted): number => list.reduce((sum, one) => sum + one.gpuCount, type.gpuCount);
  const most = gpusAllRegions ?? null;
  if (most !== null && gpus(counted) > most) return exceeded('GPUS_ALL_REGIONS', most, 'globally');
  const ofKind = (market === 'spot' ? spotGpusPerKind : gpusPerKind) ?? null;
  const region = regionOf(zone);
  const same = counted.filter(
    (one) =>
      one.market === market &&
      regionOf(one.location) === region &&
      googleType(one.instanceType)?.series.accelerator === type.series.accelerator,
  );
  if (ofKind !== null && gpus(same) > ofKind)
    return exceeded(metricOf(type.series.accelerator, market), ofKind, `in region ${region}`);
  return null;
}

/** The zone has none left, with the zones that have some. */
export function noCapacity(sim: Simulation, instanceType: string, zone: string, market: Market): OperationError {
  const others = sim.cloud.catalogue.locations.filter(
    (one) => one !== zone && regionOf(one) === regionOf(zone) && sim.cloud.isAvailable(instanceType, one, market),
  );
  return {
    code: 'ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS',
    message: `The zone 'projects/${sim.project}/zones/${zone}' does not have enough resources available to fulfill the request.  '(resource type:compute)'.`,
    httpStatus: 503,
    errorInfo: {
      reason: 'resource_availability',
      metadatas: { vmType: instanceType, zone, ...(others.length === 0 ? {} : { zonesAvailable: others.join(',') }) },
    },
  };
}
