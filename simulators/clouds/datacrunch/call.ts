/**
 * Answers one call to the simulated DataCrunch, in this order: time, counters, scripted fault, token, rate limits, route.
 */
import { Hono } from 'hono';
import { badGateway, createFaultOf } from '../core/fault-effects.ts';
import type { CallTraits, FaultRule } from '../core/faults.ts';
import type { CallEnv, Env, Simulation } from './account.ts';
import { controlRoutes } from './control.ts';
import { ConnectionFault } from '../core/connection.ts';
import { ApiError, codeOfStatus, errorResponse, responseOf } from './errors.ts';
import { actionRoutes } from './routes/actions.ts';
import { catalogueRoutes } from './routes/catalogue.ts';
import { containerRoutes } from './routes/containers.ts';
import { instanceRoutes } from './routes/instances.ts';
import { isAuthorized, oauthRoutes } from './routes/oauth.ts';
import { journalRoutes, keyAndScriptRoutes } from './routes/project.ts';
import { volumeRoutes } from './routes/volumes.ts';

const WINDOW_MS = 60_000;
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
  const buckets = [
    { name: 'project', key: 'project', quota: limits.project },
    { name: 'endpoint', key: `${method} ${path}`, quota: isList ? limits.list : limits.endpoint },
  ].map((bucket) => {
    let window = windows[bucket.key];
    if (window === undefined || window.fromMs + WINDOW_MS <= nowMs) {
      window = { fromMs: nowMs, calls: 0 };
      windows[bucket.key] = window;
    }
    return { ...bucket, window, resetSec: Math.max(1, Math.ceil((window.fromMs + WINDOW_MS - nowMs) / 1000)) };
  });
  const full = buckets.filter((b) => b.window.calls >= b.quota);
  // A refused call is not counted, so that waiting for Retry-After is enough.
  if (full.length === 0) for (const bucket of buckets) bucket.window.calls += 1;
  return {
    retryAfterSec: full.length === 0 ? null : Math.max(...full.map((b) => b.resetSec)),
    headers: {
      'RateLimit-Policy': buckets.map((b) => `"${b.name}";q=${b.quota};w=${WINDOW_MS / 1000}`).join(', '),
      RateLimit: buckets
        .map((b) => `"${b.name}";r=${Math.max(0, b.quota - b.window.calls)};t=${b.resetSec}`)
        .join(', '),
    },
  };
}

/** Answer beyond the rate limit: short text, no JSON. */
const tooManyCalls = (retryAfterSec: number, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response('Rate limit', {
    status: 429,
    headers: { ...headers, 'content-type': 'text/plain', 'Retry-After': String(Math.ceil(retryAfterSec)) },
  });

const PREFIX = '/v1';

/** All routes, built once: the simulation comes with each call. */
const routes = new Hono<Env>()
  .basePath(PREFIX)
  .route('/', oauthRoutes)
  .route('/', catalogueRoutes)
  .route('/', instanceRoutes)
  .route('/', actionRoutes)
  .route('/', keyAndScriptRoutes)
  .route('/', volumeRoutes)
  .route('/', journalRoutes)
  .route('/', containerRoutes)
  // Tokens of the public API reach documented paths only.
  .notFound(() => new ApiError('forbidden_action', 'Insufficient scope').toResponse())
  .onError((error) => responseOf(error) ?? errorResponse(500, 'server_error', String(error)));

const PUBLIC_PATHS: ReadonlySet<string> = new Set([
  '/oauth2/token',
  '/instance-types',
  '/instance-types/price-history',
  '/cluster-types',
  '/container-types',
  '/volume-types',
  '/long-term/periods',
  '/long-term/periods/instances',
  '/long-term/periods/clusters',
]);

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gu;

async function bodyOf(request: Request): Promise<unknown> {
  if (request.method === 'GET' || request.method === 'HEAD') return undefined;
  const text = await request.text();
  if (text === '') return undefined;
  if (request.headers.get('content-type')?.includes('form-urlencoded') === true)
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

/** The answer of a fault that replaces the call; null if the call is carried out. */
function answerInstead(fault: FaultRule | null): Response | null {
  switch (fault?.effect) {
    case 'error':
      return errorResponse(fault.status, fault.code ?? codeOfStatus(fault.status), fault.message ?? 'Scripted error');
    case 'html_502':
      return badGateway(fault.status);
    case 'rate_limit':
      return tooManyCalls(fault.retryAfterSec);
    case 'timeout':
      throw new ConnectionFault('silent');
    default:
      return null;
  }
}

/**
 * Answers one call.
 *
 * @throws ConnectionFault when a scripted fault cuts the connection or answers nothing
 */
export async function answerCall(sim: Simulation, request: Request): Promise<Response> {
  const { cloud } = sim;
  const url = new URL(request.url);
  const isControl = url.pathname.startsWith('/_control/');
  if (!isControl && !url.pathname.startsWith(`${PREFIX}/`)) return errorResponse(404, 'not_found', 'Not found');
  let body: unknown;
  try {
    body = await bodyOf(request);
  } catch (error) {
    const response = responseOf(error);
    if (response !== null) return response;
    throw error;
  }
  cloud.settle();
  if (isControl) return controlRoutes.fetch(request, { sim, cloud, body });
  const path = url.pathname.slice(PREFIX.length);
  const counted = `${request.method} ${path.replaceAll(UUID, ':id')}`;
  const { calls } = cloud.state.stats;
  calls[counted] = (calls[counted] ?? 0) + 1;

  const fault = cloud.faultFor(traitsOf(request.method, path, body));
  const instead = answerInstead(fault);
  if (instead !== null) return instead;

  let headers: Readonly<Record<string, string>> = {};
  if (!PUBLIC_PATHS.has(path)) {
    if (!isAuthorized(sim, request)) return errorResponse(401, 'unauthorized_request', 'Unauthorized');
    const verdict = countAgainstLimits(sim, request.method, path);
    if (verdict.retryAfterSec !== null) return tooManyCalls(verdict.retryAfterSec, verdict.headers);
    ({ headers } = verdict);
  }
  const env: CallEnv = {
    sim,
    body,
    createFault: createFaultOf(fault),
    staleByMs: fault?.effect === 'stale_list' ? fault.bySec * 1000 : 0,
    statusWord: fault?.effect === 'unknown_status' && request.method === 'GET' ? fault.word : null,
  };
  let response = await routes.fetch(request, env);
  if (fault?.effect === 'duplicate') response = await routes.fetch(request, env);
  if (fault?.effect === 'drop_answer') throw new ConnectionFault(fault.silent ? 'silent' : 'closed');
  if (fault?.effect === 'lands_later') throw new ConnectionFault('closed');
  if (fault?.effect === 'delay') await cloud.clock.sleep(fault.delaySec * 1000);
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}
