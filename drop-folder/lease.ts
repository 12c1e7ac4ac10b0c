/** A watcher's own lease, and with it the clock of the file server: the file that is written again and again gets its times from there. */
import { constants } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { leaseRenewalMs } from '../domain/drop-folder/lease.ts';
import type { Lease } from '../domain/drop-folder/lease.ts';
import { pause } from '../platform/pause.ts';
import { errnoOf } from '../platform/blobs/errors.ts';
import { isGone } from './files.ts';

/** Writes one lease file until `release()`. */
export class OwnLease {
  readonly #path: string;
  #lease: Lease;
  readonly #stopped = new AbortController();
  #serverMs = 0;
  #readAtMs = Number.NEGATIVE_INFINITY;
  #running: Promise<void> | undefined;

  /** @param path of the lease file; its folder is made */
  constructor(path: string, lease: Omit<Lease, 'released'>) {
    this.#path = path;
    this.#lease = { ...lease, released: false };
  }

  /** Writes the lease and from then on keeps writing it. @throws the file system's error when the first write fails */
  async start(): Promise<void> {
    await this.renew();
    this.#running = this.#keepRenewing();
  }

  /** Time of the file server now. */
  now(): number {
    return this.#serverMs + (performance.now() - this.#readAtMs);
  }

  /** False once others may think that this watcher is gone: it must not act before it has written again. */
  isHeld(): boolean {
    return performance.now() - this.#readAtMs < this.#lease.lease_seconds * 1000;
  }

  /** Writes the lease now. */
  async renew(): Promise<void> {
    const text = Buffer.from(`${JSON.stringify(this.#lease)}\n`);
    let handle;
    try {
      handle = await open(this.#path, constants.O_RDWR | constants.O_NOFOLLOW);
    } catch (error) {
      if (!isGone(error)) throw error;
      // The first write, or one after others took this watcher for gone and tidied up.
      await mkdir(dirname(this.#path), { recursive: true });
      handle = await open(this.#path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o644);
    }
    try {
      // The same bytes over the old ones: no reader ever finds less than a whole lease.
      await handle.write(text, 0, text.length, 0);
      await handle.truncate(text.length);
      await handle.sync();
      const { mtimeMs } = await handle.stat();
      this.#readAtMs = performance.now();
      this.#serverMs = mtimeMs;
    } finally {
      await handle.close();
    }
  }

  /** Ends the lease, so that others take the jobs over at once. */
  async release(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
    this.#lease = { ...this.#lease, released: true };
    await this.renew();
  }

  async #keepRenewing(): Promise<void> {
    const { signal } = this.#stopped;
    const intervalMs = leaseRenewalMs(this.#lease.lease_seconds);
    for (;;) {
      await pause(intervalMs, signal);
      if (signal.aborted) return;
      // The rounds of the watcher report an unavailable folder; they stop when the lease is not held.
      await this.renew().catch((error: unknown) => {
        if (errnoOf(error) === undefined) throw error;
      });
    }
  }
}
