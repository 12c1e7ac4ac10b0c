/**
 * The outbox: a delivery is stored in the transaction that stores the reported change, so that neither exists without the other. The
 * process that wrote it starts its workflow at once. After a crash a round of the control process starts it.
 */
import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import type { Logger } from '@temporalio/common';
import type { Prisma, PrismaClient, Webhook, WebhookDelivery } from '../../generated/prisma/client.ts';
import { DEFAULT_TENANT } from '../../domain/tenant.ts';
import { INSTALLATION_SCOPE } from '../../domain/costs/report/document.ts';
import {
  eventOfStatus,
  LONGEST_RETRY_GAP_MS,
  REPORT_EVENT,
  wantsEvent,
  type AlertEvent,
} from '../../domain/webhooks.ts';
import { CONTROL_QUEUE } from '../../contracts/queues.ts';
import {
  DELIVERY_WORKFLOW,
  makeDeliveryWorkflowId,
  TRY_NOW_SIGNAL,
  type DeliveryEnd,
  type DeliveryInput,
} from '../../contracts/webhooks.ts';
import { ATTRIBUTES } from '../../contracts/search-attributes.ts';
import type { Transaction } from '../../platform/db.ts';

/** Deliveries that one round starts at most. */
const BATCH = 100;
/** A delivery this young is being started by the process that wrote it. */
const YOUNG_MS = 10_000;
/** Added to the longest wait between two tries. */
const ROUND_MARGIN_MS = 10 * 60_000;
/** How long a settled delivery is kept. */
const LOG_RETENTION_MS = 90 * 24 * 60 * 60_000;

/** The columns of a delivery that are needed to start it. */
type DeliveryRow = Pick<WebhookDelivery, 'id' | 'tenantId' | 'event'>;

/**
 * Writes the deliveries of an analysis that ended: one for each webhook that wants the event. Repeating it writes nothing twice, and an
 * analysis whose deck is being deleted gets none.
 *
 * @param tx the transaction that writes the final state
 */
export async function enqueueDeliveries(
  tx: Transaction,
  analysisId: string,
  status: Parameters<typeof eventOfStatus>[0],
): Promise<void> {
  const event = eventOfStatus(status);
  if (event === null) return;
  const { tenantId, deck } = await tx.analysis.findUniqueOrThrow({
    where: { id: analysisId },
    select: { tenantId: true, deck: { select: { deletingAt: true } } },
  });
  if (deck.deletingAt !== null) return;
  const webhooks = await tx.webhook.findMany({ where: { tenantId, disabledAt: null } });
  const wanting = webhooks.filter((webhook) => wantsEvent(webhook.events, event));
  await writeDeliveries(tx, wanting, { analysisId, event });
}

/** Writes a delivery for each of these webhooks. Repeating it writes nothing twice. */
async function writeDeliveries(
  tx: Transaction,
  webhooks: readonly Pick<Webhook, 'id' | 'tenantId'>[],
  about: Pick<Prisma.WebhookDeliveryCreateManyInput, 'event' | 'analysisId' | 'alertId' | 'costReportId'>,
): Promise<void> {
  const data = webhooks.map(({ id: webhookId, tenantId }) => ({ id: randomUUID(), tenantId, webhookId, ...about }));
  await tx.webhookDelivery.createMany({ data, skipDuplicates: true });
}

/** Tenants with an operator, who may see the whole installation. */
async function tenantsWithOperator(tx: Transaction): Promise<ReadonlySet<string>> {
  const operators = await tx.apiKey.findMany({
    where: { role: 'operator', revokedAt: null },
    select: { tenantId: true },
    distinct: ['tenantId'],
  });
  return new Set([DEFAULT_TENANT, ...operators.map(({ tenantId }) => tenantId)]);
}

/**
 * Writes the deliveries of an alert: one for each webhook that names the event. Alerts are the installation's: they go only to webhooks of
 * tenants that have an operator. A webhook whose tenant has no operator key any more gets none. Repeating it writes nothing twice.
 *
 * @param tx the transaction that raises or clears the alert
 */
export async function enqueueAlertDeliveries(tx: Transaction, alertId: string, event: AlertEvent): Promise<void> {
  const named = await tx.webhook.findMany({ where: { disabledAt: null, events: { has: event } } });
  if (named.length === 0) return;
  const mayKnow = await tenantsWithOperator(tx);
  const webhooks = named.filter(({ tenantId }) => mayKnow.has(tenantId));
  await writeDeliveries(tx, webhooks, { alertId, event });
}

