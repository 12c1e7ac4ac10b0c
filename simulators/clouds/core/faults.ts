/**
 * Scripted faults of API calls, set by a scenario or at run time.
 *
 * `lands_later`, `hang_provisioning`, `no_capacity_later`, `boot_fails`, `model_fault` and `list_lag` change the instance that the call
 * creates; the others change the answer.
 */
import { z } from 'zod';
import { chooseRule, type RuleCounts } from '../../script-rules.ts';
import { draw, type RandomState } from './random.ts';

const seconds = z.number().min(0);

const matchSchema = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).optional(),
  /** Path without the version prefix; `*` stands for anything. */
  path: z.string().optional(),
  /** Action in the body of an action call. */
  action: z.string().optional(),
  /** Type in the body of a create; `*` stands for anything. */
  instanceType: z.string().optional(),
  location: z.string().optional(),
  market: z.enum(['ondemand', 'spot']).optional(),
  /** 1-based number (or numbers) of the call among those that fit the fields above. */
  nth: z.union([z.int().min(1), z.array(z.int().min(1))]).optional(),
  everyN: z.int().min(1).optional(),
  probability: z.number().min(0).max(1).optional(),
  /** Range of time since the simulator's first start, seconds. */
  fromSec: seconds.optional(),
  untilSec: seconds.optional(),
});

const rule = <Effect extends string, Shape extends z.core.$ZodShape>(effect: Effect, shape: Shape) =>
  z.strictObject({
    match: matchSchema.default({}),
    /** The rule applies to at most this many calls. */
    times: z.int().min(1).optional(),
    effect: z.literal(effect),
    ...shape,
  });

export const faultRuleSchema = z.discriminatedUnion('effect', [
  rule('error', {
    status: z.int().min(400).max(599),
    code: z.string().optional(),
    message: z.string().optional(),
  }),
  /** An HTML page instead of JSON, as the edge in front of the API answers. */
  rule('html_502', { status: z.int().min(500).max(599).default(502) }),
  rule('rate_limit', { retryAfterSec: seconds.default(5) }),
  /** The call has no effect and no answer. */
  rule('timeout', {}),
  /** The call takes effect and its answer is lost: the connection is closed, or with `silent` stays open without data. */
  rule('drop_answer', { silent: z.boolean().default(false) }),
  /** The connection is closed; the create takes effect after `delaySec`. */
  rule('lands_later', { delaySec: seconds }),
  rule('delay', { delaySec: seconds }),
  /** The call takes effect twice; the second answer is returned. */
  rule('duplicate', {}),
  /** A list as it was `bySec` ago. */
  rule('stale_list', { bySec: seconds }),
  /** Every status in the answer is this word; on a create, the instance's status for its first `forSec`. */
  rule('unknown_status', { word: z.string().default('thawing'), forSec: seconds.default(60) }),
  /** Provisioning never ends, or ends after `forSec` with `ends`. A delete is refused until `deletableAfterSec` after the create. */
  rule('hang_provisioning', {
    forSec: seconds.optional(),
    ends: z.enum(['running', 'error', 'installation_failed']).default('running'),
    deletableAfterSec: seconds.default(900),
  }),
  /** The create is accepted, and later fails for lack of capacity. */
  rule('no_capacity_later', { afterSec: seconds.optional() }),
  rule('boot_fails', { as: z.enum(['error', 'installation_failed']).default('error') }),
  /** Lists show the created instance only after this time. */
  rule('list_lag', { lagSec: seconds }),
  rule('model_fault', { fault: z.enum(['cpu_only', 'wedged', 'dead']) }),
]);

export type FaultRule = z.infer<typeof faultRuleSchema>;
export type FaultRuleInput = z.input<typeof faultRuleSchema>;

/** Fields of a call that rules can match. */
export interface CallTraits {
  readonly method: string;
  readonly path: string;
  readonly action?: string | undefined;
  readonly instanceType?: string | undefined;
  readonly location?: string | undefined;
  readonly market?: string | undefined;
}

const patterns = new Map<string, RegExp>();

/** True when `text` fits a pattern in which `*` stands for anything. */
export function fits(pattern: string, text: string): boolean {
  if (!pattern.includes('*')) return pattern === text;
  let compiled = patterns.get(pattern);
  if (compiled === undefined) {
    const source = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/gu, '\\$&'));
    compiled = new RegExp(`^${source.join('.*')}$`, 'u');
    patterns.set(pattern, compiled);
  }
  return compiled.test(text);
}

function fitsCall(match: FaultRule['match'], call: CallTraits, sinceStartMs: number): boolean {
  return (
    (match.method === undefined || match.method === call.method) &&
    (match.path === undefined || fits(match.path, call.path)) &&
    (match.action === undefined || match.action === call.action) &&
    (match.instanceType === undefined ||
      (call.instanceType !== undefined && fits(match.instanceType, call.instanceType))) &&
    (match.location === undefined || match.location === call.location) &&
    (match.market === undefined || match.market === call.market) &&
    (match.fromSec === undefined || sinceStartMs >= match.fromSec * 1000) &&
    (match.untilSec === undefined || sinceStartMs < match.untilSec * 1000)
  );
}

/** The rule that applies to this call, or null. Counts the call in every rule that it fits. */
export const chooseFault = (
  { rules, ...counts }: { readonly rules: readonly FaultRule[] } & RuleCounts,
  call: CallTraits,
  sinceStartMs: number,
  random: RandomState,
): FaultRule | null =>
  chooseRule(
    rules,
    counts,
    (match) => fitsCall(match, call, sinceStartMs),
    ({ everyN, probability }, count) =>
      (everyN === undefined || count % everyN === 0) && (probability === undefined || draw(random) < probability),
  );
