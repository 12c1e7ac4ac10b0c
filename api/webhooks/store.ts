/** Webhooks and their deliveries as rows: added, found, sent again. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import type { PrismaClient, Webhook, WebhookDelivery } from '../../generated/prisma/client.ts';
import { checkReceiverUrl } from '../../activities/webhooks/receiver-url.ts';
import { startDelivery } from '../../activities/webhooks/outbox.ts';
import { DeckhandError } from '../../domain/errors.ts';
import { ANALYSIS_EVENTS, TEST_EVENT, WEBHOOK_EVENTS, type WebhookEvent } from '../../domain/webhooks.ts';
import { unreachable } from '../../platform/temporal/unreachable.ts';
import { lockForTransaction } from '../../platform/locks.ts';

/** Bytes of a signing secret. */
const SECRET_BYTES = 32;
/** Webhooks of one tenant: each event is sent to all of them. */
const MAX_WEBHOOKS = 20;
/** Longest wait for Temporal within one request. */
const CALL_DEADLINE_MS = 5000;

/**
 * Adds a webhook. The same URL with the same events is the webhook that is there already, also when it is asked for twice at the same time;
 * its secret is not shown again.
 *
 * @throws DeckhandError `invalid_request` (URL), `conflict` (too many)
 */
export async function addWebhook(
  db: PrismaClient,
  tenantId: string,
  input: { readonly url: string; readonly events: readonly WebhookEvent[] },
): Promise<{ readonly webhook: Webhook; readonly created: boolean }> {
  const url = checkReceiverUrl(input.url);
  // In the order of the list, each once; all ends of analyses and nothing else is what none means.
  const named = WEBHOOK_EVENTS.filter((event) => input.events.includes(event));
  const events = named.join() === ANALYSIS_EVENTS.join() ? [] : named;
  return db.$transaction(async (tx) => {
    // One at a time for each tenant: the second request sees what the first has added.
    await lockForTransaction(tx, `webhooks/${tenantId}`);
    const present = await tx.webhook.findMany({ where: { tenantId } });
    const same = present.find((w) => w.url === url && w.disabledAt === null && w.events.join() === events.join());
    if (same !== undefined) return { webhook: same, created: false };
    if (present.length >= MAX_WEBHOOKS) {
      throw new DeckhandError('conflict', `tenant ${tenantId} has ${present.length} webhooks`, {
        userMessage: `There are ${MAX_WEBHOOKS} webhooks already.`,
        hint: 'Remove one that is not used: deckhand webhooks list',
      });
    }
    const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
    const webhook = await tx.webhook.create({ data: { id: randomUUID(), tenantId, url, secret, events } });
    return { webhook, created: true };
  });
}

/** The webhook of a tenant. @throws DeckhandError `not_found` */
export async function findWebhook(db: PrismaClient, tenantId: string, id: string): Promise<Webhook> {
  const webhook = await db.webhook.findFirst({ where: { id, tenantId } });
  if (webhook === null) {
    throw new DeckhandError('not_found', `no webhook ${id}`, {
      userMessage: 'There is no such webhook.',
      hint: 'The ids are listed by: deckhand webhooks list',
    });
  }
  return webhook;
}

/** Has a test sent to a webhook. @throws DeckhandError `service_unavailable` */
export async function sendTest(db: PrismaClient, temporal: Client, webhook: Webhook): Promise<WebhookDelivery> {
  const { id: webhookId, tenantId } = webhook;
  const row = await db.webhookDelivery.create({ data: { id: randomUUID(), tenantId, webhookId, event: TEST_EVENT } });
  await start(temporal, row);
  return row;
}

/**
 * Retries a delivery now: one that waits for its next try, or one that failed.
 *
 * @throws DeckhandError `not_found`; `conflict` when it has arrived; `service_unavailable`
 */
export async function retryDelivery(
  db: PrismaClient,
  temporal: Client,
  webhook: Webhook,
  deliveryId: string,
): Promise<WebhookDelivery> {
  const where = { id: deliveryId, webhookId: webhook.id };
  // As if never tried: if its workflow is just ending, the outbox round starts another one.
  await db.webhookDelivery.updateMany({
    where: { ...where, state: 'failed' },
    data: { state: 'pending', lastTriedAt: null },
  });
  const row = await db.webhookDelivery.findFirst({ where });
  if (row === null) {
    throw new DeckhandError('not_found', `no delivery ${deliveryId} of ${webhook.id}`, {
      userMessage: 'There is no such delivery.',
      hint: `They are listed by: deckhand webhooks deliveries ${webhook.id}`,
    });
  }
  if (row.state === 'delivered') {
    throw new DeckhandError('conflict', `delivery ${deliveryId} is delivered`, {
      userMessage: 'This notification has arrived already.',
    });
  }
  await start(temporal, row);
  return row;
}

async function start(temporal: Client, row: WebhookDelivery): Promise<void> {
  try {
    await temporal.withDeadline(Date.now() + CALL_DEADLINE_MS, () => startDelivery(temporal, row));
  } catch (error) {
    // The row stays, and the outbox round sends it later.
    throw unreachable(error);
  }
}
