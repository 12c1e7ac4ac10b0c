/**
 * What a provider answered, errors included, as data.
 *
 * Only errors of the provider are answers. Everything else (the database of the call budget is away) is thrown, so that Temporal asks again.
 */
import { DeckhandError } from '../../../domain/errors.ts';
import type { ProviderErrorInfo } from '../../../domain/fleet/provider-errors.ts';
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
    return { value: null, error: providerErrorOf(error) };
  }
}

/** True for errors that say something about the question, so that asking again unchanged is not Temporal's business. */
export function isAnswer(error: unknown): boolean {
  if (!(error instanceof DeckhandError)) return false;
  return error.code.startsWith('provider_') || CONFIGURATION_CODES.has(error.code);
}

/** Our own refusals: as permanent as a provider's. */
const CONFIGURATION_CODES: ReadonlySet<string> = new Set([
  'usage',
  'credentials_missing',
  'buying_refused',
  'selector_unknown',
  'location_unknown',
  'model_fits_no_offer',
]);
