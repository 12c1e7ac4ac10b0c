/**
 * A call of a service of AWS.
 */
import type { ServiceCallKind } from '../../http/wire.ts';
import type { RefusedOffer } from './classify.ts';

/** Services that are called. */
export type AwsService = 'ec2' | 'ssm' | 'pricing' | 'sts';

/** One call. */
export interface AwsCall {
  readonly kind: ServiceCallKind;
  readonly service: AwsService;
  readonly region: string;
  readonly action: string;
  /** Form fields of the Query protocol, or the document of a JSON service. */
  readonly input:
    | { readonly form: Readonly<Record<string, string>> }
    | { readonly json: unknown; readonly target: string };
  /** The offer it is about, so that a refusal can say what to block. */
  readonly offer?: RefusedOffer;
}
