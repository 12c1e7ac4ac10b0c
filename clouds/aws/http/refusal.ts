/**
 * Turns an answer that is no 2xx into the error of its class. The services write refusals in three ways: EC2 as
 * `<Response><Errors><Error>`, STS as `<ErrorResponse><Error>`, the JSON services as `{__type, message}`.
 */
import type { DeckhandError } from '../../../domain/errors.ts';
import type { ProviderErrorClass } from '../../../domain/fleet/provider/provider-errors.ts';
import { tryJson } from '../../../domain/text/json.ts';
import { quoted } from '../../errors.ts';
import {
  answerError,
  filled,
  isRecord,
  type Refusal,
  type RefusalContext,
  type RefusalWords,
} from '../../http/refused.ts';
import type { WireAnswer } from '../../http/wire.ts';
import { classifyRefusal } from './classify.ts';
import type { AwsCall } from './call.ts';
import { readXml } from './xml.ts';

const inside = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), value);

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

const WORDS: RefusalWords = { provider: 'AWS', byClass: HINTS, byCode: HINTS_BY_CODE };

/** The error that a refusal stands for. */
export const refusalError = (call: AwsCall, answer: WireAnswer, context: RefusalContext): DeckhandError =>
  answerError(WORDS, `${call.action} in ${call.region}`, answer, context, (text, clean) => {
    const refusal = readRefusal(text, clean);
    return [refusal, classifyRefusal(call.kind, answer.status, refusal.code, refusal.message, call.offer ?? call)];
  });
