/** Refusals of AWS: code, message and status, in the form of each service. */
import { randomUUID } from 'node:crypto';
import { CloudRefusal } from '../core/refusal.ts';
import { xmlResponse } from './xml.ts';

/** EC2 and STS speak the Query protocol, SSM and Pricing JSON. */
export type Service = 'ec2' | 'sts' | 'ssm' | 'pricing';

export class AwsError extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.name = 'AwsError';
    this.code = code;
    this.status = status;
  }
}

/** The answer to a refused call. */
export function errorResponse(service: Service, { code, message, status }: AwsError): Response {
  const requestId = randomUUID();
  switch (service) {
    case 'ec2':
      return xmlResponse(
        { Response: { Errors: { Error: { Code: code, Message: message } }, RequestID: requestId } },
        status,
      );
    case 'sts': {
      const Type = status >= 500 ? 'Receiver' : 'Sender';
      return xmlResponse(
        {
          ErrorResponse: {
            '@xmlns': 'https://sts.amazonaws.com/doc/2011-06-15/',
            Error: { Type, Code: code, Message: message },
            RequestId: requestId,
          },
        },
        status,
      );
    }
    case 'ssm':
    case 'pricing':
      return Response.json(
        { __type: code, message },
        { status, headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amzn-requestid': requestId } },
      );
  }
}

/** Too many calls. */
export const tooManyCalls = (service: Service): AwsError =>
  service === 'ec2'
    ? new AwsError('RequestLimitExceeded', 'Request limit exceeded.', 503)
    : service === 'sts'
      ? new AwsError('Throttling', 'Rate exceeded')
      : new AwsError('ThrottlingException', 'Rate exceeded');

/** Code of a status, for scripted faults that name the status only. */
export function codeOfStatus(status: number): string {
  if (status === 401) return 'AuthFailure';
  if (status === 403) return 'UnauthorizedOperation';
  if (status === 503) return 'Unavailable';
  return status >= 500 ? 'InternalError' : 'InvalidParameterValue';
}

/** A refusal of the core that no operation expects, with the nearest code of EC2. */
const errorOfRefusal = ({ reason, subject, message }: CloudRefusal): AwsError => {
  switch (reason) {
    case 'unknown_instance':
      return instanceNotFound(subject);
    case 'unknown_volume':
      return volumeNotFound(subject);
    case 'storage_quota':
    case 'volume_quota':
      return new AwsError('VolumeLimitExceeded', 'You have exceeded your maximum gp3 storage limit in this region.');
    case 'volume_in_use':
      return new AwsError('VolumeInUse', `${subject} is already attached to an instance`);
    case 'volume_elsewhere':
      return new AwsError('InvalidVolume.ZoneMismatch', `The volume '${subject}' is not in the same availability zone`);
    default:
      return new AwsError('IncorrectInstanceState', message);
  }
};

export const instanceNotFound = (id: string): AwsError =>
  new AwsError('InvalidInstanceID.NotFound', `The instance ID '${id}' does not exist`);

export const volumeNotFound = (id: string): AwsError =>
  new AwsError('InvalidVolume.NotFound', `The volume '${id}' does not exist.`);

/** The refusal that an error means. */
export function awsErrorOf(error: unknown): AwsError {
  if (error instanceof AwsError) return error;
  if (error instanceof CloudRefusal) return errorOfRefusal(error);
  return new AwsError('InternalError', `The simulator failed: ${String(error)}`, 500);
}
