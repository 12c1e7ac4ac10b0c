/**
 * How many calls AWS takes, per account and region. It refills tokens per second; the buckets here are a little smaller than its own.
 *
 * EC2: reads 100 and 20 a second, changes 50 and 5 a second, starting machines 5 and 2 a second. Other services are called seldom.
 */
import type { CallBucket } from '../../call-rate-limit.ts';
import type { AwsCall } from './call.ts';

/** Calls in any stretch of a window, ms. Each is no more than its bucket holds at once. */
const LIMITS = {
  read: { limit: 90, windowMs: 5_000 },
  change: { limit: 25, windowMs: 5_000 },
  start: { limit: 4, windowMs: 2_000 },
  other: { limit: 40, windowMs: 5_000 },
} as const;

/** Actions that start machines have the smallest bucket. */
const STARTS: ReadonlySet<string> = new Set(['RunInstances', 'StartInstances']);

/** The bucket of a call. `account` names the account in keys and reveals nothing about its credentials. */
export function bucketOf(account: string, { service, region, kind, action }: AwsCall): CallBucket {
  const group = service !== 'ec2' ? 'other' : STARTS.has(action) ? 'start' : kind === 'read' ? 'read' : 'change';
  return { key: `${account} ${service} ${region} ${group}`, ...LIMITS[group] };
}
