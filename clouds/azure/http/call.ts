/**
 * A call of one of Azure's services.
 */
import type { Call, ServiceCallKind } from '../../http/wire.ts';
import type { RefusedOffer } from './classify.ts';

/** Services that are called; each has an address of its own. */
export type AzureService = 'management' | 'prices';

/** One call. */
export interface AzureCall extends Omit<Call, 'kind' | 'timeoutMs'> {
  readonly kind: ServiceCallKind;
  /** Management where left out. */
  readonly service?: AzureService;
  /** Headers beside those of every call. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The offer it is about, so that a refusal can say what to block. */
  readonly offer?: RefusedOffer;
}
