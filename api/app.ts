/**
 * The HTTP API: one Hono app of small route groups, described by one OpenAPI document that is made from the same schemas.
 */
import type { OpenAPIHono } from '@hono/zod-openapi';
import { secureHeaders } from 'hono/secure-headers';
import { alertRoutes } from './alerts/routes.ts';
import { eventRoutes } from './decks/analyses/events.ts';
import { AnalysisFeeds } from './decks/analyses/feeds.ts';
import { controlRoutes } from './decks/analyses/control-routes.ts';
import { analysisRoutes } from './decks/analyses/routes.ts';
import { ROOT_PATH } from './auth/access-rules.ts';
import { authenticate } from './auth/authenticate.ts';
import { SESSION_PATH } from './auth/next-page.ts';
import { API_PREFIX } from './context.ts';
import type { ApiEnv } from './context.ts';
import type { ApiDeps } from './deps.ts';
import { budgetRoutes } from './costs/budgets/routes.ts';
import { codecCors } from './codec/cors.ts';
import { codecRoutes } from './codec/routes.ts';
import { compareRoutes } from './decks/compare/routes.ts';
import { costReportRoutes } from './costs/report-routes.ts';
import { costRoutes } from './costs/routes.ts';
import { deckRoutes } from './decks/routes.ts';
import { healthRoutes } from './http/liveness-routes.ts';
import { diagnosisRoutes } from './health/diagnosis-routes.ts';
import { fleetRoutes } from './fleet/fleet-routes.ts';
import { reapRoutes } from './fleet/reap-routes.ts';
import { selectionRoutes } from './fleet/selection-routes.ts';
import { limitBodies } from './http/body-limit.ts';
import { endUnreadBody } from './http/head.ts';
import { handleError, handleNotFound } from './http/problem.ts';
import { requestLog } from './http/request-log.ts';
import { createRoutes } from './http/validated.ts';
import { keyRoutes } from './keys/routes.ts';
import { metricRoutes } from './metrics/routes.ts';
import { modelRoutes } from './models/routes.ts';
import { describeApi, documentRoute } from './openapi.ts';
import { replayRoutes } from './decks/replays/routes.ts';
import { reportRoutes } from './decks/report/routes.ts';
import { scheduleRoutes } from './schedules/routes.ts';
import { sessionRoutes } from './session/routes.ts';
import { targetRoutes } from './targets/routes.ts';
import { tenantRoutes } from './tenants/routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';

/** The app and what has to be closed with it. */
export interface ApiApp {
  readonly app: OpenAPIHono<ApiEnv>;
  /** Ends open event streams, so that a server can close. */
  close(): void;
}

/** Makes the app. */
export function createApp(deps: ApiDeps): ApiApp {
  const feeds = new AnalysisFeeds(deps);
  const routeDeps = { ...deps, feeds };
  const app = createRoutes();
  app.onError(handleError);
  app.notFound(handleNotFound);
  app.use(requestLog(deps.log));
  app.use(endUnreadBody);
  app.use(
    secureHeaders({ crossOriginResourcePolicy: 'same-origin', xFrameOptions: 'DENY', referrerPolicy: 'same-origin' }),
  );
  // The Temporal UI may ask the codec server, and log in for it.
  for (const path of ['codec/*', 'session']) app.use(`${API_PREFIX}/${path}`, codecCors(deps.config.temporalUiUrl));
  app.use(authenticate(deps));
  app.use(limitBodies);
  for (const routes of [
    deckRoutes,
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
    fleetRoutes,
    reapRoutes,
    selectionRoutes,
    costRoutes,
    costReportRoutes,
    scheduleRoutes,
    webhookRoutes,
    alertRoutes,
    keyRoutes,
    tenantRoutes,
    targetRoutes,
    sessionRoutes,
  ]) {
    app.route(API_PREFIX, routes(routeDeps));
  }
  app.route('/', metricRoutes(routeDeps));
  app.get(ROOT_PATH, (c) => c.redirect(SESSION_PATH, 303));
  app.openAPIRegistry.registerPath(documentRoute);
  // Made when it is first asked for: it is the same as long as the process lives.
  let document: ReturnType<typeof describeApi> | undefined;
  app.get(documentRoute.path, (c) => c.json((document ??= describeApi(app))));
  return { app, close: () => feeds.close() };
}
