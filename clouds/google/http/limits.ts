/**
 * How many calls Google takes, per project. Compute Engine counts calls per minute: by default at least 1,500 of most kinds, and 750 of
 * lists that go over all zones. The buckets here are smaller and shorter, so that a burst of ours leaves room for others of the project.
 */
import type { CallBucket } from '../../call-rate-limit.ts';
import type { ServiceCallKind } from '../../http/wire.ts';

/** Calls in any stretch of a window, ms. */
const LIMITS = {
  read: { limit: 80, windowMs: 5_000 },
  change: { limit: 40, windowMs: 5_000 },
  create: { limit: 20, windowMs: 5_000 },
  /** The price list takes 300 a minute. */
  billing: { limit: 20, windowMs: 5_000 },
} as const;

/** The bucket of a call. `account` names project and credentials in keys and reveals nothing about the latter. */
export function bucketOf(account: string, service: 'compute' | 'billing', kind: ServiceCallKind): CallBucket {
  const group = service === 'billing' ? 'billing' : kind;
  return { key: `${account} ${group}`, ...LIMITS[group] };
}
