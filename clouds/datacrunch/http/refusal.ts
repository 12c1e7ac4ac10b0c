/**
 * Turns an answer that is no 2xx into the error of its class.
 */
import type { DeckhandError } from '../../../domain/errors.ts';
import type { ProviderErrorClass } from '../../../domain/fleet/provider/provider-errors.ts';
import { providerError } from '../../errors.ts';
import { readRefusal } from './body.ts';
import { classifyRefusal } from './classify.ts';
import { readRateLimit, readRetryAfter } from './limits.ts';
import type { Call, WireAnswer } from './wire.ts';

/** After a 429 that names no time. */
export const DEFAULT_RETRY_AFTER_MS = 5_000;

/** Next step by class, for people. */
const HINTS: Partial<Record<ProviderErrorClass, string>> = {
  auth: 'Check the credentials: deckhand credentials test. They belong to one project and end with the member who made them.',
  billing: 'Top up the balance of the DataCrunch project.',
  quota: 'Ask DataCrunch for a higher quota, or remove what still counts against it (trashed volumes do).',
  throttled: 'The account makes too many calls; wait a minute.',
  capacity: 'Nothing of this type is free there now; another type or location may be.',
};

/** The error that a refusal stands for. `clean` takes secrets out of the other side's words. */
export function refusalError(
  call: Call,
  answer: WireAnswer,
  nowMs: number,
  clean: (text: string) => string,
): DeckhandError {
  const { status, headers, text } = answer;
  if (status >= 300 && status < 400) {
    return providerError('config', `the API's address answers with a redirect (${status})`, {
      hint: 'Set "baseUrl" in the fleet file to the address of the API itself, such as https://api.verda.com/v1.',
    });
  }
  const body = readRefusal(text);
  const errorClass = classifyRefusal(call.kind, status, body);
  const said = clean(body.message === '' ? `status ${status}` : body.message);
  const where = `${call.method} ${call.path}: ${status}${body.code === null ? '' : ` ${body.code}`}`;
  const retryAfterMs =
    errorClass === 'throttled' ? throttledMs(headers, nowMs) : readRetryAfter(retryAfter(headers), nowMs);
  const hint = HINTS[errorClass];
  return providerError(errorClass, `${where}: ${said}`, {
    userMessage: `DataCrunch refused ${call.method} ${call.path}: ${said}`,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(hint === undefined ? {} : { hint }),
  });
}

const retryAfter = (headers: Headers): string | null => headers.get('retry-after');

/** Retry-After, or the end of a window that is full, or a guess. */
function throttledMs(headers: Headers, nowMs: number): number {
  const left = readRateLimit(headers.get('ratelimit'));
  const full = [left.endpoint, left.project].find((l) => l?.remaining === 0);
  return readRetryAfter(retryAfter(headers), nowMs) ?? full?.resetMs ?? DEFAULT_RETRY_AFTER_MS;
}
