/** Calls to the simulated Azure: which service and resource they are for, and their answers. */
import { isAuthorized, type Wire } from '../core/call.ts';
import { accountControl } from '../core/control.ts';
import type { CallTraits } from '../core/faults.ts';
import { keyOf, quotaSchema, type Call, type Simulation, type Target } from './account.ts';
import { disks } from './arm/disks.ts';
import { groupNamed, groups, locations, subscription } from './arm/groups.ts';
import { machines } from './arm/machines.ts';
import { network } from './arm/network.ts';
import { operations } from './arm/operations.ts';
import { computeProvider, skus, vmSizes } from './arm/skus.ts';
import { ArmError, armErrorOf, codeOfStatus, errorResponse } from './errors.ts';
import { answerPrices } from './prices.ts';
import { drawUuid } from '../core/random.ts';

const MACHINES = 'Microsoft.Compute/virtualMachines';

/** A call as it came, before anything is checked. */
interface Received {
  readonly request: Request;
  readonly url: URL;
  readonly body: string;
  readonly service: 'login' | 'prices' | 'management';
  readonly subscriptionId: string;
  readonly target: Target;
}

const decoded = (part: string | undefined): string => decodeURIComponent(part ?? '');

/** What a path of the management API names. Names of types are written in any case. */
function targetOf(path: string): Target {
  const parts = path.split('/').slice(3);
  const isGroup = parts[0]?.toLowerCase() === 'resourcegroups';
  const group = isGroup && parts[1] !== undefined ? decoded(parts[1]) : null;
  const rest = isGroup ? parts.slice(2) : parts;
  if (rest[0]?.toLowerCase() !== 'providers')
    return { group, type: isGroup ? 'resourceGroups' : (rest[0] ?? ''), name: group, action: null };
  const [, namespace = '', type = '', name, ...action] = rest;
  return {
    group,
    type: `${namespace}/${type}`,
    name: name === undefined || name === '' ? null : decoded(name),
    action: action.length === 0 ? null : action.map(decoded).join('/'),
  };
}

function received(request: Request, body: string): Received {
  const url = new URL(request.url);
  const service = /\/oauth2\/(?:v2\.0\/)?token$/u.test(url.pathname)
    ? 'login'
    : url.pathname.startsWith('/api/retail/')
      ? 'prices'
      : 'management';
  const subscriptionId = url.pathname.split('/')[2] ?? '';
  return { request, url, body, service, subscriptionId, target: targetOf(url.pathname) };
}

/** Path as fault rules and counts have it: `/Microsoft.Compute/virtualMachines/NAME/start`, `/prices`, `/login`. */
function pathOf({ service, target }: Received, name = target.name): string {
  if (service !== 'management') return `/${service}`;
  return ['', target.type, name, target.action].filter((part) => part !== null).join('/');
}

/** What fault rules can match; a call on one machine has the traits of that machine. */
function traitsOf({ cloud, account }: Simulation, call: Received): CallTraits {
  const { target, request } = call;
  const traits = { method: request.method, path: pathOf(call), action: target.action ?? undefined };
  if (target.type.toLowerCase() !== MACHINES.toLowerCase() || target.name === null) return traits;
  const record = account.machines[keyOf(target.group ?? '', target.name)];
  const instance = record === undefined ? undefined : cloud.state.instances[record.instanceId];
  if (instance !== undefined)
    return { ...traits, instanceType: instance.instanceType, location: instance.location, market: instance.market };
  const sent = /"vmSize":\s*"([^"]+)"/u.exec(call.body)?.[1];
  const market = /"priority":\s*"Spot"/u.test(call.body) ? 'spot' : 'ondemand';
  const location = /"location":\s*"([^"]+)"/u.exec(call.body)?.[1];
  return request.method === 'PUT' ? { ...traits, instanceType: sent, location, market } : traits;
}

const tooMany = (retryAfterSec: number): Response =>
  errorResponse(new ArmError('TooManyRequests', 'The request is being throttled. Please retry later.', 429), {
    'retry-after': String(Math.ceil(retryAfterSec)),
  });

