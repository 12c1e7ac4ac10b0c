/**
 * Answers of a provider, errors included, as data.
 *
 * Only errors of the provider are answers. Everything else (the database of the call rate limit is away) is thrown, so that Temporal asks
 * again.
 */
import { DeckhandError } from '../../../domain/errors.ts';
import { PROVIDER_ERROR_CLASSES, type ProviderErrorInfo } from '../../../domain/fleet/provider/provider-errors.ts';
import { providerErrorOf } from '../../../clouds/errors.ts';

/** A value, or the provider's error. */
export type Answer<T> =
  | { readonly value: T; readonly error: null }
  | { readonly value: null; readonly error: ProviderErrorInfo };

/** Runs calls to the provider and gives their outcome as data. */
export async function answerOf<T>(ask: () => Promise<T>): Promise<Answer<T>> {
  try {
    return { value: await ask(), error: null };
  } catch (error) {
    if (!isAnswer(error)) throw error;
    return { value: null, error: errorInfo(error) };
  }
}

/**
 * The error as the reducer takes it. It becomes the reason of an instance and of a waiting deck, so Deckhand's own refusals have their
 * message for users, and errors that need an operator have a hint.
 */
export function errorInfo(error: unknown): ProviderErrorInfo {
  const info = providerErrorOf(error);
  if (!(error instanceof DeckhandError)) return info;
  if (WRONG_WISHES.has(error.code)) return { ...info, message: error.userMessage };
  const message = REFUSALS.has(error.code) ? error.userMessage : info.message;
  const needsSomebody = PROVIDER_ERROR_CLASSES[info.errorClass].report === 'operator';
  if (!needsSomebody || error.hint === undefined) return { ...info, message };
  return { ...info, message: `${message.replace(/\.$/u, '')}. ${error.hint}` };
}

/** True for errors that are an answer to the request, which Temporal does not retry. */
export function isAnswer(error: unknown): boolean {
  if (!(error instanceof DeckhandError)) return false;
  return error.code.startsWith('provider_') || REFUSALS.has(error.code) || WRONG_WISHES.has(error.code);
}

/** Our own refusals, which have a class of their own. */
const REFUSALS: ReadonlySet<string> = new Set(['usage', 'credentials_missing', 'buying_refused']);
/** Requests that no offer can satisfy: only another configuration helps. */
const WRONG_WISHES: ReadonlySet<string> = new Set([
  'selector_unknown',
  'location_unknown',
  'model_fits_no_offer',
  'model_not_configured',
]);
