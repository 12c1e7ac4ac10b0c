/** Contract to start a delivery: names, ids, input. No workflow code. */

/** Workflow type of one delivery: one event for one webhook. */
export const DELIVERY_WORKFLOW = 'deliverWebhook';
/** Signal: try now, whatever the wait. */
export const TRY_NOW_SIGNAL = 'tryNow';

/** Workflow id of a delivery. */
export const makeDeliveryWorkflowId = (deliveryId: string): string => `webhook/${deliveryId}`;

/** Input of {@link DELIVERY_WORKFLOW}: an id; URL, secret and content are read where they are needed. */
export interface DeliveryInput {
  readonly deliveryId: string;
}

/** How a delivery ended. `over`: there was nothing to send, because it or its webhook is gone or it had been settled before. */
export interface DeliveryEnd {
  readonly state: 'delivered' | 'failed' | 'over';
  readonly tries: number;
}
