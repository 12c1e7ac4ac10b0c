/**
 * Client of the DataCrunch (Verda) API: every call we know, typed, over one shared token and one call rate limit.
 *
 * `https://api.verda.com/v1` and the older `https://api.datacrunch.io/v1` are the same API. Errors are DeckhandErrors with a provider
 * code. Reads and repeatable changes are sent again after a fault, creates never.
 */
import { scriptCalls, sshKeyCalls } from './calls/access.ts';
import { catalogueCalls } from './calls/catalogue.ts';
import { containerCalls } from './calls/containers.ts';
import { instanceCalls } from './calls/instances.ts';
import { journalCalls } from './calls/journal.ts';
import { volumeCalls } from './calls/volumes.ts';
import { createTransport, type DataCrunchClientOptions } from './http/transport.ts';

/** Makes a client. It sends nothing before the first call. */
export function createDataCrunchClient(options: DataCrunchClientOptions) {
  const http = createTransport(options);
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
