/**
 * Classifies refusals of the DataCrunch API by the kind of call, the status and the body. Pure.
 */
import type { ProviderErrorClass } from '../../../domain/fleet/provider/provider-errors.ts';
import type { CallKind } from '../../http/wire.ts';
import type { Refusal } from '../../http/refused.ts';

/** Messages known from the live service. The first that matches wins over the status. */
const KNOWN_MESSAGES: readonly { readonly words: RegExp; readonly errorClass: ProviderErrorClass }[] = [
  { words: /can't \w+ an? (?:provisioning|ordered|validating|new)\b/iu, errorClass: 'not_yet' },
  { words: /can't \w+ an? (?:discontinued|deleted)\b/iu, errorClass: 'gone' },
  { words: /already permanently deleted/iu, errorClass: 'gone' },
  { words: /insufficient scope/iu, errorClass: 'auth' },
  { words: /insufficient (?:funds|balance)/iu, errorClass: 'billing' },
  { words: /limit exceeded|quota/iu, errorClass: 'quota' },
];

/** Words of a refusal for the present state only. */
const STATE_WORDS = /can't|cannot|must be|shut ?down|offline|provisioning|\bstate\b|\bstatus\b|in progress/iu;
const CAPACITY_WORDS = /capacity|not enough resources/iu;
/** Documented codes of requests that are refused each time they are sent. Any other code is new: what it says of a retry is unknown. */
const WRONG_REQUEST: ReadonlySet<string> = new Set(['invalid_request', 'not_found', 'forbidden_action', 'conflict']);

/** Class of a refusal. An unknown code is `transient`: on a create its outcome is unknown. `status` is the HTTP status; 2xx never comes here. */
export function classifyRefusal(kind: CallKind, status: number, body: Refusal): ProviderErrorClass {
  const { code, message } = body;
  if (status === 429 || code === 'rate_limit_exceeded') return 'throttled';
  if (status === 401 || code === 'unauthorized_request') return 'auth';
  if (status === 402 || code === 'insufficient_funds') return 'billing';
  if (kind === 'token') return status >= 500 || status === 408 ? 'transient' : 'auth';
  if (status >= 500) return isCapacity(kind, status, body) ? 'capacity' : 'transient';
  if (status === 408 || status === 425) return 'transient';
  // Unknown ids are refused as invalid. In a create they are ids of something else: a key, a volume.
  if (status === 400 && kind !== 'create' && /invalid [\w-]+ id\b/iu.test(message)) return 'gone';
  // Only the API itself refuses permanently; the edge in front of it answers 4xx as HTML when it has problems.
  if (code === null && status === 403) return 'transient';
  const known = KNOWN_MESSAGES.find(({ words }) => words.test(message));
  if (known !== undefined) return known.errorClass;
  if (kind === 'create' && CAPACITY_WORDS.test(message)) return 'capacity';
  if (status === 403) return kind !== 'read' && STATE_WORDS.test(message) ? 'not_yet' : 'auth';
  // Without the API's own code a 404 means a wrong base URL, not that something is gone.
  if (status === 404) return kind === 'create' || code === null ? 'config' : 'gone';
  if (status === 400 && kind === 'change' && STATE_WORDS.test(message)) return 'not_yet';
  return code !== null && WRONG_REQUEST.has(code) ? 'config' : 'transient';
}

/** Out of stock, and so certainly not created: any other 5xx on a create leaves the outcome unknown. */
function isCapacity(kind: CallKind, status: number, { code, message }: Refusal): boolean {
  if (status !== 503 || kind === 'read') return false;
  return CAPACITY_WORDS.test(message) || (kind === 'create' && code === 'service_unavailable');
}
