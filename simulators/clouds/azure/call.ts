/**
 * One call to the simulated Azure: which service and resource it is for, the fault that applies to it, and its answer.
 */
import { badGateway, createFaultOf } from '../core/fault-effects.ts';
import type { CallTraits, FaultRule } from '../core/faults.ts';
import { ConnectionFault } from '../core/connection.ts';
import { keyOf, type Call, type Simulation, type Target } from './account.ts';
import { disks } from './arm/disks.ts';
import { groupNamed, groups, locations, subscription } from './arm/groups.ts';
import { machines } from './arm/machines.ts';
import { network } from './arm/network.ts';
import { operations } from './arm/operations.ts';
import { computeProvider, skus, vmSizes } from './arm/skus.ts';
import { azureControl } from './control.ts';
import { ArmError, armErrorOf, codeOfStatus, errorResponse } from './errors.ts';
import { answerPrices } from './prices.ts';
import { answerToken, isAuthorized } from './token.ts';

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

/** The answer of a fault that replaces the call; null if the call is carried out. */
function answerInstead(fault: FaultRule | null): Response | null {
  switch (fault?.effect) {
    case 'error':
      return errorResponse(
        new ArmError(fault.code ?? codeOfStatus(fault.status), fault.message ?? 'Scripted error', fault.status),
      );
    case 'html_502':
      return badGateway(fault.status);
    case 'rate_limit':
      return tooMany(fault.retryAfterSec);
    case 'timeout':
      throw new ConnectionFault('silent');
    default:
      return null;
  }
}

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

function checked({ secrets, ...sim }: Simulation, { request, url, subscriptionId }: Received): void {
  if (!isAuthorized({ ...sim, secrets }, request.headers))
    throw new ArmError('InvalidAuthenticationToken', 'The access token is invalid or expired.', 401);
  if (url.searchParams.get('api-version') === null)
    throw new ArmError(
      'MissingApiVersionParameter',
      'The api-version query parameter (?api-version=) is required for all requests.',
    );
  if (subscriptionId.toLowerCase() !== secrets.subscriptionId.toLowerCase())
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

/**
 * Answers one call.
 *
 * @throws ConnectionFault when a scripted fault cuts the connection or answers nothing
 */
export async function answerCall(sim: Simulation, request: Request): Promise<Response> {
  const { cloud } = sim;
  const body = await request.text();
  const nowMs = cloud.settle();
  if (new URL(request.url).pathname.startsWith('/_control/')) return azureControl(sim, request, body);
  const call = received(request, body);
  const counted = `${request.method} ${pathOf(call, call.target.name === null ? null : ':name')}`;
  const { calls } = cloud.state.stats;
  calls[counted] = (calls[counted] ?? 0) + 1;

  const fault = cloud.faultFor(traitsOf(sim, call));
  const instead = answerInstead(fault);
  if (instead !== null) return instead;

  const attempt = (): Response => {
    try {
      if (call.service === 'login') return answerToken(sim, call.url.pathname, body);
      if (call.service === 'prices') return answerPrices(sim, call.url);
      checked(sim, call);
      return manage({
        sim,
        method: request.method,
        url: call.url,
        headers: request.headers,
        target: call.target,
        body: parsedBody(body),
        nowMs,
        createFault: createFaultOf(fault),
        staleByMs: fault?.effect === 'stale_list' ? fault.bySec * 1000 : 0,
        statusWord: fault?.effect === 'unknown_status' && request.method === 'GET' ? fault.word : null,
      });
    } catch (error) {
      return errorResponse(armErrorOf(error));
    }
  };
  let response = attempt();
  if (fault?.effect === 'duplicate') response = attempt();
  if (fault?.effect === 'drop_answer') throw new ConnectionFault(fault.silent ? 'silent' : 'closed');
  if (fault?.effect === 'lands_later') throw new ConnectionFault('closed');
  if (fault?.effect === 'delay') await cloud.clock.sleep(fault.delaySec * 1000);
  return response;
}
