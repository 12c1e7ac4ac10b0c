/** Refusals of Google: status, reason and message, as an answer or as the result of an operation. */
import { CloudRefusal } from '../core/refusal.ts';

/** The answer to a refused call. */
export class GoogleError extends Error {
  readonly status: number;
  /** Word in mixed case, such as `notFound`. */
  readonly reason: string;

  constructor(status: number, reason: string, message: string) {
    super(message);
    this.name = 'GoogleError';
    this.status = status;
    this.reason = reason;
  }
}

const STATUS_NAMES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ALREADY_EXISTS',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};

export const errorResponse = ({ status, reason, message }: GoogleError): Response =>
  Response.json(
    {
      error: {
        code: status,
        message,
        errors: [{ message, domain: 'global', reason }],
        ...(STATUS_NAMES[status] === undefined ? {} : { status: STATUS_NAMES[status] }),
      },
    },
    { status },
  );

export const notFound = (path: string): GoogleError =>
  new GoogleError(404, 'notFound', `The resource '${path}' was not found`);

export const invalid = (field: string, value: string, why: string): GoogleError =>
  new GoogleError(400, 'invalid', `Invalid value for field '${field}': '${value}'. ${why}`);

export const tooManyCalls = (): GoogleError =>
  new GoogleError(403, 'rateLimitExceeded', "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute'");

/** Reason of a status, for scripted faults that name the status only. */
export function reasonOfStatus(status: number): string {
  if (status === 401) return 'authError';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'notFound';
  return status >= 500 ? 'backendError' : 'invalid';
}

/** What an operation ended with. */
export interface OperationError {
  readonly code: string;
  readonly message: string;
  readonly httpStatus: number;
  readonly errorInfo?: { readonly reason: string; readonly metadatas: Readonly<Record<string, string>> };
}

/** The refusal that an error means. */
export function googleErrorOf(error: unknown): GoogleError {
  if (error instanceof GoogleError) return error;
  if (error instanceof CloudRefusal) {
    const { reason, message, subject } = error;
    if (reason === 'volume_in_use')
      return new GoogleError(
        400,
        'resourceInUseByAnotherResource',
        `The disk resource '${subject}' is already being used`,
      );
    return new GoogleError(400, 'resourceNotReady', message);
  }
  return new GoogleError(500, 'backendError', `The simulator failed: ${String(error)}`);
}
