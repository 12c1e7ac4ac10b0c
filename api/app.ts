/**
 * The HTTP API: one Hono app of small route groups, described by one OpenAPI document that is made from the same schemas.
 */
import { randomUUID } from 'node:crypto';
import type { OpenAPIHono } from '@hono/zod-openapi';
import { createMiddleware } from 'hono/factory';
import { secureHeaders } from 'hono/secure-headers';
import type { Logger } from '../platform/log.ts';
import { alertRoutes } from './alerts/routes.ts';
import { authenticate } from './auth/authenticate.ts';
import { IdentityWatch } from './auth/identity-watch.ts';
import { codecCors, codecRoutes } from './codec/routes.ts';
import { companyRoutes } from './companies/routes.ts';
import { compatRoutes } from './compat/routes.ts';
import { API_PREFIX, COMPAT_PREFIX, type ApiEnv } from './context.ts';
import { calibrationRoutes } from './calibration/routes.ts';
import { budgetRoutes } from './costs/budgets/routes.ts';
import { costForecastRoutes } from './costs/forecast-routes.ts';
import { costReportRoutes } from './costs/report-routes.ts';
import { costRoutes } from './costs/routes.ts';
import { controlRoutes } from './decks/analyses/control-routes.ts';
import { eventRoutes } from './decks/analyses/events.ts';
import { AnalysisFeeds } from './decks/analyses/feeds.ts';
import { analysisRoutes } from './decks/analyses/routes.ts';
import { compareRoutes } from './decks/compare/routes.ts';
import { replayRoutes } from './decks/replays/routes.ts';
import { reportRoutes } from './decks/report/routes.ts';
import { deckListRoutes } from './decks/list/routes.ts';
import { SmallerImages } from './decks/files/images.ts';
import { deckFileRoutes } from './decks/files/routes.ts';
import { deckRoutes } from './decks/routes.ts';
import { verdictRoutes } from './decks/verdicts/routes.ts';
import type { ApiDeps } from './deps.ts';
import { workspaceEventRoutes } from './events/routes.ts';
import { TenantFeeds } from './events/tenant-feeds.ts';
import { fleetRoutes } from './fleet/fleet-routes.ts';
import { reapRoutes } from './fleet/reap-routes.ts';
import { logRoutes } from './fleet/log-routes.ts';
import { volumeRoutes } from './fleet/volume-routes.ts';
import { selectionRoutes } from './fleet/selection-routes.ts';
import { diagnosisRoutes } from './health/diagnosis-routes.ts';
import { limitBodies } from './http/body-limit.ts';
import { refuseUnknownQuery } from './http/known-query.ts';
import { healthRoutes } from './http/liveness-routes.ts';
import { handleError, handleNotFound } from './http/problem.ts';
import { keyRoutes } from './keys/routes.ts';
import { metricRoutes } from './metrics/routes.ts';
import { modelRoutes } from './models/routes.ts';
import { describeApi, documentRoute } from './openapi.ts';
import { rolloutRoutes } from './rollouts/routes.ts';
import { sampleRoutes } from './samples/routes.ts';
import { peopleRoutes } from './people/routes.ts';
import { scheduleRoutes } from './schedules/routes.ts';
import { sessionRoutes } from './session/routes.ts';
import { targetRoutes } from './targets/routes.ts';
import { tenantRoutes } from './tenants/routes.ts';
import { viewRoutes } from './views/routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';
import { createRoutes } from './http/routes.ts';
import { webRoutes } from './web/routes.ts';

/** The app and what has to be closed with it. */
export interface ApiApp {
  readonly app: OpenAPIHono<ApiEnv>;
  /** Ends open event streams, so that a server can close. */
  close(): void;
}

/** Makes the app. */
export function createApp(deps: ApiDeps): ApiApp {
  const feeds = new AnalysisFeeds(deps);
  const tenantFeeds = new TenantFeeds(deps);
  const routeDeps = {
    ...deps,
    feeds,
    tenantFeeds,
    identityWatch: new IdentityWatch(deps.db),
    smallerImages: new SmallerImages(deps),
  };
  const app = createRoutes();
  app.onError(handleError);
  app.notFound(handleNotFound);
  app.use(requestLog(deps.log));
  app.use(endUnreadBody);
  app.use(
    secureHeaders({
      crossOriginResourcePolicy: 'same-origin',
      xFrameOptions: 'DENY',
      referrerPolicy: 'same-origin',
      // Pages and files have policies of their own (pages/content-security.ts); everything else is data.
      contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
      overwrite: false,
    }),
  );
  // The Temporal UI may ask the codec server, and sign in for it.
  for (const path of ['codec/*', 'session']) app.use(`${API_PREFIX}/${path}`, codecCors(deps.config.temporalUiUrl));
  app.use(authenticate(deps));
  app.use(refuseUnknownQuery(app));
  app.use(limitBodies);
  for (const routes of [
    deckRoutes,
    deckListRoutes,
    workspaceEventRoutes,
    viewRoutes,
    deckFileRoutes,
    verdictRoutes,
    companyRoutes,
    peopleRoutes,
    calibrationRoutes,
    analysisRoutes,
    controlRoutes,
    eventRoutes,
    reportRoutes,
    compareRoutes,
    replayRoutes,
    modelRoutes,
    healthRoutes,
    codecRoutes,
    budgetRoutes,
    diagnosisRoutes,
    volumeRoutes,
    logRoutes,
    fleetRoutes,
    reapRoutes,
    selectionRoutes,
    costForecastRoutes,
    costRoutes,
    costReportRoutes,
    sampleRoutes,
    scheduleRoutes,
    webhookRoutes,
    alertRoutes,
    keyRoutes,
    tenantRoutes,
    rolloutRoutes,
    targetRoutes,
    sessionRoutes,
  ]) {
    app.route(API_PREFIX, routes(routeDeps));
  }
  app.route(COMPAT_PREFIX, compatRoutes(routeDeps));
  app.route('/', metricRoutes(routeDeps));
  app.route('/', webRoutes(routeDeps));
  app.openAPIRegistry.registerPath(documentRoute);
  // Made at the first request: it does not change while the process lives.
  let document: ReturnType<typeof describeApi> | undefined;
  app.get(documentRoute.path, (c) => c.json((document ??= describeApi(app))));
  const close = (): void => {
    feeds.close();
    tenantFeeds.close();
  };
  return { app, close };
}

/** Ends the body of an answer to HEAD: a file or a stream of events without a reader would stay open for ever. */
const endUnreadBody = createMiddleware<ApiEnv>(async (c, next) => {
  await next();
  if (c.req.method === 'HEAD') await c.res.body?.cancel();
});

/** Request ids of clients are used when they are harmless in a log. */
const REQUEST_ID = /^[\w-]{1,64}$/;

/** The middleware. The id is answered as `x-request-id`. */
const requestLog = (log: Logger) =>
  createMiddleware<ApiEnv>(async (c, next) => {
    const given = c.req.header('x-request-id');
    const requestId = given !== undefined && REQUEST_ID.test(given) ? given : randomUUID();
    const startedAt = performance.now();
    c.set('requestId', requestId);
    c.set('log', log.child({ requestId }));
    await next();
    c.res.headers.set('x-request-id', requestId);
    const durationMs = Math.round(performance.now() - startedAt);
    c.get('log').debug({ method: c.req.method, path: c.req.path, status: c.res.status, durationMs }, 'request');
  });
