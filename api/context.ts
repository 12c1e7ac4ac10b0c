/** What every route works with: the parts of the process, and what is known of one request. */
import type { HttpBindings } from '@hono/node-server';
import type { Logger } from '../platform/log.ts';
import type { ApiDeps } from './deps.ts';
import type { AnalysisFeeds } from './decks/analyses/feeds.ts';
import type { SmallerImages } from './decks/files/images.ts';
import type { TenantFeeds } from './events/tenant-feeds.ts';
import type { Identity } from './auth/identity.ts';
import type { IdentityWatch } from './auth/identity-watch.ts';

/** Parts as routes see them: with what the app itself keeps. */
export interface RouteDeps extends ApiDeps {
  readonly feeds: AnalysisFeeds;
  readonly smallerImages: SmallerImages;
  readonly tenantFeeds: TenantFeeds;
  readonly identityWatch: IdentityWatch;
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
/** Where the endpoints of the compatibility layer live. */
export const COMPAT_PREFIX = '/api';
