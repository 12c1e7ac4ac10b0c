/**
 * Reads the refusals of Google and turns them into the error of their class. They are written in three ways: as the body of an answer
 * (`{error: {code, message, errors: [{reason}], details}}`), as the result of an operation (`{error: {errors: [{code, message}]}}`), and by the
 * token server (`{error, error_description}`).
 */
import { z } from 'zod';
import type { DeckhandError } from '../../../domain/errors.ts';
import type { ProviderErrorClass } from '../../../domain/fleet/provider/provider-errors.ts';
import { quoted } from '../../errors.ts';
import { answerError, refusedError, type RefusalContext, type RefusalWords } from '../../http/refused.ts';
import { describeNoJson, readJson } from '../../http/text.ts';
import type { ServiceCallKind, WireAnswer } from '../../http/wire.ts';
import { classifyRefusal, type RefusedOffer, type ZonedRefusal } from './classify.ts';

const word = z.string().min(1).nullable().catch(null);

const errorInfo = z.object({ reason: word, metadatas: z.record(z.string(), z.unknown()).catch({}) });
const oneError = z.object({
  code: word,
  reason: word,
  message: word,
  errorDetails: z.array(z.object({ errorInfo: errorInfo.nullable().catch(null) })).catch([]),
});

const bodySchema = z.object({
  error: z.object({
    message: word,
    status: word,
    errors: z.array(oneError).catch([]),
    details: z.array(errorInfo).catch([]),
  }),
});
const tokenBodySchema = z.object({ error: z.string().min(1), error_description: word });

/** Error of an operation that ended with one. */
export const operationErrorSchema = z.object({ errors: z.array(oneError).min(1) });

/** Reads the body of a refusal. `clean` takes secrets out of its words before they are cut. */
export function readRefusal(text: string, clean: (words: string) => string = (words) => words): ZonedRefusal {
  const json = readJson(text);
  const body = bodySchema.safeParse(json);
  if (body.success) {
    const { errors, message, details, status } = body.data.error;
    const [first] = errors;
    // The short reason says little where the details name one: an API that is switched off is `forbidden`.
    const named = details.find(({ reason }) => reason !== null)?.reason ?? null;
    const reason = first?.reason ?? first?.code ?? null;
    const code = reason === null || reason === 'forbidden' ? (named ?? reason ?? status) : reason;
    return { code, message: quoted(clean(message ?? first?.message ?? '')), zones: [] };
  }
  const token = tokenBodySchema.safeParse(json);
  if (token.success)
    return { code: token.data.error, message: quoted(clean(token.data.error_description ?? '')), zones: [] };
  return { code: null, message: json === undefined ? describeNoJson(text) : 'JSON without an error', zones: [] };
}

/** Reads the error of an operation: its first code, all of its words. */
export function readOperationError(
  { errors }: z.infer<typeof operationErrorSchema>,
  clean: (words: string) => string = (words) => words,
): ZonedRefusal {
  const infos = errors.flatMap(({ errorDetails }) => errorDetails.flatMap((one) => one.errorInfo ?? []));
  const metric = infos.map(({ metadatas }) => metadatas['metricName']).find((name) => typeof name === 'string');
  const words = errors.map(({ message }) => message ?? '').join(' ');
  return {
    code: errors[0]?.code ?? errors[0]?.reason ?? null,
    message: quoted(clean(typeof metric === 'string' && !words.includes(metric) ? `${words} (${metric})` : words)),
    zones: infos.flatMap(({ metadatas }) => zonesIn(metadatas['zonesAvailable'])),
  };
}

/** `us-central1-a,us-central1-c`. */
const zonesIn = (list: unknown): readonly string[] =>
  typeof list === 'string' ? list.split(/[\s,]+/u).filter((zone) => /^[a-z]+-[a-z]+\d{1,2}-[a-z]$/u.test(zone)) : [];

/** Next step by class, for people. */
const HINTS: Partial<Record<ProviderErrorClass, string>> = {
  auth: 'Check the credentials and the roles of their account in the project: deckhand credentials test google.',
  billing: 'Link the project to a billing account that is open, in the Google Cloud console.',
  quota: 'Ask for a higher limit under "Quotas" in the Google Cloud console.',
  throttled: 'The project makes too many calls; wait a minute.',
  capacity: 'Nothing of this type is free there now; another zone or type may be.',
  transient: 'The request is not known to be wrong: look at the status page of Google Cloud, then try again.',
};

/** Next step by code, where the class says too little. */
const HINTS_BY_CODE: Readonly<Record<string, string>> = {
  accessNotConfigured: 'Enable the Compute Engine API and the Cloud Billing API in the project.',
  SERVICE_DISABLED: 'Enable the Compute Engine API and the Cloud Billing API in the project.',
  invalid_grant:
    'The key was deleted, the login has ended, or the clock of this machine is wrong. Make new credentials.',
  VPC_NOT_FOUND: 'Name a network of the project in "network" of the fleet file, under "providers.google".',
  IP_SPACE_EXHAUSTED:
    'Make room in the subnetwork of that region, or name another one in "subnetworks" of the fleet file.',
  VM_EXTERNAL_IP_ACCESS_POLICY_CONSTRAINT:
    'A policy of the organisation forbids public addresses, at which machines are reached. Allow them in this project.',
};

const WORDS: RefusalWords = { provider: 'Google', byClass: HINTS, byCode: HINTS_BY_CODE };

/** Errors that operations ended with: whatever they say, the change certainly did not happen. */
const ENDS = new WeakSet<object>();

/** True for the error of an operation that has ended, and not of an answer that may have been lost or come from in between. */
export const isEndOfOperation = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && ENDS.has(error);

/** What a refused call was. */
export interface RefusedCall {
  /** For messages, such as `POST /projects/p/zones/z/instances`. */
  readonly where: string;
  readonly kind: ServiceCallKind;
  readonly offer: RefusedOffer | null;
}

/** The error that an answer stands for. */
export const refusalError = (call: RefusedCall, answer: WireAnswer, context: RefusalContext): DeckhandError =>
  answerError(WORDS, call.where, answer, context, (text, clean) => {
    const refusal = readRefusal(text, clean);
    return [refusal, classifyRefusal(call.kind, answer.status, refusal, call.offer)];
  });

/** The error that an operation ended with. */
export function operationError(call: RefusedCall, refusal: ZonedRefusal): DeckhandError {
  const error = refusedError(WORDS, call.where, 200, refusal, classifyRefusal(call.kind, 200, refusal, call.offer));
  ENDS.add(error);
  return error;
}
