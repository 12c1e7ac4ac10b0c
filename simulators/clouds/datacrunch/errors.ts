/** Refusals of DataCrunch: status, code and message. Known clients match these messages. */
import { CloudRefusal } from '../core/refusal.ts';

export type ApiCode =
  | 'invalid_request'
  | 'unauthorized_request'
  | 'insufficient_funds'
  | 'forbidden_action'
  | 'not_found'
  | 'conflict'
  | 'rate_limit_exceeded'
  | 'server_error'
  | 'not_implemented'
  | 'service_unavailable';

const STATUS: Readonly<Record<ApiCode, number>> = {
  invalid_request: 400,
  unauthorized_request: 401,
  insufficient_funds: 402,
  forbidden_action: 403,
  not_found: 404,
  conflict: 409,
  rate_limit_exceeded: 429,
  server_error: 500,
  not_implemented: 501,
  service_unavailable: 503,
};

export class ApiError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(code: ApiCode, message: string) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.status = STATUS[code];
  }

  toResponse(): Response {
    return errorResponse(this.status, this.code, this.message);
  }
}

/** What the provider has and this simulator has not. @param what such as `secrets` */
export const notSimulated = (what: string): ApiError => new ApiError('not_implemented', `not simulated: ${what}`);

export const errorResponse = (status: number, code: string, message: string): Response =>
  Response.json({ code, message }, { status });

/** Code of a status, for scripted faults that name the status only. */
export const codeOfStatus = (status: number): string =>
  Object.entries(STATUS).find(([, s]) => s === status)?.[0] ?? (status >= 500 ? 'server_error' : 'invalid_request');

const WORDS: Readonly<Record<Exclude<CloudRefusal['reason'], 'unknown_volume'>, readonly [ApiCode, string]>> = {
  no_capacity: ['service_unavailable', 'No capacity available'],
  gpu_quota: ['invalid_request', 'GPU limit exceeded'],
  spot_gpu_quota: ['invalid_request', 'Spot GPU limit exceeded'],
  vcpu_quota: ['invalid_request', 'vCPU limit exceeded'],
  storage_quota: ['invalid_request', 'Storage limit exceeded'],
  volume_quota: ['invalid_request', 'Volume limit exceeded'],
  funds: ['insufficient_funds', 'Insufficient funds'],
  unknown_type: ['invalid_request', 'Invalid instance type'],
  unknown_location: ['invalid_request', 'Invalid location code'],
  unknown_instance: ['invalid_request', 'Invalid instance id'],
  volume_not_bootable: ['invalid_request', 'Volume is not an OS volume'],
  volume_elsewhere: ['invalid_request', 'Volume is in another location'],
  volume_in_use: ['invalid_request', 'Volume must be detached'],
  still_provisioning: ['forbidden_action', "Can't discontinue a provisioning instance"],
  already_gone: ['forbidden_action', "Can't discontinue a discontinued instance"],
  wrong_state: ['forbidden_action', 'Action is not allowed in this state'],
  invalid: ['invalid_request', 'Invalid request'],
};

/** A refusal of the core with DataCrunch's code and message; `verb` is the action on the instance. */
export function apiErrorOf(refusal: CloudRefusal, verb = 'discontinue'): ApiError {
  if (refusal.reason === 'unknown_volume') return new ApiError('not_found', 'Volume not found');
  const [code, words] = WORDS[refusal.reason];
  return new ApiError(code, words.replace('discontinue ', `${verb} `));
}

/** The answer for an error of a route; null if it is no refusal. */
export function responseOf(error: unknown): Response | null {
  if (error instanceof ApiError) return error.toResponse();
  if (error instanceof CloudRefusal) return apiErrorOf(error).toResponse();
  return null;
}
