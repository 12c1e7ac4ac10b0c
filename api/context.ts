/** What every route works with: the parts of the process, and what is known of one request. */
import type { HttpBindings } from '@hono/node-server';
import type { Client } from '@temporalio/client';
import type { Selection } from '../activities/fleet/selection/selection.ts';
import type { PrismaClient } from '../generated/prisma/client.ts';
import type { BlobStore } from '../platform/blobs.ts';
import type { Config } from '../platform/config.ts';
import type { Logger } from '../platform/log.ts';
import type { AnalysisFeeds } from './decks/analyses/feeds.ts';
import type { Identity } from './auth/identity.ts';

/** Parts the API is made of; the process that starts it opens and closes them. */
export interface ApiDeps {
  readonly db: PrismaClient;
  readonly blobs: BlobStore;
  readonly temporal: Client;
  readonly config: Pick<
    Config,
    | 'maxUploadBytes'
    | 'models'
    | 'fleetFile'
    | 'home'
    | 'providerUrl'
    | 'auth'
    | 'apiHost'
    | 'apiPort'
    | 'publicUrl'
    | 'temporalUiUrl'
    | 'encryption'
    | 'payloadKeys'
    | 'slaMs'
  >;
  readonly log: Logger;
  /** What could be rented; opened when it is first asked for, and throws why it cannot be. Absent = this process asks no provider. */
  readonly selection?: () => Selection;
}

/** Parts as routes see them: with what the app itself keeps. */
export interface RouteDeps extends ApiDeps {
  readonly feeds: AnalysisFeeds;
}

/** Hono's types for this app. */
export interface ApiEnv {
  Bindings: HttpBindings;
  Variables: {
    requestId: string;
    log: Logger;
    /** Foreign page that may ask this route, when it is the one that asks. */
    trustedOrigin?: string;
    /** Who asks; absent on the few routes that anyone may use. */
    identity: Identity;
    /** Whose data this request may see: the tenant of its key. */
    tenantId: string;
  };
}

/** Where every route lives. */
export const API_PREFIX = '/api/v1';

/** The tenant that every installation starts with. */
export const DEFAULT_TENANT = 'default';
