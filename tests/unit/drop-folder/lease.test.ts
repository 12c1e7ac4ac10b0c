/**
 * How long a watcher owns what it claimed.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isLeaseOver, leaseRenewalMs } from '../../../domain/drop-folder/lease.ts';
import { forAll } from '../../../testing/property.ts';

it('leases last exactly as long as they say, whatever the clocks of the watchers show', () => {
  const lasting = fc.double({ min: 0.5, max: 3600, noNaN: true });
  const silent = fc.integer({ min: -1e6, max: 1e7 });
  return forAll([lasting, fc.integer({ min: 0, max: 2e12 }), silent], (seconds, writtenMs, silentMs) => {
    const lease = { lease_seconds: seconds, released: false };
    expect(isLeaseOver(lease, writtenMs, writtenMs + silentMs)).toBe(silentMs > seconds * 1000);
    expect(isLeaseOver({ ...lease, released: true }, writtenMs, writtenMs + silentMs)).toBe(true);
    expect(leaseRenewalMs(seconds) * 3).toBeLessThan(seconds * 1000);
  });
});
