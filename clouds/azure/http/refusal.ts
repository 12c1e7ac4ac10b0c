/**
 * Turns an answer that is no 2xx into the error of its class. The management API writes `{error: {code, message, details}}`, sign-in
 * `{error, error_description}`, the price list `{Error: {Code, Message}}`.
 */
import type { DeckhandError } from '../../../domain/errors.ts';
import type { ProviderErrorClass } from '../../../domain/fleet/provider/provider-errors.ts';
import { tryJson } from '../../../domain/text/json.ts';
import { quoted } from '../../errors.ts';
import { DEFAULT_RETRY_AFTER_MS } from '../../http/retry.ts';
import {
  answerError,
  filled,
  isRecord,
  type Refusal,
  type RefusalContext,
  type RefusalWords,
} from '../../http/refused.ts';
import type { WireAnswer } from '../../http/wire.ts';
import type { AzureCall } from './call.ts';
import { classifyRefusal } from './classify.ts';

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

const WORDS: RefusalWords = {
  provider: 'Azure',
  byClass: HINTS,
  byCode: HINTS_BY_CODE,
  throttledMs: DEFAULT_RETRY_AFTER_MS,
};

/** The error that a refusal stands for. */
export const refusalError = (
  call: Pick<AzureCall, 'kind' | 'method' | 'path' | 'offer'>,
  answer: WireAnswer,
  context: RefusalContext,
): DeckhandError =>
  answerError(WORDS, `${call.method} ${shortPath(call.path)}`, answer, context, (text, clean) => {
    const refusal = readRefusal(text, clean);
    return [refusal, classifyRefusal(call.kind, answer.status, refusal.code, refusal.message, call.offer)];
  });

/** A path without its beginning, which is the same in every call: `…/virtualMachines/dh-fund1-visual-1`. */
export const shortPath = (path: string): string =>
  path.replace(/^.*\/providers\/Microsoft\.[A-Za-z]+\//u, '…/').replace(/^\/subscriptions\/[^/]+/u, '…');
