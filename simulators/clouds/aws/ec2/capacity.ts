/** The refusals of a zone that does not offer a type or has none left. */
import type { Market } from '../../../../domain/fleet/selection/offer.ts';
import type { Call } from '../account.ts';
import { isOffered, REGIONS } from '../catalogue.ts';
import { AwsError } from '../errors.ts';

/** Names of the zones of a region. */
export const zonesOf = (region: string): readonly string[] =>
  REGIONS.find((r) => r.name === region)?.zones.map((z) => z.name) ?? [];

/** @throws AwsError Unsupported when the zone never has the type */
export function checkOffered({ region }: Call, instanceType: string, zone: string): void {
  if (isOffered(instanceType, zone)) return;
  const others = zonesOf(region).filter((z) => isOffered(instanceType, z));
  const hint =
    others.length === 0
      ? ''
      : ` Please retry your request by not specifying an Availability Zone or choosing ${others.join(', ')}.`;
  throw new AwsError(
    'Unsupported',
    `Your requested instance type (${instanceType}) is not supported in your requested Availability Zone (${zone}).${hint}`,
  );
}

/** No capacity, with the zones that have some, as EC2 names them. */
export function noCapacity({ sim, region }: Call, instanceType: string, zone: string, market: Market): AwsError {
  if (market === 'spot')
    return new AwsError(
      'InsufficientInstanceCapacity',
      'There is no Spot capacity available that matches your request.',
      500,
    );
  const others = zonesOf(region).filter((z) => z !== zone && sim.cloud.isAvailable(instanceType, z, market));
  const hint =
    others.length === 0
      ? ''
      : ` You can currently get ${instanceType} capacity by not specifying an Availability Zone in your request or choosing ${others.join(', ')}.`;
  return new AwsError(
    'InsufficientInstanceCapacity',
    `We currently do not have sufficient ${instanceType} capacity in the Availability Zone you requested (${zone}). Our system will be working on provisioning additional capacity.${hint}`,
    500,
  );
}

/** A zone of the region with at least `count` units; else one that offers the type. @throws AwsError Unsupported */
export function chooseZone(call: Call, instanceType: string, market: Market, count: number): string {
  const zones = zonesOf(call.region).filter((z) => isOffered(instanceType, z));
  const zone = zones.find((z) => call.sim.cloud.units(instanceType, z, market) >= count) ?? zones[0];
  if (zone === undefined)
    throw new AwsError(
      'Unsupported',
      `The requested configuration is currently not supported. The instance type ${instanceType} is not offered in ${call.region}.`,
    );
  return zone;
}
