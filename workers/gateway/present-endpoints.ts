/**
 * The present settings of endpoints. The input of an attachment has those with which its instance began; a permission to send slides out of the
 * network, a key or a protocol may have changed since. They are read at each attachment, and looked at while it lasts.
 */
import { isDeepStrictEqual } from 'node:util';
import { serverPools } from '../../activities/models/catalog/places.ts';
import type { ServeInput } from '../../contracts/instance.ts';
import { endpointServing } from '../../domain/fleet/pool/endpoint-config.ts';
import type { PoolConfig } from '../../domain/fleet/pool/pool-config.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import type { Logger } from '../../platform/log.ts';

/** Between looks at the settings, for all attachments of this process together. */
const LOOK_INTERVAL_MS = 2000;

/**
 * The input of an attachment as its pool is configured now. Without such a pool, or where it is at another URL, the pool's workflow ends the
 * instance; until then it goes on with what it has, but slides may not leave the network for it any more.
 */
export function withPresentSettings(input: ServeInput, pools: readonly PoolConfig[]): ServeInput {
  const { endpoint: used, serverKind: _kind, slots: _slots, ...rest } = input;
  if (used.kind !== 'endpoint') return input;
  const settings = pools.find(({ name }) => name === input.pool)?.endpoint;
  // Replicas of a deployment have no URL of their own that is configured.
  if (settings !== undefined && settings.url === input.serverUrl)
    return { ...rest, ...endpointServing(settings, used.url) };
  return used.reach === 'allowed' ? { ...input, endpoint: { ...used, reach: 'inside' } } : input;
}

interface Watched {
  readonly input: ServeInput;
  readonly onChanged: () => void;
}

interface PresentEndpointsOptions {
  readonly db: PrismaClient;
  readonly fleetPools: readonly PoolConfig[];
  /** Profile of the installation. */
  readonly installed: string;
  readonly log: Logger;
}

/** The endpoints that one gateway serves. */
export class PresentEndpoints {
  readonly #options: PresentEndpointsOptions;
  readonly #watched = new Set<Watched>();
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #hasFailed = false;

  constructor(options: PresentEndpointsOptions) {
    this.#options = options;
  }

  /** The input of an attachment that begins, with the present settings. @throws errors of the database */
  async presentOf(input: ServeInput): Promise<ServeInput> {
    return input.endpoint.kind === 'endpoint' ? withPresentSettings(input, await this.#pools()) : input;
  }

  /** Calls back, once, when the settings are others than those of `input`. Returns how to stop looking. */
  watch(input: ServeInput, onChanged: () => void): () => void {
    if (input.endpoint.kind !== 'endpoint') return () => undefined;
    const watched = { input, onChanged };
    this.#watched.add(watched);
    this.#timer ??= setInterval(() => void this.#look(), LOOK_INTERVAL_MS);
    return () => this.#forget(watched);
  }

  #forget(watched: Watched): void {
    this.#watched.delete(watched);
    if (this.#watched.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    // One that begins meanwhile may have read later settings than this look.
    const all = [...this.#watched];
    try {
      const pools = await this.#pools();
      this.#hasFailed = false;
      for (const watched of all) {
        if (isDeepStrictEqual(withPresentSettings(watched.input, pools), watched.input)) continue;
        this.#forget(watched);
        watched.onChanged();
      }
    } catch (error) {
      if (!this.#hasFailed) this.#options.log.warn({ err: error }, 'the settings of model servers could not be read');
      this.#hasFailed = true;
    } finally {
      this.#isLooking = false;
    }
  }

  /** Pools with an endpoint are in the fleet file, or stand for a server of the catalogue. */
  async #pools(): Promise<readonly PoolConfig[]> {
    const { db, fleetPools, installed } = this.#options;
    return [...fleetPools, ...(await serverPools(db, installed))];
  }
}
