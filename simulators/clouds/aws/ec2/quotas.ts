/** Quotas of vCPUs per region, by families and market. */
import type { Market } from '../../../../domain/fleet/selection/offer.ts';
import type { Phase } from '../../core/state.ts';
import type { Call, VcpuQuotas } from '../account.ts';
import { awsType, regionOf } from '../catalogue.ts';
import { AwsError } from '../errors.ts';

/** Instances in these phases count. */
const COUNTED: ReadonlySet<Phase> = new Set<Phase>(['accepted', 'preparing', 'starting', 'running']);

/** The quota that a type counts against; null = none. */
function bucketOf(instanceType: string, market: Market): keyof VcpuQuotas | null {
  const { family } = awsType(instanceType);
  if (family.startsWith('p')) return market === 'spot' ? 'spotP' : 'ondemandP';
  if (family.startsWith('g')) return market === 'spot' ? 'spotG' : 'ondemandG';
  return null;
}

/** Checks that `count` more instances of a type fit. @throws AwsError VcpuLimitExceeded or MaxSpotInstanceCountExceeded */
export function checkQuota({ sim, region }: Call, instanceType: string, market: Market, count: number): void {
  const bucket = bucketOf(instanceType, market);
  const limit = bucket === null ? null : (sim.account.quotas[bucket] ?? null);
  if (limit === null) return;
  const used = Object.values(sim.cloud.state.instances)
    .filter((i) => regionOf(i.location) === region && COUNTED.has(i.phase))
    .filter((i) => bucketOf(i.instanceType, i.market) === bucket)
    .reduce((sum, i) => sum + i.vcpu, 0);
  if (used + count * awsType(instanceType).vcpu <= limit) return;
  if (market === 'spot') throw new AwsError('MaxSpotInstanceCountExceeded', 'Max spot instance count exceeded');
  throw new AwsError(
    'VcpuLimitExceeded',
    `You have requested more vCPU capacity than your current vCPU limit of ${limit} allows for the instance bucket that the specified instance type belongs to. Please visit http://aws.amazon.com/contact-us/ec2-request to request an adjustment to this limit.`,
  );
}
