/**
 * Turns an answer that is no 2xx into the error of its class.
 */
import type { DeckhandError } from '../../../domain/errors.ts';
import type { ProviderErrorClass } from '../../../domain/fleet/provider/provider-errors.ts';
import { providerError } from '../../errors.ts';
import type { RefusalContext } from '../../http/refused.ts';
import { DEFAULT_RETRY_AFTER_MS, readRetryAfter } from '../../http/retry.ts';
import { routeOf, type Call, type WireAnswer } from '../../http/wire.ts';
import { readRefusal } from './body.ts';
import { classifyRefusal } from './classify.ts';
import { bucketsOf, fullBuckets, readRateLimit } from './limits.ts';

/** Next step by class, for people. */
const HINTS: Partial<Record<ProviderErrorClass, string>> = {
  auth: 'Check the credentials: deckhand credentials test datacrunch. They belong to one project and end with the member who made them.',
  billing: 'Top up the balance of the DataCrunch project.',
  quota: 'Ask DataCrunch for a higher quota, or remove what still counts against it (trashed volumes do).',
  capacity: 'Nothing of this type is free there now; another type or location may be.',
  transient: 'The request is not known to be wrong: look at the status page of DataCrunch, then try again.',
};

const HINT_THROTTLED = 'Try again then. Calls of other programs with credentials of this project count, too.';

/** Where a call went, and what its errors need. */
interface DataCrunchContext extends RefusalContext {
  readonly baseUrl: string;
}

/** The error that a refusal stands for. */
export function refusalError(call: Call, answer: WireAnswer, context: DataCrunchContext): DeckhandError {
  const { status, headers, text } = answer;
  if (status >= 300 && status < 400) {
    return providerError('config', `the API's address answers with a redirect (${status})`, {
      hint: 'Set "baseUrl" in the fleet file to the address of the API itself, such as https://api.verda.com/v1.',
    });
  }
  const body = readRefusal(text, context.clean);
  const errorClass = classifyRefusal(call.kind, status, body);
  const said = body.message === '' ? 'no reason given' : body.message;
  const retryAfterMs = readRetryAfter(headers.get('retry-after'), context.nowMs);
  if (errorClass === 'throttled') {
    const left = readRateLimit(headers.get('ratelimit'));
    const [full] = fullBuckets(left).toReversed();
    const waitMs = retryAfterMs ?? (full === undefined ? undefined : left[full]?.resetMs) ?? DEFAULT_RETRY_AFTER_MS;
    return throttledError(call, context, { full: full ?? 'endpoint', waitMs });
  }
  const hint = HINTS[errorClass];
  const where = `${call.method} ${call.path}: ${status}${body.code === null ? '' : ` ${context.clean(body.code)}`}`;
  return providerError(errorClass, `${where}: ${said}`, {
    userMessage: `DataCrunch refused ${call.method} ${call.path} with status ${status}: ${said}`,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(hint === undefined ? {} : { hint }),
  });
}

/** The error of a call that the rate limit leaves no room for: by the provider's answer, or by our own count. @param waitMs how long */
export function throttledError(
  call: Call,
  { baseUrl, nowMs }: Pick<DataCrunchContext, 'baseUrl' | 'nowMs'>,
  { full, waitMs }: { readonly full: 'endpoint' | 'project'; readonly waitMs: number },
): DeckhandError {
  const route = routeOf(baseUrl, call);
  const { limit } = bucketsOf('', call.method, call.path)[full];
  const until = new Date(Math.ceil((nowMs + waitMs) / 1000) * 1000).toISOString().slice(11, 19);
  const what = full === 'endpoint' ? route : `this project, such as ${route},`;
  return providerError(
    'throttled',
    `DataCrunch takes no more calls of ${what} until ${until} UTC (${limit} a minute)`,
    { retryAfterMs: waitMs, hint: HINT_THROTTLED },
  );
}
