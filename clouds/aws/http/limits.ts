/**
 * How many calls AWS takes, per account and region. It refills tokens per second; the buckets here are a little smaller than its own.
 *
 * EC2: reads 100 and 20 a second, changes 50 and 5 a second, starting machines 5 and 2 a second. Other services are called seldom.
 */
import type { CallBucket } from '../../call-rate-limit.ts';
import type { AwsCall } from './call.ts';

const WINDOW_MS = 5_000;

/** Calls in five seconds. */
const LIMITS = { read: 90, change: 25, start: 8, other: 40 } as const;

/** Actions that start machines have the smallest bucket. */
const STARTS: ReadonlySet<string> = new Set(['RunInstances', 'StartInstances']);

/** The bucket of a call. `account` names the account in keys and reveals nothing about its credentials. */
export function bucketOf(account: string, { service, region, kind, action }: AwsCall): CallBucket {
  const group = service !== 'ec2' ? 'other' : STARTS.has(action) ? 'start' : kind === 'read' ? 'read' : 'change';
  return { key: `${account} ${service} ${region} ${group}`, limit: LIMITS[group], windowMs: WINDOW_MS };
}
