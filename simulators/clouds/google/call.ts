/** Calls to the simulated Google, and their answers, in this order: token, project, rate limits, route. */
import { answerInstead, countCall, type ReceivedCall, type Wire } from '../core/call.ts';
import { accountControl } from '../core/control.ts';
import type { CallTraits } from '../core/faults.ts';
import { isTooMany } from '../core/rate-limits.ts';
import { quotaSchema, type Simulation } from './account.ts';
import { holderOf } from './compute/find.ts';
import { lastPart } from './compute/links.ts';
import { routeOf, type Routed } from './compute/routes.ts';
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

/** The error is for a body that is not JSON. */
function parsedBody(body: string): unknown {
  if (body === '') return undefined;
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return new GoogleError(400, 'parseError', 'Parse Error');
  }
}

const ofForeign = (sim: Simulation, { params, route }: Routed): boolean =>
  !route.startsWith('GET /services') && params['project'] !== sim.project && !route.startsWith('GET /global/images');

const answerTo = (error: unknown): Response => errorResponse(googleErrorOf(error));

/** How faults refuse. */
const REFUSALS: Pick<ReceivedCall, 'refuse' | 'tooMany'> = {
  refuse: (status, code = reasonOfStatus(status), message) => errorResponse(new GoogleError(status, code, message)),
  tooMany: () => errorResponse(tooManyCalls()),
};

/** The answer of the token server, or of none. Only a fault that answers instead meets it. */
function elsewhere(sim: Simulation, { method }: Request, path: string, text: string): Response {
  const { cloud } = sim;
  countCall(cloud, `${method} ${path}`);
  const instead = answerInstead(cloud.faultFor({ method, path }), REFUSALS);
  if (instead !== null) return instead;
  return method === 'POST' && path === '/token'
    ? issueToken(sim, new URLSearchParams(text), cloud.clock.nowMs())
    : errorResponse(new GoogleError(404, 'notFound', `The requested URL ${path} was not found on this server.`));
}

/** Calls to Google. */
export const GOOGLE_WIRE: Wire<Simulation> = {
  control: accountControl(quotaSchema, (message) => ({ code: 'invalid_request', message })),
  receive: (sim, request, text) => {
    const { pathname, searchParams: query } = new URL(request.url);
    const routed = routeOf(request.method, pathname);
    if (routed === null) return elsewhere(sim, request, pathname, text);
    const { route, params } = routed;
    const body = parsedBody(text);
    return {
      ...REFUSALS,
      counted: route,
      // No fault meets a call that nobody can read.
      traits: body instanceof GoogleError ? null : traitsOf(sim, request.method, routed, body),
      shows: request.method === 'GET',
      carryOut: (effects) => {
        if (body instanceof GoogleError) throw body;
        checkToken(sim, request, effects.nowMs);
        if (ofForeign(sim, routed)) throw notFound(`projects/${params['project']}`);
        const alike = { all: 'project', alike: route, isList: route.startsWith('GET') };
        if (isTooMany(sim.cloud, sim.account.windows, alike)) throw tooManyCalls();
        const statusWord = effects.statusWord?.toUpperCase() ?? null;
        return Response.json(routed.run({ sim, params, query, body, ...effects, statusWord }));
      },
      answerTo,
    };
  },
};
