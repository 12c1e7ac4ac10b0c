/** Calls to the simulated DataCrunch, and their answers, in this order: token, rate limits, route. */
import { Hono } from 'hono';
import { isAuthorized, type Wire } from '../core/call.ts';
import { ControlInputError, controlRoutes as sharedControlRoutes, type ControlEnv } from '../core/control.ts';
import type { CallTraits } from '../core/faults.ts';
import { countInWindows, WINDOW_MS } from '../core/rate-limits.ts';
import { revokeTokens, type Env, type Simulation } from './account.ts';
import { ApiError, codeOfStatus, errorResponse, responseOf } from './errors.ts';
import { actionRoutes } from './routes/actions.ts';
import { catalogueRoutes } from './routes/catalogue.ts';
import { clusterRoutes } from './routes/clusters.ts';
import { containerRoutes } from './routes/containers.ts';
import { instanceRoutes } from './routes/instances.ts';
import { notSimulatedRoutes } from './routes/not-simulated.ts';
import { oauthRoutes } from './routes/oauth.ts';
import { journalRoutes, keyAndScriptRoutes, tagRoutes } from './routes/project.ts';
import { volumeRoutes } from './routes/volumes.ts';

/** Above this many windows, ended ones are removed. */
const MANY_WINDOWS = 200;

/** Whether a call exceeds a rate limit, and the headers of every authenticated answer. */
interface LimitVerdict {
  /** Seconds until the next try; null = within the limits. */
  readonly retryAfterSec: number | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** Counts a call against the rate limits. */
function countAgainstLimits({ cloud, account }: Simulation, method: string, path: string): LimitVerdict {
  const limits = cloud.scenario.rateLimits;
  if (limits === null) return { retryAfterSec: null, headers: {} };
  const nowMs = cloud.clock.nowMs();
  const { windows } = account;
  if (Object.keys(windows).length > MANY_WINDOWS)
    for (const [key, window] of Object.entries(windows)) if (window.fromMs + WINDOW_MS <= nowMs) delete windows[key];
  const isList = method === 'GET' && (path === '/instances' || path === '/volumes');
  const buckets = countInWindows(windows, nowMs, [
    { key: 'project', quota: limits.project },
    { key: `${method} ${path}`, quota: isList ? limits.list : limits.endpoint },
  ]).map((b, index) => ({
    ...b,
    name: index === 0 ? 'project' : 'endpoint',
    resetSec: Math.max(1, Math.ceil((b.endMs - nowMs) / 1000)),
  }));
  const full = buckets.filter((b) => b.isFull);
  return {
    retryAfterSec: full.length === 0 ? null : Math.max(...full.map((b) => b.resetSec)),
    headers: {
      'RateLimit-Policy': buckets.map((b) => `"${b.name}";q=${b.quota};w=${WINDOW_MS / 1000}`).join(', '),
      RateLimit: buckets.map((b) => `"${b.name}";r=${Math.max(0, b.quota - b.calls)};t=${b.resetSec}`).join(', '),
    },
  };
}

/** Answer beyond the rate limit: short text, no JSON. */
const tooManyCalls = (retryAfterSec: number, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response('Rate limit', {
    status: 429,
    headers: { ...headers, 'content-type': 'text/plain', 'Retry-After': String(Math.ceil(retryAfterSec)) },
  });

const answerTo = (error: unknown): Response => responseOf(error) ?? errorResponse(500, 'server_error', String(error));

const PREFIX = '/v1';

/** All routes, built once: the simulation comes with each call. */
const routes = new Hono<Env>()
  .basePath(PREFIX)
  .route('/', oauthRoutes)
  .route('/', catalogueRoutes)
  .route('/', instanceRoutes)
  .route('/', actionRoutes)
  .route('/', keyAndScriptRoutes)
  .route('/', tagRoutes)
  .route('/', volumeRoutes)
  .route('/', journalRoutes)
  .route('/', containerRoutes)
  .route('/', clusterRoutes)
  .route('/', notSimulatedRoutes)
  // Tokens of the public API reach documented paths only.
  .notFound(() => new ApiError('forbidden_action', 'Insufficient scope').toResponse())
  .onError(answerTo);

const PUBLIC_PATHS: ReadonlySet<string> = new Set([
  '/oauth2/token',
  '/instance-types',
  '/instance-types/price-history',
  '/cluster-types',
  '/container-types',
  '/managed-endpoints/pricing',
  '/container-registry/pricing',
  '/volume-types',
  '/long-term/periods',
  '/long-term/periods/instances',
  '/long-term/periods/clusters',
]);

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gu;

/** @throws ApiError when it is not JSON */
function parsedBody({ method, headers }: Request, text: string): unknown {
  if (method === 'GET' || method === 'HEAD' || text === '') return undefined;
  if (headers.get('content-type')?.includes('form-urlencoded') === true)
    return Object.fromEntries(new URLSearchParams(text));
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) throw new ApiError('invalid_request', 'Request body is not valid JSON');
    throw error;
  }
}

