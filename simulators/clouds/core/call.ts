/** One call to a simulated provider, in this order: time, control routes, counters, scripted fault, the provider's own answer. */
import { ConnectionFault } from './connection.ts';
import type { CallTraits, FaultRule } from './faults.ts';
import type { CreateFault } from './instances.ts';
import type { SimulatedCloud } from './simulated-cloud.ts';

/** A simulated account as its operations see it. `account` is the part of the state that is the provider's own, plain JSON. */
export interface Simulation<Account, Dialect> {
  readonly cloud: SimulatedCloud;
  readonly dialect: Dialect;
  account: Account;
}

/** When a call is carried out, and what a scripted fault changes about it. */
export interface CallEffects {
  readonly nowMs: number;
  readonly createFault: CreateFault;
  /** Lists are answered as of this long ago. */
  readonly staleByMs: number;
  /** Replaces every status of an instance in the answer. */
  readonly statusWord: string | null;
}

/** A call as its provider understands it. */
export interface ReceivedCall {
  /** As the counters have it, such as `GET /instances/:id`. */
  readonly counted: string;
  /** Traits that fault rules match; null = no fault meets it. */
  readonly traits: CallTraits | null;
  /** It answers with states of instances. */
  readonly shows: boolean;
  /** The refusal of a scripted fault, in the provider's form. */
  refuse(status: number, code: string | undefined, message: string): Response;
  tooMany(retryAfterSec: number): Response;
  /** The answer to a call that no effect of a fault reaches, such as one without a token; null = it is carried out. */
  turnAway?(): Response | null;
  /** May throw what `answerTo` answers. */
  carryOut(effects: CallEffects): Response | Promise<Response>;
  answerTo(error: unknown): Response;
}

/** Calls as a provider understands them. */
export interface Wire<Sim> {
  /** Answers a call of a control route. */
  control(sim: Sim, request: Request, body: string): Response | Promise<Response>;
  /** @returns the call, or its answer where it is not counted */
  receive(sim: Sim, request: Request, body: string): ReceivedCall | Response;
}

/** Counts a call of a provider's API. */
export function countCall({ state: { stats } }: SimulatedCloud, counted: string): void {
  stats.calls[counted] = (stats.calls[counted] ?? 0) + 1;
}

/** True if a call has a token that has not ended. */
export function isAuthorized(
  { cloud, account }: { cloud: SimulatedCloud; account: { readonly tokens: Readonly<Record<string, number>> } },
  { headers }: Request,
): boolean {
  const [scheme, token] = (headers.get('authorization') ?? '').split(' ');
  return scheme?.toLowerCase() === 'bearer' && (account.tokens[token ?? ''] ?? 0) > cloud.clock.nowMs();
}

/** Effects of a fault on the instance that the call creates. */
function createFaultOf(fault: FaultRule | null): CreateFault {
  switch (fault?.effect) {
    case 'lands_later':
      return { landsAfterMs: fault.delaySec * 1000 };
    case 'hang_provisioning':
      return {
        hang: {
          forMs: fault.forSec === undefined ? null : fault.forSec * 1000,
          ends: fault.ends,
          deletableAfterMs: fault.deletableAfterSec * 1000,
        },
      };
    case 'no_capacity_later':
      return { noCapacity: { afterMs: fault.afterSec === undefined ? null : fault.afterSec * 1000 } };
    case 'boot_fails':
      return { bootFails: fault.as };
    case 'unknown_status':
      return { word: { word: fault.word, forMs: fault.forSec * 1000 } };
    case 'list_lag':
      return { listLagMs: fault.lagSec * 1000 };
    case 'model_fault':
      return { modelFault: fault.fault };
    default:
      return {};
  }
}

const BAD_GATEWAY =
  '<html>\r\n<head><title>Bad gateway</title></head>\r\n<body><center><h1>Bad gateway</h1></center></body>\r\n</html>';

/** The answer of a fault that replaces the call; null if the call is carried out. @throws ConnectionFault */
export function answerInstead(
  fault: FaultRule | null,
  { refuse, tooMany }: Pick<ReceivedCall, 'refuse' | 'tooMany'>,
): Response | null {
  switch (fault?.effect) {
    case 'error':
      return refuse(fault.status, fault.code, fault.message ?? 'Scripted error');
    case 'html_502':
      // As the edge in front of an API answers.
      return new Response(BAD_GATEWAY, { status: fault.status, headers: { 'content-type': 'text/html' } });
    case 'rate_limit':
      return tooMany(fault.retryAfterSec);
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
export async function answerCall<Sim extends { readonly cloud: SimulatedCloud }>(
  sim: Sim,
  wire: Wire<Sim>,
  request: Request,
): Promise<Response> {
  const { cloud } = sim;
  const body = await request.text();
  const nowMs = cloud.settle();
  if (new URL(request.url).pathname.startsWith('/_control/')) return wire.control(sim, request, body);
  const call = wire.receive(sim, request, body);
  if (call instanceof Response) return call;
  countCall(cloud, call.counted);
  const fault = call.traits === null ? null : cloud.faultFor(call.traits);
  const instead = answerInstead(fault, call) ?? call.turnAway?.() ?? null;
  if (instead !== null) return instead;
  const effects: CallEffects = {
    nowMs,
    createFault: createFaultOf(fault),
    staleByMs: fault?.effect === 'stale_list' ? fault.bySec * 1000 : 0,
    statusWord: fault?.effect === 'unknown_status' && call.shows ? fault.word : null,
  };
  const attempt = async (): Promise<Response> => {
    try {
      return await call.carryOut(effects);
    } catch (error) {
      return call.answerTo(error);
    }
  };
  let response = await attempt();
  if (fault?.effect === 'duplicate') response = await attempt();
  if (fault?.effect === 'drop_answer') throw new ConnectionFault(fault.silent ? 'silent' : 'closed');
  if (fault?.effect === 'lands_later') throw new ConnectionFault('closed');
  if (fault?.effect === 'delay') await cloud.clock.sleep(fault.delaySec * 1000);
  return response;
}
