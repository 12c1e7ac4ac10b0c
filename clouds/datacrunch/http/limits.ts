/**
 * Rate limits of the DataCrunch API: the buckets of a call, and the headers of answers.
 *
 * Published limits (since March 2026): per project 500 calls a minute, per method and full path 60, for the two big lists 120.
 */
import type { CallBucket } from '../../call-rate-limit.ts';

/** The window is a little longer than the provider's 60 s, so that ours never opens before theirs by the time a request travels. */
const WINDOW_MS = 61_000;
const PROJECT_LIMIT = 500;
const ENDPOINT_LIMIT = 60;
const WIDER_ENDPOINTS: Readonly<Record<string, number>> = { 'GET /instances': 120, 'GET /volumes': 120 };

/** The buckets of a call, narrowest first. `account` names the project in keys. */
export function bucketsOf(
  account: string,
  method: string,
  path: string,
): { endpoint: CallBucket; project: CallBucket } {
  const endpoint = `${method} ${path}`;
  return {
    endpoint: {
      key: `${account} ${endpoint}`,
      limit: WIDER_ENDPOINTS[endpoint] ?? ENDPOINT_LIMIT,
      windowMs: WINDOW_MS,
    },
    project: { key: account, limit: PROJECT_LIMIT, windowMs: WINDOW_MS },
  };
}

/** Which of a call's buckets the provider says is full: the endpoint's where it does not say, so that nothing else waits for it. */
export function fullBuckets(left: ReturnType<typeof readRateLimit>): readonly ('endpoint' | 'project')[] {
  const named = (['endpoint', 'project'] as const).filter((name) => left[name]?.remaining === 0);
  return named.length === 0 ? ['endpoint'] : named;
}

/** Calls left in one of the provider's windows. */
export interface RateLeft {
  readonly remaining: number;
  readonly resetMs: number;
}

/** Reads `RateLimit: "project";r=486;t=37, "endpoint";r=48;t=37`. Items it cannot read are left out. */
export function readRateLimit(header: string | null): { readonly project?: RateLeft; readonly endpoint?: RateLeft } {
  const items = (header ?? '').split(',').flatMap((item) => {
    const name = /"?(project|endpoint)"?\s*;/u.exec(item)?.[1];
    const remaining = /;\s*r=(\d+)/u.exec(item)?.[1];
    const seconds = /;\s*t=(\d+)/u.exec(item)?.[1];
    if (name === undefined || remaining === undefined || seconds === undefined) return [];
    return [[name, { remaining: Number(remaining), resetMs: Number(seconds) * 1000 }] as const];
  });
  return Object.fromEntries(items);
}