function traitsOf(method: string, path: string, body: unknown): CallTraits {
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const text = (name: string): string | undefined => (typeof fields[name] === 'string' ? fields[name] : undefined);
  const isSpot = fields['is_spot'] === true || fields['contract'] === 'SPOT';
  return {
    method,
    path,
    action: text('action'),
    instanceType: text('instance_type'),
    location: text('location_code'),
    market: fields['instance_type'] === undefined ? undefined : isSpot ? 'spot' : 'ondemand',
  };
}

/** The control routes of every simulator (core/control.ts), and `POST /_control/tokens/revoke`. */
const controlRoutes = new Hono<{ Bindings: ControlEnv & { readonly sim: Simulation } }>()
  .basePath('/_control')
  .route('/', sharedControlRoutes)
  .post('/tokens/revoke', (c) => {
    revokeTokens(c.env.sim);
    return c.json({ ok: true });
  })
  .notFound(() => errorResponse(404, 'not_found', 'no such control route'))
  .onError((error) =>
    error instanceof ControlInputError ? errorResponse(400, 'invalid_request', error.message) : answerTo(error),
  );

/** False for calls to container deployments. */
export function isApiCall(request: Request): boolean {
  const { pathname } = new URL(request.url);
  return pathname.startsWith('/_control/') || pathname.startsWith(`${PREFIX}/`);
}

/** Calls to DataCrunch. */
export const DATACRUNCH_WIRE: Wire<Simulation> = {
  control: (sim, request, text) => {
    try {
      return controlRoutes.fetch(request, { sim, cloud: sim.cloud, body: parsedBody(request, text) });
    } catch (error) {
      return answerTo(error);
    }
  },
  receive: (sim, request, text) => {
    const { method } = request;
    const path = new URL(request.url).pathname.slice(PREFIX.length);
    let body: unknown;
    try {
      body = parsedBody(request, text);
    } catch (error) {
      return answerTo(error);
    }
    let headers: LimitVerdict['headers'] = {};
    return {
      counted: `${method} ${path.replaceAll(UUID, ':id')}`,
      traits: traitsOf(method, path, body),
      shows: method === 'GET',
      refuse: (status, code = codeOfStatus(status), message) => errorResponse(status, code, message),
      tooMany: tooManyCalls,
      turnAway: () => {
        if (PUBLIC_PATHS.has(path)) return null;
        if (!isAuthorized(sim, request)) return errorResponse(401, 'unauthorized_request', 'Unauthorized');
        const verdict = countAgainstLimits(sim, method, path);
        ({ headers } = verdict);
        return verdict.retryAfterSec === null ? null : tooManyCalls(verdict.retryAfterSec, headers);
      },
      carryOut: async (effects) => {
        const response = await routes.fetch(request, { sim, body, ...effects });
        for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
        return response;
      },
      answerTo,
    };
  },
};
