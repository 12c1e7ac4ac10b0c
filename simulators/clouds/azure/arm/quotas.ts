/**
 * Quotas of a subscription, in cores: of a family, of all machines of a location, of its spot machines. Deallocated machines count.
 */
import type { Market } from '../../../../domain/fleet/selection/offer.ts';
import type { Call } from '../account.ts';
import { sizeNamed, type AzureSize } from '../catalogue.ts';
import { ArmError } from '../errors.ts';

const exceeded = (name: string, location: string, limit: number, used: number, added: number): ArmError =>
  new ArmError(
    'OperationNotAllowed',
    `Operation could not be completed as it results in exceeding approved ${name} quota. Additional details - Deployment Model: Resource Manager, Location: ${location}, Current Limit: ${limit}, Current Usage: ${used}, Additional Required: ${added}, (Minimum) New Limit Required: ${used + added}. Setup Alerts when Quota reaches threshold. Learn more at https://aka.ms/quotamonitoringalerting . Submit a request for Quota increase by specifying parameters listed in the 'Details' section for deployment to succeed. Please read more about quota limits at https://docs.microsoft.com/en-us/azure/azure-supportability/per-vm-quota-requests`,
    409,
  );

interface Wanted {
  readonly size: AzureSize | undefined;
  readonly location: string;
  readonly market: Market;
}

/** @param added cores beside those that machines have now @throws ArmError when a quota does not allow them */
export function checkQuota({ sim }: Call, { size, location, market }: Wanted, added: number): void {
  const { family, regional, spot } = sim.account.quotas;
  const there = Object.values(sim.account.machines).flatMap(({ instanceId }) => {
    const instance = sim.cloud.state.instances[instanceId];
    return instance?.location === location && instance.phase !== 'failed' ? [instance] : [];
  });
  const cores = (fits: (instanceType: string, market: Market) => boolean): number =>
    there.filter((one) => fits(one.instanceType, one.market)).reduce((sum, one) => sum + one.vcpu, 0);
  const check = (limit: number | null | undefined, name: string, used: number): void => {
    if (limit !== null && limit !== undefined && used + added > limit)
      throw exceeded(name, location, limit, used, added);
  };
  if (market === 'spot')
    return check(
      spot,
      'LowPriorityCores',
      cores((_type, other) => other === 'spot'),
    );
  check(
    regional,
    'Total Regional Cores',
    cores((_type, other) => other === 'ondemand'),
  );
  check(
    family,
    size?.quotaName ?? '',
    cores((type, other) => other === 'ondemand' && sizeNamed(type)?.family === size?.family),
  );
}