/**
 * Writes the deliveries of a cost report to webhooks that name the event. A tenant's report goes to that tenant's alone; the
 * installation's, which has the numbers of every tenant, only to those of tenants with an operator, who may read it anyway. Repeating it
 * writes nothing twice.
 *
 * @param tx the transaction that stores the report
 */
export async function enqueueReportDeliveries(
  tx: Transaction,
  { id: costReportId, scope }: { readonly id: string; readonly scope: string },
): Promise<void> {
  const named = await tx.webhook.findMany({ where: { disabledAt: null, events: { has: REPORT_EVENT } } });
  const mayKnow = await tenantsWithOperator(tx);
  const wanting = named.filter(({ tenantId }) =>
    scope === INSTALLATION_SCOPE ? mayKnow.has(tenantId) : tenantId === scope,
  );
  await writeDeliveries(tx, wanting, { costReportId, event: REPORT_EVENT });
}

/** Starts the workflow of a delivery, or has the one that waits try now. */
export async function startDelivery(client: Client, row: DeliveryRow): Promise<void> {
  await client.workflow.signalWithStart<(input: DeliveryInput) => Promise<DeliveryEnd>, []>(DELIVERY_WORKFLOW, {
    ...startOptions(row),
    signal: TRY_NOW_SIGNAL,
    signalArgs: [],
  });
}

/** Starts the workflow of a delivery that may have one; then nothing happens. */
async function ensureDelivery(client: Client, row: DeliveryRow): Promise<void> {
  await client.workflow.start<(input: DeliveryInput) => Promise<DeliveryEnd>>(DELIVERY_WORKFLOW, {
    ...startOptions(row),
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
}

function startOptions({ id, tenantId, event }: DeliveryRow) {
  const args: [DeliveryInput] = [{ deliveryId: id }];
  return {
    taskQueue: CONTROL_QUEUE,
    workflowId: makeDeliveryWorkflowId(id),
    args,
    // For a settled delivery the workflow ends at once: its row decides.
    workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
    priority: { fairnessKey: tenantId },
    typedSearchAttributes: [{ key: ATTRIBUTES.tenant, value: tenantId }],
    staticSummary: `Notification of ${event}`,
  };
}

/** Starts the deliveries of an analysis that has just ended. Never rejects: the next round starts the others. */
export async function startDeliveriesOf(
  db: PrismaClient,
  analysisId: string,
  { client, log }: { readonly client: Client; readonly log: Pick<Logger, 'warn'> },
): Promise<void> {
  try {
    const rows = await db.webhookDelivery.findMany({ where: { analysisId, state: 'pending', lastTriedAt: null } });
    for (const row of rows) await ensureDelivery(client, row);
  } catch (error) {
    log.warn('notifications could not be started yet', { analysisId, error: String(error) });
  }
}

/** Starts the deliveries of alerts, or of cost reports, that have not been tried. Returns their number. */
export async function startUntriedDeliveries(
  db: PrismaClient,
  client: Client,
  about: 'alertId' | 'costReportId',
): Promise<number> {
  const where = { [about]: { not: null }, state: 'pending', lastTriedAt: null } as const;
  const rows = await db.webhookDelivery.findMany({ where, orderBy: { createdAt: 'asc' }, take: BATCH });
  for (const row of rows) await ensureDelivery(client, row);
  return rows.length;
}

/**
 * One round: starts pending deliveries that may have no workflow. Those under way are tried at least every few hours, so recently tried
 * ones are left out.
 */
export async function startForgottenDeliveries(
  db: PrismaClient,
  client: Client,
  now: Date = new Date(),
): Promise<void> {
  const before = (ageMs: number): Date => new Date(now.getTime() - ageMs);
  const rows = await db.webhookDelivery.findMany({
    where: {
      state: 'pending',
      OR: [
        { lastTriedAt: null, createdAt: { lt: before(YOUNG_MS) } },
        { lastTriedAt: { lt: before(LONGEST_RETRY_GAP_MS + ROUND_MARGIN_MS) } },
      ],
    },
    orderBy: { createdAt: 'asc' },
    take: BATCH,
  });
  for (const row of rows) await ensureDelivery(client, row);
}

/** Removes old settled deliveries. Pending ones stay, however old they are. */
export async function removeOldDeliveries(db: PrismaClient, now: Date = new Date()): Promise<void> {
  await db.webhookDelivery.deleteMany({
    where: { state: { in: ['delivered', 'failed'] }, createdAt: { lt: new Date(now.getTime() - LOG_RETENTION_MS) } },
  });
}
