/**
 * A limit on the total size of all blobs, for a disk that is shared with others. A write beyond it fails with the error of a full disk, so
 * that callers handle both in the same way.
 *
 * The limit is the configured one, or the number in the file `!quota` in the store's root. That file is read at every write, so a change
 * needs no restart. The store is measured from time to time; between two measurements a process adds its own writes. Concurrent processes may
 * therefore exceed the limit by what they wrote since the last measurement.
 */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DeckhandError } from '../../domain/errors.ts';
import { ifAbsent } from '../absent.ts';

/** Our keys have no `!`, so no blob has this name. */
const QUOTA_FILE = '!quota';
/** Between two walks while there is room. */
const WALK_INTERVAL_MS = 60_000;
/** Between two walks while writes are refused: files may be deleted meanwhile. */
const FULL_WALK_INTERVAL_MS = 1_000;

/** Use of a store that has a limit. */
interface QuotaUse {
  readonly limitBytes: number;
  readonly usedBytes: number;
}

/** Measures the store; null = it has no limit. @param configuredBytes null = no limit unless the file has one */
export async function quotaUse(root: string, configuredBytes: number | null): Promise<QuotaUse | null> {
  const limitBytes = await limitOf(root, configuredBytes);
  return limitBytes === null ? null : { limitBytes, usedBytes: await bytesUnder(root) };
}

/** Enforces the limit of a store. */
export class BlobQuota {
  readonly #root: string;
  readonly #configuredBytes: number | null;
  #usedBytes = 0;
  #walkedAtMs = Number.NEGATIVE_INFINITY;

  /** @param configuredBytes null = no limit unless the file has one */
  constructor(root: string, configuredBytes: number | null) {
    this.#root = root;
    this.#configuredBytes = configuredBytes;
  }

  /**
   * Adds a file that is about to become a blob.
   *
   * @param path of the whole file, inside the store
   * @throws Error ENOSPC when there is no room for it
   */
  async take(path: string): Promise<void> {
    const limitBytes = await limitOf(this.#root, this.#configuredBytes);
    if (limitBytes === null) return;
    const { size } = await stat(path);
    const fits = (): boolean => this.#usedBytes + size <= limitBytes;
    if (this.#isOlderThan(WALK_INTERVAL_MS) || (!fits() && this.#isOlderThan(FULL_WALK_INTERVAL_MS))) {
      // The file is in the store already.
      this.#usedBytes = (await bytesUnder(this.#root)) - size;
      this.#walkedAtMs = performance.now();
    }
    if (!fits()) throw new QuotaExceededError(this.#usedBytes, size, limitBytes);
    this.#usedBytes += size;
  }

  #isOlderThan(ms: number): boolean {
    return performance.now() - this.#walkedAtMs > ms;
  }
}

async function limitOf(root: string, configuredBytes: number | null): Promise<number | null> {
  const path = join(root, QUOTA_FILE);
  const text = (await readFile(path, 'utf8').catch(ifAbsent(null)))?.trim();
  if (text === undefined) return configuredBytes;
  if (/^\d+$/u.test(text)) return Number(text);
  throw new DeckhandError('usage', `${path} holds ${JSON.stringify(text.slice(0, 40))}, which is no number of bytes`, {
    hint: `Write a whole number of bytes into ${path}, or remove it.`,
  });
}

/** Has the code of a full disk, so that `writeError` handles it like one. */
class QuotaExceededError extends Error {
  readonly code = 'ENOSPC';

  constructor(usedBytes: number, size: number, limitBytes: number) {
    super(`${usedBytes} bytes are stored and ${size} more would exceed the quota of ${limitBytes}`);
  }
}

/** Bytes of all files under a directory; files that are deleted meanwhile count nothing. */
async function bytesUnder(directory: string): Promise<number> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(ifAbsent([]));
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => stat(join(directory, entry.name)).then(({ size }) => size, ifAbsent(0))),
  );
  let sum = sizes.reduce((total, size) => total + size, 0);
  for (const entry of entries) if (entry.isDirectory()) sum += await bytesUnder(join(directory, entry.name));
  return sum;
}
