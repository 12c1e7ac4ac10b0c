/** The parts of the API process. */
import type { Client } from '@temporalio/client';
import type { Endpoints } from '../activities/fleet/endpoint/endpoints.ts';
import type { Selection } from '../activities/fleet/selection/selection.ts';
import type { PrismaClient } from '../generated/prisma/client.ts';
import type { BlobStore } from '../platform/blobs.ts';
import type { Config } from '../platform/config.ts';
import type { Logger } from '../platform/log.ts';

/** Parts the API is made of; the process that starts it opens and closes them. */
export interface ApiDeps {
  readonly db: PrismaClient;
  readonly blobs: BlobStore;
  readonly temporal: Client;
  readonly config: Pick<
    Config,
    | 'maxUploadBytes'
    | 'answering'
    | 'models'
    | 'modelsFile'
    | 'modelRegistryUrl'
    | 'ollamaHost'
    | 'dataLeavesHost'
    | 'fleetFile'
    | 'home'
    | 'providerUrls'
    | 'auth'
    | 'apiHost'
    | 'apiPort'
    | 'publicUrl'
    | 'modelConcurrency'
    | 'temporalUiUrl'
    | 'encryption'
    | 'payloadKeys'
    | 'slaMs'
    | 'blobDir'
    | 'blobQuotaBytes'
  >;
  readonly log: Logger;
  /** Selection of offers; opened at its first use, and throws why it cannot be. Absent = this process calls no provider. */
  readonly selection?: () => Selection;
  /** Deployments of endpoint pools; opened at its first use. Absent = this process calls no provider. */
  readonly endpoints?: () => Endpoints;
  /** Rows of the provider's catalogue that could not be read when it was last read, a sentence each. Absent = none. */
  readonly unreadableRows?: () => readonly string[];
}
