/**
 * Client of the DataCrunch (Verda) API: every call we know, typed, over one shared token and one call rate limit.
 *
 * `https://api.verda.com/v1` and the older `https://api.datacrunch.io/v1` are the same API. Errors are DeckhandErrors with a provider
 * code. Reads and repeatable changes are sent again after a fault, creates never.
 */
import { pause as realPause } from '../../platform/pause.ts';
import { createMemoryRateLimit, type CallRateLimit, type Pause } from '../call-rate-limit.ts';
import { scriptCalls, sshKeyCalls } from './calls/access.ts';
import { catalogueCalls } from './calls/catalogue.ts';
import { containerCalls } from './calls/containers.ts';
import { instanceCalls } from './calls/instances.ts';
import { journalCalls } from './calls/journal.ts';
import { volumeCalls } from './calls/volumes.ts';
import type { RetryOptions } from '../http/retry.ts';
import type { DataCrunchCredentials } from './http/token.ts';
import { createTransport, type OnRows } from './http/transport.ts';
import type { Fetch } from '../http/wire.ts';

export interface DataCrunchClientOptions {
  /** With /v1. */
  readonly baseUrl: string;
  readonly credentials: DataCrunchCredentials;
  /** Shared by all who use the account; one of this client's own where left out. */
  readonly rateLimit?: CallRateLimit;
  /** Ends every wait and call when it fires. */
  readonly signal?: AbortSignal;
  /** Limit of one request, ms. */
  readonly timeoutMs?: number;
  readonly retry?: RetryOptions;
  /** Told after each reading of a list of offers which of its rows could not be read. */
  readonly onRows?: OnRows;
  /** Replaced by tests that run in one process on a virtual clock. */
  readonly fetch?: Fetch;
  readonly pause?: Pause;
  readonly now?: () => number;
  readonly random?: () => number;
}

/** Makes a client. It sends nothing before the first call. */
export function createDataCrunchClient(options: DataCrunchClientOptions) {
  const pause = options.pause ?? realPause;
  const now = options.now ?? Date.now;
  const http = createTransport({
    ...options,
    fetch: options.fetch ?? fetch,
    pause,
    now,
    rateLimit: options.rateLimit ?? createMemoryRateLimit({ now, pause }),
  });
  return {
    baseUrl: http.baseUrl,
    /** What is left of the account's calls, as the provider said last; null before the first call. */
    rateLimit: () => http.rateLimit(),
    catalogue: catalogueCalls(http),
    instances: instanceCalls(http),
    volumes: volumeCalls(http),
    journal: journalCalls(http),
    sshKeys: sshKeyCalls(http),
    scripts: scriptCalls(http),
    containers: containerCalls(http),
  };
}

/** See {@link createDataCrunchClient}. */
export type DataCrunchClient = ReturnType<typeof createDataCrunchClient>;
