/**
 * How long a watcher owns what it claimed: as long as it goes on writing its lease file.
 *
 * Every time here is one the file server wrote (the modification time of a file), so that watchers on machines whose clocks differ agree.
 */
import { z } from 'zod';

/** Content of a lease file; its age is its modification time. */
export const leaseSchema = z.object({
  watcher: z.string(),
  host: z.string(),
  pid: z.int(),
  started_at: z.string(),
  /** The lease is over when the file was not written for so long. */
  lease_seconds: z.number().positive(),
  /** The watcher ended in order: its jobs are free at once. */
  released: z.boolean().default(false),
});
export type Lease = z.infer<typeof leaseSchema>;

/** For a watcher's folder whose lease file is missing: it was killed before it wrote one. */
export const DEFAULT_LEASE_SECONDS = 60;

/**
 * True once another watcher may take over.
 *
 * @param writtenAtMs when the lease was last written, or the folder changed where there is none; by the file server
 * @param nowMs by the file server
 */
export function isLeaseOver(
  lease: Pick<Lease, 'lease_seconds' | 'released'> | null,
  writtenAtMs: number,
  nowMs: number,
): boolean {
  if (lease?.released === true) return true;
  return nowMs - writtenAtMs > (lease?.lease_seconds ?? DEFAULT_LEASE_SECONDS) * 1000;
}

/** Time between two writes of a lease: three may fail before it is over. */
export const leaseRenewalMs = (leaseSeconds: number): number => (leaseSeconds * 1000) / 4;
