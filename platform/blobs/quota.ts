/**
 * A limit on the bytes that all blobs of a filesystem store take together, for a disk that is shared with others. A write beyond it is
 * refused as on a full disk, so that everything that outlives a full disk outlives this.
 *
 * The limit is the configuration's, or what stands in the file `!quota` in the store's root, which is read at every write: raising it
 * needs no restart. What is there is counted by walking the store now and then; between two walks own writes are added, so processes that
 * write side by side may together be over by what they wrote since.
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

/** How full a store is that has a limit. */
interface QuotaUse {
  readonly limitBytes: number;
  readonly usedBytes: number;
}

/** How full the store is, counted now; null = it has no limit. @param configuredBytes null = no limit unless the file says one */
export async function quotaUse(root: string, configuredBytes: number | null): Promise<QuotaUse | null> {
  const limitBytes = await limitOf(root, configuredBytes);
  return limitBytes === null ? null : { limitBytes, usedBytes: await bytesUnder(root) };
}

/** Counts what a store holds, where it has a limit. */
export class BlobQuota {
  readonly #root: string;
  readonly #configuredBytes: number | null;
  #usedBytes = 0;
  #walkedAtMs = Number.NEGATIVE_INFINITY;

  /** @param configuredBytes null = no limit unless the file says one */
  constructor(root: string, configuredBytes: number | null) {
    this.#root = root;
    this.#configuredBytes = configuredBytes;
  }

  /**
   * Counts a file that is about to become a blob.
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

/** Named as the operating system does it, so that `writeError` tells it as what it is. */
class QuotaExceededError extends Error {
  readonly code = 'ENOSPC';

  constructor(usedBytes: number, size: number, limitBytes: number) {
    super(`${usedBytes} bytes are stored and ${size} more would exceed the quota of ${limitBytes}`);
  }
}

/** Bytes of all files under a directory; files and folders that go meanwhile, because a deck is being deleted, count nothing. */
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
