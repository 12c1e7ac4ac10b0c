/**
 * The one error type of Deckhand and the list of its codes.
 *
 * Every error carries a code, an internal message for logs and a user message that says what to do next. The table below is the only
 * place that says which kinds are permanent (never retried), which HTTP status they map to and which exit code the CLI ends with.
 */

/** How one kind of error is treated everywhere. */
interface ErrorKind {
  /** HTTP status of the problem document. */
  readonly httpStatus: number;
  /** Exit code of the CLI: 1 = failed, 2 = bad input or usage, 3 = something is missing, 4 = not found, 5 = a service is unreachable. */
  readonly exitCode: number;
  /** Permanent kinds are never retried; everything else is retried until the fault ends. */
  readonly permanent: boolean;
}

const kind = (httpStatus: number, exitCode: number, permanent: boolean): ErrorKind => ({
  httpStatus,
  exitCode,
  permanent,
});

/** Every error code, with how it is handled. */
export const ERROR_KINDS = {
  // Bad input: a deck that cannot be read, refused by name.
  not_a_pdf: kind(415, 2, true),
  pdf_encrypted: kind(422, 2, true),
  pdf_damaged: kind(422, 2, true),
  pdf_empty: kind(422, 2, true),
  pdf_no_pages: kind(422, 2, true),
  pdf_too_many_pages: kind(422, 2, true),
  // Its pages are a cover: of other files, of a form that Acrobat alone draws.
  pdf_portfolio: kind(422, 2, true),
  pdf_xfa_form: kind(422, 2, true),
  pdf_too_large: kind(413, 2, true),
  page_too_large: kind(422, 2, true),
  page_render_timeout: kind(422, 2, true),
  page_render_memory: kind(422, 2, true),
  page_render_failed: kind(422, 2, true),
  // Bad requests.
  invalid_request: kind(400, 2, true),
  not_found: kind(404, 4, true),
  conflict: kind(409, 1, true),
  usage: kind(400, 2, true),
  // No key, or one that is not valid (any more).
  unauthenticated: kind(401, 3, true),
  // A valid key whose role does not reach.
  forbidden: kind(403, 3, true),
  // Configuration that must be there before GPU time is spent.
  template_missing: kind(422, 2, true),
  prompt_missing: kind(500, 3, true),
  model_not_configured: kind(422, 3, true),
  model_lacks_vision: kind(422, 3, true),
  // Model calls.
  model_output_unparseable: kind(502, 1, true),
  model_input_rejected: kind(422, 1, true),
  prompt_too_long: kind(422, 1, true),
  slide_illegible: kind(422, 1, true),
  // Read or wrote more slowly than any answer is waited for.
  model_too_slow: kind(504, 1, true),
  // Sent as often as a call may be.
  model_sends_exhausted: kind(502, 1, true),
  // Found at the readiness check: no answer of the model can be used.
  model_cannot_answer: kind(422, 3, true),
  // The server is outside the network, and no operator allowed that slides leave it.
  data_would_leave: kind(403, 3, true),
  model_not_ready: kind(503, 5, false),
  model_busy: kind(503, 5, false),
  model_unreachable: kind(503, 5, false),
  model_stalled: kind(504, 5, false),
  model_crashed: kind(502, 5, false),
  // A cloud provider; classes and their rules are in domain/fleet/provider/provider-errors.ts.
  provider_capacity: kind(503, 5, false),
  provider_quota: kind(503, 5, false),
  provider_billing: kind(402, 5, false),
  provider_auth: kind(502, 5, false),
  provider_config: kind(422, 2, true),
  provider_throttled: kind(503, 5, false),
  provider_transient: kind(502, 5, false),
  provider_gone: kind(404, 4, true),
  provider_not_yet: kind(409, 5, false),
  // The fleet.
  selector_unknown: kind(422, 2, true),
  location_unknown: kind(422, 2, true),
  model_fits_no_offer: kind(422, 2, true),
  credentials_missing: kind(500, 3, true),
  buying_refused: kind(403, 2, true),
  host_not_ready: kind(503, 5, false),
  host_key_changed: kind(502, 1, true),
  // Payloads in Temporal are encrypted; the key they name is not in the key ring (yet).
  payload_key_missing: kind(500, 3, false),
  // An encrypted payload that does not decrypt by its key.
  payload_damaged: kind(422, 1, true),
  // With encryption on: arguments of a workflow, a signal or an update that are not encrypted.
  payload_in_clear: kind(422, 1, true),
  // Notifications: a receiver that did not take one, and one that never will.
  webhook_failed: kind(502, 1, false),
  webhook_refused: kind(422, 1, true),
  // Drop folder.
  job_invalid: kind(422, 2, true),
  // The runtime.
  dependency_missing: kind(500, 3, true),
  service_unavailable: kind(503, 5, false),
  storage_full: kind(507, 5, false),
  cancelled: kind(409, 130, true),
  internal: kind(500, 1, false),
} as const satisfies Record<string, ErrorKind>;

/** Faults of the file itself: reading it again does not help. */
export const UNREADABLE_FILE_CODES = [
  'not_a_pdf',
  'pdf_encrypted',
  'pdf_damaged',
  'pdf_empty',
  'pdf_no_pages',
  'pdf_too_many_pages',
  'pdf_portfolio',
  'pdf_xfa_form',
  'pdf_too_large',
  'page_too_large',
] as const satisfies readonly ErrorCode[];

/** One of the codes of {@link ERROR_KINDS}. */
export type ErrorCode = keyof typeof ERROR_KINDS;

/** Codes that are never retried; Temporal retry policies are built from this list. */
export const PERMANENT_ERROR_CODES: readonly ErrorCode[] = (Object.keys(ERROR_KINDS) as ErrorCode[]).filter(
  (code) => ERROR_KINDS[code].permanent,
);

/** What an error says to whom. */
export interface DeckhandErrorOptions {
  /** For people outside: what went wrong and, where possible, what to do about it. Defaults to the internal message. */
  readonly userMessage?: string;
  /** One line with the next step, printed by the CLI under the message. */
  readonly hint?: string;
  /** Earliest time a repetition makes sense, where the other side said one. */
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/**
 * The one error type.
 *
 * @example throw new DeckhandError('not_a_pdf', 'magic bytes are 50 4b', { userMessage: 'This file is not a PDF.', hint: 'Export the deck as PDF and upload it again.' })
 */
export class DeckhandError extends Error {
  override readonly name = 'DeckhandError';
  readonly code: ErrorCode;
  readonly userMessage: string;
  readonly hint: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(code: ErrorCode, message: string, options: DeckhandErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.userMessage = options.userMessage ?? message;
    this.hint = options.hint;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** True for a string that is one of our codes. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(ERROR_KINDS, value);
}

/**
 * The words of anything thrown, such as `connect ECONNREFUSED 10.0.0.7:443`. Where several addresses were tried, each has its own reason and
 * the whole has no words: the first reason says enough.
 */
export function errorText(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return errorText(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}

/** Turns anything thrown into a {@link DeckhandError}; unknown errors become `internal` with the original as cause. */
export function asDeckhandError(error: unknown): DeckhandError {
  if (error instanceof DeckhandError) return error;
  return new DeckhandError('internal', errorText(error), {
    userMessage: 'Something went wrong inside Deckhand.',
    cause: error,
  });
}

/** Compile-time proof that a switch is exhaustive. */
export function assertNever(value: never): never {
  throw new DeckhandError('internal', `unexpected value ${JSON.stringify(value)}`);
}
