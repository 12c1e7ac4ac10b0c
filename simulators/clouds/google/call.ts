/**
 * Answers one call to the simulated Google, in this order: time, counters, scripted fault, token, rate limits, route.
 */
import { ConnectionFault } from '../core/connection.ts';
import { badGateway, createFaultOf } from '../core/fault-effects.ts';
import type { CallTraits, FaultRule } from '../core/faults.ts';
import type { Call, Simulation } from './account.ts';
import { holderOf } from './compute/find.ts';
import { lastPart } from './compute/links.ts';
import { routeOf, type Routed } from './compute/routes.ts';
import { googleControl } from './control.ts';
import { errorResponse, GoogleError, googleErrorOf, notFound, reasonOfStatus, tooManyCalls } from './errors.ts';
import { checkToken, issueToken } from './token.ts';

/** What fault rules can match; a call on one instance has the traits of that instance. */
function traitsOf(sim: Simulation, method: string, routed: Routed, body: unknown): CallTraits {
  const { path, params } = routed;
  const traits = { method, path, action: lastPart(path), location: params['zone'] };
  if (routed.route === 'POST /zones/:zone/instances' && typeof body === 'object' && body !== null) {
    const { machineType, scheduling } = body as { machineType?: unknown; scheduling?: { provisioningModel?: unknown } };
    return {
      ...traits,
      action: 'insert',
      instanceType: typeof machineType === 'string' ? lastPart(machineType) : undefined,
      market: scheduling?.provisioningModel === 'SPOT' ? 'spot' : 'ondemand',
    };
  }
  const isOne = routed.route.includes('/instances/:name');
  const instance = isOne ? holderOf(sim, params['zone'] ?? '', params['name'] ?? '') : undefined;
  return instance === undefined ? traits : { ...traits, instanceType: instance.instanceType, market: instance.market };
}

const WINDOW_MS = 60_000;

/** True when a call exceeds a rate limit of the scenario: all calls, those of one route, or lists. */
function isTooMany({ cloud, account }: Simulation, route: string): boolean {
  const limits = cloud.scenario.rateLimits;
  if (limits === null) return false;
  const nowMs = cloud.clock.nowMs();
  const buckets = [
    { key: 'project', quota: limits.project },
    { key: route, quota: route.startsWith('GET') ? limits.list : limits.endpoint },
  ].map(({ key, quota }) => {
    const known = account.windows[key];
    const window = known === undefined || known.fromMs + WINDOW_MS <= nowMs ? { fromMs: nowMs, calls: 0 } : known;
    account.windows[key] = window;
    return { window, isFull: window.calls >= quota };
  });
  if (buckets.some((b) => b.isFull)) return true;
  for (const { window } of buckets) window.calls += 1;
  return false;
}

/** The answer of a fault that replaces the call; null if the call is carried out. */
function answerInstead(fault: FaultRule | null): Response | null {
  switch (fault?.effect) {
    case 'error': {
      const reason = fault.code ?? reasonOfStatus(fault.status);
      return errorResponse(new GoogleError(fault.status, reason, fault.message ?? 'Scripted error'));
    }
    case 'html_502':
      return badGateway(fault.status);
    case 'rate_limit':
      return errorResponse(tooManyCalls());
    case 'timeout':
      throw new ConnectionFault('silent');
    default:
      return null;
  }
}

/** @throws GoogleError for a body that is not JSON */
function parsedBody(body: string): unknown {
  if (body === '') return undefined;
  try {
    return JSON.parse(body) as unknown;
  } catch {
    throw new GoogleError(400, 'parseError', 'Parse Error');
  }
}

const ofForeign = (sim: Simulation, { params, route }: Routed): boolean =>
  !route.startsWith('GET /services') && params['project'] !== sim.project && !route.startsWith('GET /global/images');

/**
 * Answers one call.
 *
 * @throws ConnectionFault when a scripted fault cuts the connection or answers nothing
 */
export async function answerCall(sim: Simulation, request: Request): Promise<Response> {
  const { cloud } = sim;
  const text = await request.text();
  const nowMs = cloud.settle();
  const { pathname, searchParams: query } = new URL(request.url);
  if (pathname.startsWith('/_control/')) return googleControl(sim, request, text);
  const routed = routeOf(request.method, pathname);
  const { calls } = cloud.state.stats;
  const counted = routed?.route ?? `${request.method} ${pathname}`;
  calls[counted] = (calls[counted] ?? 0) + 1;
  if (routed === null) {
    const fault = cloud.faultFor({ method: request.method, path: pathname });
    const instead = answerInstead(fault);
    if (instead !== null) return instead;
    if (request.method === 'POST' && pathname === '/token') return issueToken(sim, new URLSearchParams(text), nowMs);
    return errorResponse(
      new GoogleError(404, 'notFound', `The requested URL ${pathname} was not found on this server.`),
    );
  }
  let body: unknown;
  try {
    body = parsedBody(text);
  } catch (error) {
    return errorResponse(googleErrorOf(error));
  }
  const fault = cloud.faultFor(traitsOf(sim, request.method, routed, body));
  const instead = answerInstead(fault);
  if (instead !== null) return instead;
  const call: Call = {
    sim,
    params: routed.params,
    query,
    body,
    nowMs,
    createFault: createFaultOf(fault),
    staleByMs: fault?.effect === 'stale_list' ? fault.bySec * 1000 : 0,
    statusWord: fault?.effect === 'unknown_status' && request.method === 'GET' ? fault.word.toUpperCase() : null,
  };
  const attempt = (): Response => {
    try {
      checkToken(sim, request, nowMs);
      if (ofForeign(sim, routed)) throw notFound(`projects/${routed.params['project']}`);
      if (isTooMany(sim, routed.route)) throw tooManyCalls();
      return Response.json(routed.run(call));
    } catch (error) {
      return errorResponse(googleErrorOf(error));
    }
  };
  let response = attempt();
  if (fault?.effect === 'duplicate') response = attempt();
  if (fault?.effect === 'drop_answer') throw new ConnectionFault(fault.silent ? 'silent' : 'closed');
  if (fault?.effect === 'lands_later') throw new ConnectionFault('closed');
  if (fault?.effect === 'delay') await cloud.clock.sleep(fault.delaySec * 1000);
  return response;
}
