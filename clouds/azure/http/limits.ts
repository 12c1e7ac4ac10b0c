/**
 * How many calls Azure takes. The management API refills tokens per second, for each subscription and service principal: reads 250 and 25 a
 * second, writes and deletes 200 and 10 a second; the buckets here are a little smaller. The price list says nothing of its limit.
 */
import type { CallBucket } from '../../call-rate-limit.ts';
import type { AzureCall } from './call.ts';

/** Calls in any stretch of a window, ms. Each is no more than its bucket holds at once. */
const LIMITS = {
  read: { limit: 220, windowMs: 10_000 },
  change: { limit: 80, windowMs: 10_000 },
  prices: { limit: 20, windowMs: 10_000 },
} as const;

/** The bucket of a call. `account` names the account in keys and reveals nothing about its credentials. */
export function bucketOf(account: string, { service, kind }: Pick<AzureCall, 'service' | 'kind'>): CallBucket {
  const group = service === 'prices' ? 'prices' : kind === 'read' ? 'read' : 'change';
  return { key: `${account} ${group}`, ...LIMITS[group] };
}
