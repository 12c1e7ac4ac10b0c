/**
 * Watches whether keys and sessions are still valid, for streams, which outlive the check of their request. Streams of one key share one watch,
 * so that many open pages cost no more queries than one.
 */
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { pause } from '../../platform/pause.ts';
import { type Identity, stillHolds } from './identity.ts';

/** Time between two checks. */
const LOOK_MS = 2000;

/** One key or session with streams. */
interface Watch {
  readonly stop: AbortController;
  /** Settles when the identity is no longer valid, with the error when that could not be found out. */
  readonly ended: Promise<void>;
  streams: number;
}

/** The watches of a process. */
export class IdentityWatch {
  readonly #db: PrismaClient;
  readonly #watches = new Map<string, Watch>();

  constructor(db: PrismaClient) {
    this.#db = db;
  }

  /** Waits until an identity is no longer valid, such as that of a revoked key, or until the signal aborts. */
  async untilRefused(identity: Identity, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const aborted = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    if (identity.keyId === null) return aborted;
    const key = JSON.stringify([identity.keyId, identity.sessionId]);
    const watch = this.#watches.get(key) ?? this.#begin(key, identity);
    watch.streams += 1;
    try {
      // It also receives an error that comes after the last stream has left.
      await Promise.race([watch.ended, aborted]);
    } finally {
      watch.streams -= 1;
      if (watch.streams === 0) {
        watch.stop.abort();
        if (this.#watches.get(key) === watch) this.#watches.delete(key);
      }
    }
  }

  #begin(key: string, identity: Identity): Watch {
    const stop = new AbortController();
    const look = async (): Promise<void> => {
      do await pause(LOOK_MS, stop.signal);
      while (!stop.signal.aborted && (await stillHolds(this.#db, identity)));
    };
    // A stream that comes after the end begins a watch of its own.
    const ended = look().finally(() => this.#watches.delete(key));
    const watch: Watch = { stop, ended, streams: 0 };
    this.#watches.set(key, watch);
    return watch;
  }
}
