/**
 * Errors of a cloud provider: thrown as {@link DeckhandError} under the code of their class, read back as plain data.
 */
import { DeckhandError, type DeckhandErrorOptions, type ErrorCode } from '../domain/errors.ts';
import { plainText, withoutControls } from '../domain/text/plain-text.ts';
import {
  codeOfProviderError,
  type ProviderErrorClass,
  type ProviderErrorInfo,
} from '../domain/fleet/provider/provider-errors.ts';

const LONGEST_QUOTE = 300;

/** Words of the other side as they may stand in an error: one line without control characters, cut where it is long. */
export function quoted(words: string): string {
  const line = plainText(words, LONGEST_QUOTE + 1);
  return line.length > LONGEST_QUOTE ? `${line.slice(0, LONGEST_QUOTE)}…` : line;
}

/** What a provider's error says of where else a create is worth trying. */
type Directions = Pick<ProviderErrorInfo, 'block' | 'hints'>;

class ProviderError extends DeckhandError {
  readonly directions: Directions;

  constructor(code: ErrorCode, message: string, options: DeckhandErrorOptions, directions: Directions) {
    super(code, message, options);
    this.directions = directions;
  }
}

/**
 * An error of the given class. The message is the provider's own words, without credentials. Control and escape characters are taken out here:
 * messages go to terminals, logs and rows.
 */
export function providerError(
  errorClass: ProviderErrorClass,
  message: string,
  { block, hints, userMessage, ...options }: DeckhandErrorOptions & Directions = {},
): DeckhandError {
  const directions = { ...(block === undefined ? {} : { block }), ...(hints === undefined ? {} : { hints }) };
  const forPeople = userMessage === undefined ? {} : { userMessage: withoutControls(userMessage) };
  return new ProviderError(
    codeOfProviderError(errorClass),
    withoutControls(message),
    { ...options, ...forPeople },
    directions,
  );
}

/**
 * Class of each code. `capacity` and `capacity_async` share a code; a call only ever throws the former, the latter is seen in the status
 * of an instance that was accepted.
 */
const CLASS_OF_CODE: Partial<Record<ErrorCode, ProviderErrorClass>> = {
  provider_capacity: 'capacity',
  provider_quota: 'quota',
  provider_billing: 'billing',
  provider_auth: 'auth',
  credentials_missing: 'auth',
  provider_config: 'config',
  usage: 'config',
  buying_refused: 'config',
  selector_unknown: 'config',
  location_unknown: 'config',
  model_fits_no_offer: 'config',
  model_not_configured: 'config',
  provider_throttled: 'throttled',
  provider_transient: 'transient',
  provider_gone: 'gone',
  provider_not_yet: 'not_yet',
};

/** An error of a provider call as data. Any other error is `transient`: its outcome is unknown. */
export function providerErrorOf(error: unknown): ProviderErrorInfo {
  if (!(error instanceof DeckhandError)) {
    return { errorClass: 'transient', message: error instanceof Error ? error.message : String(error) };
  }
  return {
    errorClass: CLASS_OF_CODE[error.code] ?? 'transient',
    message: error.message,
    ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }),
    ...(error instanceof ProviderError ? error.directions : {}),
  };
}

/** True for an error of one of these classes. */
export const isProviderError = (error: unknown, ...classes: readonly ProviderErrorClass[]): boolean =>
  error instanceof DeckhandError && classes.some((c) => codeOfProviderError(c) === error.code);

/**
 * For a call that ends something: what is gone already counts as ended.
 * @throws every other error, unchanged
 */
export function goneIsDone(error: unknown): undefined {
  if (!isProviderError(error, 'gone')) throw error;
  return undefined;
}

/**
 * What is read, or null when the provider no longer has it.
 * @throws every other error, unchanged
 */
export async function nullIfGone<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    return goneIsDone(error) ?? null;
  }
}
