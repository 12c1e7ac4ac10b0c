/** Refusals of Azure: code, message and status. */
import { CloudRefusal } from '../core/refusal.ts';

export class ArmError extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.name = 'ArmError';
    this.code = code;
    this.status = status;
  }
}

/** The answer to a refused call. */
export function errorResponse(
  { code, message, status }: ArmError,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json({ error: { code, message } }, { status, headers });
}

/** Code of a status, for scripted faults that name the status only. */
export function codeOfStatus(status: number): string {
  if (status === 401) return 'InvalidAuthenticationToken';
  if (status === 403) return 'AuthorizationFailed';
  if (status === 404) return 'ResourceNotFound';
  if (status === 409) return 'Conflict';
  if (status === 503) return 'ServiceUnavailable';
  return status >= 500 ? 'InternalServerError' : 'InvalidParameter';
}

export const notFound = (type: string, name: string, group: string): ArmError =>
  new ArmError(
    'ResourceNotFound',
    `The Resource '${type}/${name}' under resource group '${group}' was not found.`,
    404,
  );

export const invalid = (name: string, message: string): ArmError =>
  new ArmError('InvalidParameter', `${message} (Parameter '${name}')`);

/** No place on any host: at once, as a restriction of the size. */
export const skuNotAvailable = (size: string, location: string): ArmError =>
  new ArmError(
    'SkuNotAvailable',
    `The requested VM size for resource 'Following SKUs have failed for Capacity Restrictions: ${size}' is currently not available in location '${location}'. Please try another size or deploy to a different location or different zone. See https://aka.ms/azureskunotavailable for details.`,
    409,
  );

/** No place on any host, as it turns out after the answer. */
export const ALLOCATION_FAILED = {
  code: 'AllocationFailed',
  message:
    'Allocation failed. We do not have sufficient capacity for the requested VM size in this region. Read more about improving likelihood of allocation success at https://aka.ms/allocation-guidance',
} as const;

/** The refusal that an error means. */
export function armErrorOf(error: unknown): ArmError {
  if (error instanceof ArmError) return error;
  if (error instanceof CloudRefusal) {
    const { reason, subject, message } = error;
    switch (reason) {
      case 'storage_quota':
      case 'volume_quota':
        return new ArmError('DiskQuotaExceeded', 'The maximum number of disks of this subscription is reached.', 409);
      case 'volume_in_use':
        return new ArmError('OperationNotAllowed', `Disk ${subject} is attached to another VM.`, 409);
      case 'volume_elsewhere':
        return new ArmError('InvalidParameter', `Disk ${subject} is in another location.`);
      default:
        return new ArmError('OperationNotAllowed', message, 409);
    }
  }
  return new ArmError('InternalServerError', `The simulator failed: ${String(error)}`, 500);
}
