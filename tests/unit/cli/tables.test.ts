/** Keys, tenants and webhooks as a terminal shows them. */
import { expect, it } from 'vitest';
import type { ApiKeyDocument, DeliveryDocument, WebhookDocument } from '../../../api/client.ts';
import { renderKeys, renderTenants } from '../../../cli/keys/table.ts';
import { renderDeliveries, renderWebhooks } from '../../../cli/webhooks/table.ts';

const AT = '2026-11-21T12:00:00.000Z';

const key = (changes: Partial<ApiKeyDocument>): ApiKeyDocument => ({
  id: 'k1',
  name: 'ci',
  prefix: 'dh_abc',
  role: 'operator',
  tenantId: 'default',
  createdAt: AT,
  lastUsedAt: null,
  revokedAt: null,
  ...changes,
});
const hook = (changes: Partial<WebhookDocument> = {}): WebhookDocument => ({
  id: 'w1',
  url: 'https://hooks.example/x',
  events: [],
  createdAt: AT,
  disabledAt: null,
  ...changes,
});
const delivery = (changes: Partial<DeliveryDocument>): DeliveryDocument => ({
  id: 'd1',
  webhookId: 'w1',
  event: 'analysis.completed',
  analysisId: 'a1',
  alertId: null,
  costReportId: null,
  state: 'pending',
  attempts: 0,
  lastStatus: null,
  lastError: null,
  createdAt: AT,
  lastTriedAt: null,
  deliveredAt: null,
  ...changes,
});

it('a key says its state, a tenant its weight', async () => {
  const keys = [key({}), key({ id: 'k2', lastUsedAt: AT }), key({ id: 'k3', role: 'analyst', revokedAt: AT })];
  await expect(renderKeys(keys)).toMatchFileSnapshot('snapshots/keys.txt');
  const tenants = [{ slug: 'default', weight: 1, name: 'Default', createdAt: AT }];
  await expect(renderTenants(tenants)).toMatchFileSnapshot('snapshots/tenants.txt');
});

it('a webhook says what it hears of, and since when it is disabled', async () => {
  const hooks = [hook(), hook({ id: 'w2', events: ['analysis.completed'], disabledAt: AT })];
  await expect(renderWebhooks(hooks)).toMatchFileSnapshot('snapshots/webhooks.txt');
  await expect(renderWebhooks([])).toMatchFileSnapshot('snapshots/no-webhooks.txt');
});

it('a delivery says what came of it', async () => {
  const deliveries = [
    delivery({}),
    delivery({ id: 'd2', attempts: 1, lastError: 'connection refused' }),
    delivery({ id: 'd3', attempts: 2, state: 'delivered', lastStatus: 200 }),
    delivery({ id: 'd4', attempts: 8, state: 'failed', analysisId: null, alertId: 'alert-1' }),
  ];
  await expect(renderDeliveries(deliveries)).toMatchFileSnapshot('snapshots/deliveries.txt');
  await expect(renderDeliveries([])).toMatchFileSnapshot('snapshots/no-deliveries.txt');
});

it('lets no control character of a name, an address or an answer through', () => {
  const evil = 'evil\u001B[2J\u0007';
  const texts = [
    renderKeys([key({ name: evil })]),
    renderWebhooks([hook({ url: evil })]),
    renderDeliveries([delivery({ attempts: 1, lastError: evil })]),
  ];
  for (const text of texts) expect(text).not.toMatch(/(?!\n)\p{Cc}/u);
});
