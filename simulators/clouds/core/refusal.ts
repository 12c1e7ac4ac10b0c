/** Refusals of a simulated cloud. Each provider's dialect turns the reason into its own status and message. */

export type RefusalReason =
  | 'no_capacity'
  | 'gpu_quota'
  | 'spot_gpu_quota'
  | 'vcpu_quota'
  | 'storage_quota'
  | 'volume_quota'
  | 'funds'
  | 'unknown_type'
  | 'unknown_location'
  | 'unknown_instance'
  | 'unknown_volume'
  | 'volume_not_bootable'
  | 'volume_elsewhere'
  | 'volume_in_use'
  | 'still_provisioning'
  | 'already_gone'
  | 'wrong_state'
  | 'invalid';

export class CloudRefusal extends Error {
  readonly reason: RefusalReason;
  /** Id or name that the refusal is about, or empty. */
  readonly subject: string;

  constructor(reason: RefusalReason, subject = '', detail = '') {
    super(detail === '' ? `${reason}${subject === '' ? '' : `: ${subject}`}` : detail);
    this.name = 'CloudRefusal';
    this.reason = reason;
    this.subject = subject;
  }
}