/** Carries out a call of the management API. @throws ArmError, CloudRefusal */
function manage(call: Call): Response {
  const { target } = call;
  if (target.group !== null && target.type !== 'resourceGroups') groupNamed(call, target.group);
  switch (target.type.toLowerCase()) {
    case '':
      return subscription(call);
    case 'locations':
      return locations(call);
    case 'resourcegroups':
      return groups(call, target.name);
    case 'microsoft.compute/skus':
      return skus(call);
    case 'microsoft.compute/virtualmachines':
      return machines(call);
    case 'microsoft.compute/disks':
      return disks(call);
    case 'microsoft.compute/':
      return computeProvider();
    case 'microsoft.compute/locations':
    case 'microsoft.network/locations':
      if (target.action?.toLowerCase() === 'vmsizes') return vmSizes(target.name ?? '');
      return operations(call, target.action?.split('/').at(-1) ?? '');
    default:
      return network(call);
  }
}

function checked(sim: Simulation, { request, url, subscriptionId }: Received): void {
  if (!isAuthorized(sim, request))
    throw new ArmError('InvalidAuthenticationToken', 'The access token is invalid or expired.', 401);
  if (url.searchParams.get('api-version') === null)
    throw new ArmError(
      'MissingApiVersionParameter',
      'The api-version query parameter (?api-version=) is required for all requests.',
    );
  if (subscriptionId.toLowerCase() !== sim.secrets.subscriptionId.toLowerCase())
    throw new ArmError('SubscriptionNotFound', `The subscription '${subscriptionId}' could not be found.`, 404);
}

function parsedBody(body: string): unknown {
  try {
    return body === '' ? undefined : (JSON.parse(body) as unknown);
  } catch (error) {
    if (error instanceof SyntaxError) throw new ArmError('InvalidRequestContent', 'The request content was invalid.');
    throw error;
  }
}

/** Calls to Azure. */
export const AZURE_WIRE: Wire<Simulation> = {
  control: accountControl(quotaSchema, (message) => ({ error: { code: 'InvalidRequest', message } })),
  receive: (sim, request, body) => {
    const call = received(request, body);
    const { service, url, target } = call;
    const { method, headers } = request;
    return {
      counted: `${method} ${pathOf(call, target.name === null ? null : ':name')}`,
      traits: traitsOf(sim, call),
      shows: method === 'GET',
      refuse: (status, code = codeOfStatus(status), message) => errorResponse(new ArmError(code, message, status)),
      tooMany,
      carryOut: (effects) => {
        if (service === 'login') return answerToken(sim, url.pathname, body);
        if (service === 'prices') return answerPrices(sim, url);
        checked(sim, call);
        return manage({ sim, method, url, headers, target, body: parsedBody(body), ...effects });
      },
      answerTo: (error) => errorResponse(armErrorOf(error)),
    };
  },
};

const refused = (error: string, description: string, status: number): Response =>
  Response.json(
    { error, error_description: description, error_codes: [Number(/\d{5,}/u.exec(description)?.[0])] },
    { status },
  );

/** Sign-in: `POST /<tenant>/oauth2/v2.0/token` and its older form without a version, with client id and secret. */
function answerToken({ cloud, account, secrets, dialect }: Simulation, path: string, body: string): Response {
  const form = new URLSearchParams(body);
  const [, tenant = ''] = path.split('/');
  if (tenant.toLowerCase() !== secrets.tenantId.toLowerCase())
    return refused('invalid_request', `AADSTS90002: Tenant '${tenant}' not found.`, 400);
  if (form.get('grant_type') !== 'client_credentials')
    return refused('unsupported_grant_type', 'AADSTS70003: The app requested an unsupported grant type.', 400);
  if (form.get('scope') === null && form.get('resource') === null)
    return refused(
      'invalid_request',
      "AADSTS900144: The request body must contain the following parameter: 'scope'.",
      400,
    );
  if (form.get('client_id') !== secrets.clientId)
    return refused('unauthorized_client', 'AADSTS700016: Application was not found in the directory.', 400);
  if (form.get('client_secret') !== secrets.clientSecret)
    return refused('invalid_client', 'AADSTS7000215: Invalid client secret provided.', 401);
  const nowMs = cloud.clock.nowMs();
  for (const [token, endsAtMs] of Object.entries(account.tokens)) if (endsAtMs <= nowMs) delete account.tokens[token];
  const token = `sim.${drawUuid(cloud.state.random)}`;
  account.tokens[token] = nowMs + dialect.tokenSec * 1000;
  const lifeSec = dialect.tokenSec;
  return Response.json({
    token_type: 'Bearer',
    expires_in: lifeSec,
    ext_expires_in: lifeSec,
    // The older form says when it ends.
    ...(path.includes('/v2.0/') ? {} : { expires_on: String(Math.floor(nowMs / 1000) + lifeSec) }),
    access_token: token,
  });
}
