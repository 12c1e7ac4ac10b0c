/**
 * Turns an answer that is no 2xx into the error of its class. The services write refusals in three ways: EC2 as
 * `<Response><Errors><Error>`, STS as `<ErrorResponse><Error>`, the JSON services as `{__type, message}`.
 */
import type { DeckhandError } from '../../../domain/errors.ts';
import type { ProviderErrorClass } from '../../../domain/fleet/provider/provider-errors.ts';
import { tryJson } from '../../../domain/text/json.ts';
import { providerError, quoted } from '../../errors.ts';
import { readRetryAfter } from '../../http/retry.ts';
import { classifyRefusal } from './classify.ts';
import type { AwsAnswer, AwsCall } from './call.ts';
import { readXml } from './xml.ts';

/** Code and words of a refusal; code null where the answer is not the service's own. */
export interface Refusal {
  readonly code: string | null;
  readonly message: string;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const inside = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), value);

const filled = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Reads the body of a refusal. `clean` takes secrets out of its words before they are cut. */
export function readRefusal(text: string, clean: (words: string) => string = (words) => words): Refusal {
  const said = (words: string | null): string => quoted(clean(words ?? ''));
  const json = tryJson(text);
  if (isRecord(json)) {
    const code = filled(json['__type'])?.replace(/^.*#/u, '') ?? filled(json['code']);
    return { code, message: said(filled(json['message']) ?? filled(json['Message'])) };
  }
  const xml = readXml(text);
  const error = inside(xml, 'Response', 'Errors', 'Error') ?? inside(xml, 'ErrorResponse', 'Error');
  if (error !== undefined) {
    return { code: filled(inside(error, 'Code')), message: said(filled(inside(error, 'Message'))) };
  }
  return { code: null, message: xml === undefined ? said(text) : 'a page instead of an answer' };
}

/** Next step by class, for people. */
const HINTS: Partial<Record<ProviderErrorClass, string>> = {
  auth: 'Check the credentials and what their IAM user may do: deckhand credentials test aws.',
  quota: 'Ask for a higher limit in the Service Quotas console of AWS, in the region named.',
  throttled: 'The account makes too many calls; wait a minute.',
  capacity: 'Nothing of this type is free there now; another zone or type may be.',
  transient: 'The request is not known to be wrong: look at the status page of AWS, then try again.',
};

/** Next step by code, where the class says too little. */
const HINTS_BY_CODE: Readonly<Record<string, string>> = {
  ExpiredToken: 'The session token has ended: get new temporary credentials.',
  ExpiredTokenException: 'The session token has ended: get new temporary credentials.',
  RequestExpired: 'The clock of this machine is wrong: requests are valid for a few minutes only.',
  SignatureDoesNotMatch:
    'The secret access key does not belong to the access key id, or the clock of this machine is wrong.',
  InsufficientFreeAddressesInSubnet:
    'Make room in the subnet of that zone, or name another one in "subnetIds" of the fleet file.',
  OptInRequired:
    'Enable the region in the settings of the AWS account, or leave it out of "regions" of the fleet file.',
  'AuthFailure.ServiceLinkedRoleCreationNotPermitted':
    'Make the role once, as an administrator: aws iam create-service-linked-role --aws-service-name spot.amazonaws.com',
  PendingVerification: 'AWS still checks the account for this region; this can take some hours.',
};

/** Codes of refusals, for the few callers to whom the class says too little. */
const CODES = new WeakMap<object, string>();

/** The service's own code of a refusal; null for any other error. */
export const refusalCode = (error: unknown): string | null =>
  typeof error === 'object' && error !== null ? (CODES.get(error) ?? null) : null;

/** The error that a refusal stands for. `clean` takes secrets out of the other side's words. */
export function refusalError(
  call: AwsCall,
  answer: AwsAnswer,
  { clean, nowMs }: { readonly clean: (text: string) => string; readonly nowMs: number },
): DeckhandError {
  const where = `${call.action} in ${call.region}`;
  if (answer.status >= 300 && answer.status < 400) {
    return providerError('config', `${where}: the address answers with a redirect (${answer.status})`, {
      hint: 'Set "baseUrl" to the address of the API itself, or leave it out.',
    });
  }
  const { code, message } = readRefusal(answer.text, clean);
  const { errorClass, ...directions } = classifyRefusal(call.kind, answer.status, code, message, call.offer ?? call);
  const said = message === '' ? `status ${answer.status}` : message;
  const retryAfterMs = readRetryAfter(answer.headers.get('retry-after'), nowMs);
  const hint = HINTS_BY_CODE[code ?? ''] ?? HINTS[errorClass];
  const error = providerError(errorClass, `${where}: ${code === null ? answer.status : quoted(clean(code))}: ${said}`, {
    userMessage: `AWS refused ${where}: ${said}`,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(hint === undefined ? {} : { hint }),
    ...directions,
  });
  if (code !== null) CODES.set(error, code);
  return error;
}
