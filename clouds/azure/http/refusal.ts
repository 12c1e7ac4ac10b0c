/**
 * Turns an answer that is no 2xx into the error of its class. The management API writes `{error: {code, message, details}}`, sign-in
 * `{error, error_description}`, the price list `{Error: {Code, Message}}`.
 */
import type { DeckhandError } from '../../../domain/errors.ts';
import type { ProviderErrorClass } from '../../../domain/fleet/provider/provider-errors.ts';
import { tryJson } from '../../../domain/text/json.ts';
import { providerError, quoted } from '../../errors.ts';
import { DEFAULT_RETRY_AFTER_MS, readRetryAfter } from '../../http/retry.ts';
import type { WireAnswer } from '../../http/wire.ts';
import type { AzureCall } from './call.ts';
import { classifyRefusal } from './classify.ts';

/** Code and words of a refusal; code null where the answer is not the service's own. */
export interface Refusal {
  readonly code: string | null;
  readonly message: string;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const filled = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Codes that only say that something failed; what failed is in the details. */
const WRAPPERS: ReadonlySet<string> = new Set([
  'DeploymentFailed',
  'InvalidTemplateDeployment',
  'ResourceDeploymentFailure',
]);

/** Reads the body of a refusal. `clean` takes secrets out of its words before they are cut. */
export function readRefusal(text: string, clean: (words: string) => string = (words) => words): Refusal {
  const said = (words: string | null): string => quoted(clean(words ?? ''));
  const json = tryJson(text);
  if (!isRecord(json))
    return { code: null, message: text.trimStart().startsWith('<') ? 'a page instead of an answer' : said(text) };
  const error = json['error'] ?? json['Error'] ?? json;
  if (typeof error === 'string') return { code: error, message: said(filled(json['error_description'])) };
  if (!isRecord(error)) return { code: null, message: said(text) };
  const [detail]: readonly unknown[] = Array.isArray(error['details']) ? error['details'] : [];
  const code = filled(error['code']) ?? filled(error['Code']);
  const inner = isRecord(detail) && (code === null || WRAPPERS.has(code)) ? detail : error;
  return {
    code: filled(inner['code']) ?? code,
    message: said(filled(inner['message']) ?? filled(error['message']) ?? filled(error['Message'])),
  };
}

/** Next step by class, for people. */
const HINTS: Partial<Record<ProviderErrorClass, string>> = {
  auth: 'Check the service principal and its role in the subscription: deckhand credentials test azure.',
  billing: 'The subscription is disabled: look at it in the Azure portal.',
  quota: 'Ask for a higher quota in the Azure portal, in the location named.',
  throttled: 'The subscription makes too many calls; wait a minute.',
  capacity: 'Nothing of this size is free there now; another location or size may be.',
  transient: 'The request is not known to be wrong: look at the status page of Azure, then try again.',
};

/** Next step by code, where the class says too little. */
const HINTS_BY_CODE: Readonly<Record<string, string>> = {
  invalid_client: 'The client secret is wrong or has ended: az ad sp credential reset.',
  unauthorized_client: 'There is no such client id in the tenant: look at AZURE_CLIENT_ID and AZURE_TENANT_ID.',
  SubscriptionNotFound: 'The service principal has no role in that subscription: look at AZURE_SUBSCRIPTION_ID.',
  MissingSubscriptionRegistration:
    'Register both once: az provider register -n Microsoft.Compute; az provider register -n Microsoft.Network.',
  AuthorizationFailed: 'Give the service principal the role Contributor in the resource group, or in the subscription.',
  RequestDisallowedByPolicy: 'A policy of the subscription forbids it: ask its administrators.',
  InvalidResourceGroupLocation: 'Name another "resourceGroup" under "providers.azure" in the fleet file.',
};

/** Codes of refusals, for the few callers to whom the class says too little. */
const CODES = new WeakMap<object, string>();

/** The service's own code of a refusal; null for any other error. */
export const refusalCode = (error: unknown): string | null =>
  typeof error === 'object' && error !== null ? (CODES.get(error) ?? null) : null;

/** The error that a refusal stands for. `clean` takes secrets out of the other side's words. */
export function refusalError(
  call: Pick<AzureCall, 'kind' | 'method' | 'path' | 'offer'>,
  answer: WireAnswer,
  { clean, nowMs }: { readonly clean: (text: string) => string; readonly nowMs: number },
): DeckhandError {
  const where = `${call.method} ${shortPath(call.path)}`;
  if (answer.status >= 300 && answer.status < 400) {
    return providerError('config', `${where}: the address answers with a redirect (${answer.status})`, {
      hint: 'Set "baseUrl" to the address of the API itself, or leave it out.',
    });
  }
  const { code, message } = readRefusal(answer.text, clean);
  const { errorClass, ...directions } = classifyRefusal(call.kind, answer.status, code, message, call.offer);
  const said = message === '' ? `status ${answer.status}` : message;
  const asked = readRetryAfter(answer.headers.get('retry-after'), nowMs);
  const retryAfterMs = asked ?? (errorClass === 'throttled' ? DEFAULT_RETRY_AFTER_MS : undefined);
  const hint = HINTS_BY_CODE[code ?? ''] ?? HINTS[errorClass];
  const error = providerError(errorClass, `${where}: ${code === null ? answer.status : quoted(clean(code))}: ${said}`, {
    userMessage: `Azure refused ${where}: ${said}`,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(hint === undefined ? {} : { hint }),
    ...directions,
  });
  if (code !== null) CODES.set(error, code);
  return error;
}

/** A path without its beginning, which is the same in every call: `…/virtualMachines/dh-fund1-visual-1`. */
export const shortPath = (path: string): string =>
  path.replace(/^.*\/providers\/Microsoft\.[A-Za-z]+\//u, '…/').replace(/^\/subscriptions\/[^/]+/u, '…');
