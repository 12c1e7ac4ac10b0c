/**
 * Webhooks and their log as a person reads them in a terminal.
 */
import type { DeliveryDocument, WebhookDocument } from '../../api/client.ts';
import { clean } from '../terminal/style.ts';
import { table } from '../terminal/table.ts';

/** One webhook in two lines. */
export function renderWebhook({ id, url, events, disabledAt }: WebhookDocument): string {
  const state = disabledAt === null ? '' : ` · disabled since ${disabledAt}: the receiver answered 410`;
  return `${id}  ${clean(url)}\n  ${events.length === 0 ? 'every end of an analysis' : events.join(', ')}${state}`;
}

/** All of them, without a trailing newline. */
export function renderWebhooks(webhooks: readonly WebhookDocument[]): string {
  if (webhooks.length === 0) return 'There are no webhooks. Add one with: deckhand webhooks add URL';
  return webhooks.map(renderWebhook).join('\n');
}

/** Outcome of a delivery so far. */
export function outcomeOf({ state, attempts, lastStatus, lastError }: DeliveryDocument): string {
  const tries = attempts === 1 ? '1 try' : `${attempts} tries`;
  switch (state) {
    case 'delivered':
      return `HTTP ${lastStatus ?? '?'} after ${tries}`;
    case 'pending':
      return attempts === 0 ? 'not tried yet' : `${clean(lastError ?? 'no answer')} after ${tries}, will be retried`;
    case 'failed':
      return `${clean(lastError ?? 'no answer')} after ${tries}, failed`;
  }
}

/** The log, without a trailing newline. */
export function renderDeliveries(deliveries: readonly DeliveryDocument[]): string {
  if (deliveries.length === 0) return 'Nothing was sent yet.';
  const rows = deliveries.map((delivery) => {
    const { id, createdAt, event, analysisId, alertId, costReportId, state } = delivery;
    const subject = analysisId ?? alertId ?? costReportId;
    const about = subject === null ? '' : ` of ${subject}`;
    return [createdAt, state, `${event}${about}`, outcomeOf(delivery), `(${id})`];
  });
  return table(rows);
}
