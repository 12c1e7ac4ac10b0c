/**
 * `deckhand webhooks`: addresses that are notified when analyses are finished, and the log of deliveries.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import type { DeckhandClient, DeliveryDocument } from '../../api/client.ts';
import { DeckhandError } from '../../domain/errors.ts';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../../domain/webhooks.ts';
import { askApi } from '../api/open.ts';
import { type JsonOption, printResult, printingCommand } from '../terminal/output.ts';
import { outcomeOf, renderDeliveries, renderWebhook, renderWebhooks } from '../webhooks/table.ts';

/** Lines of the log that are shown. */
const SHOWN = 50;
/** Pause between looks at a test, and how many: a try ends within 10 s. */
const LOOK_MS = 300;
const LOOKS = 100;

export function registerWebhooks(program: Command): void {
  const webhooks = program
    .command('webhooks')
    .description(
      'notify another system when analyses are finished: add, list, remove and test webhooks, show deliveries',
    );

  printingCommand(webhooks, 'add <url>', 'add a webhook; its signing secret is printed only now')
    .addOption(
      new Option('--event <events...>', 'only these events; by default every end of an analysis').choices(
        WEBHOOK_EVENTS,
      ),
    )
    .action(async (url: string, options: JsonOption & { readonly event?: readonly WebhookEvent[] }) => {
      const events = options.event ?? [];
      const added = await askApi('Adding the webhook', (client, signal) =>
        client.POST('/webhooks', { body: { url, events: [...events] }, signal }),
      );
      const secret =
        added.secret === null
          ? 'It existed already; its secret is not shown again.'
          : `Signing secret, shown only now: ${added.secret}`;
      printResult(options, added, () => `${renderWebhook(added)}\n${secret}`);
    });
  printingCommand(webhooks, 'list', 'list the webhooks').action(async (options: JsonOption) => {
    const { items } = await askApi('Listing the webhooks', (client, signal) => client.GET('/webhooks', { signal }));
    printResult(options, items, () => renderWebhooks(items));
  });
  printingCommand(webhooks, 'remove <id>', 'remove a webhook with its log').action(
    async (id: string, options: JsonOption) => {
      await askApi('Removing the webhook', (client, signal) =>
        client.DELETE('/webhooks/{id}', { params: { path: { id } }, signal }),
      );
      printResult(options, { id, removed: true }, () => 'Removed. Pending deliveries are not sent any more.');
    },
  );
  printingCommand(
    webhooks,
    'test <id>',
    'send a test and show its outcome; a delivered test enables a disabled webhook again',
  ).action(async (id: string, options: JsonOption) => {
    const delivery = await askApi('Sending a test', (client, signal) => test(client, id, signal));
    printResult(options, delivery, () => outcomeOf(delivery));
    if (delivery.state === 'pending') {
      throw new DeckhandError('service_unavailable', `test ${delivery.id} is still pending`, {
        userMessage: 'The test was not sent yet.',
        hint: `Does the control worker run? See its outcome: deckhand webhooks deliveries ${id}`,
      });
    }
    if (delivery.state !== 'delivered') {
      throw new DeckhandError('webhook_failed', `test ${delivery.id}: ${outcomeOf(delivery)}`, {
        userMessage: 'The receiver did not accept the test.',
        hint: 'It has to answer 2xx within 10 seconds.',
      });
    }
  });
  printingCommand(webhooks, 'deliveries [id]', `show the last ${SHOWN} deliveries, of one webhook or of all`).action(
    async (id: string | undefined, options: JsonOption) => {
      const deliveries = await askApi('Reading the log', (client, signal) => log(client, id, signal));
      printResult(options, deliveries, () => renderDeliveries(deliveries));
    },
  );
  printingCommand(webhooks, 'retry <id> <delivery>', 'retry a delivery now: one that failed or waits').action(
    async (id: string, deliveryId: string, options: JsonOption) => {
      const delivery = await askApi('Asking for another try', (client, signal) =>
        client.POST('/webhooks/{id}/deliveries/{deliveryId}/retry', { params: { path: { id, deliveryId } }, signal }),
      );
      printResult(options, delivery, () => `It is being tried. See its outcome: deckhand webhooks deliveries ${id}`);
    },
  );
}

/** Sends a test and waits for its outcome. */
async function test(client: DeckhandClient, id: string, signal: AbortSignal): Promise<DeliveryDocument> {
  const sent = await client.POST('/webhooks/{id}/test', { params: { path: { id } }, signal });
  let now = sent;
  for (let looks = 0; now.state === 'pending' && looks < LOOKS; looks += 1) {
    await delay(LOOK_MS, undefined, { signal });
    const { items } = await client.GET('/webhooks/{id}/deliveries', { params: { path: { id } }, signal });
    now = items.find((delivery) => delivery.id === sent.id) ?? now;
  }
  return now;
}

/** The newest deliveries, of one webhook or of all. */
async function log(client: DeckhandClient, id: string | undefined, signal: AbortSignal): Promise<DeliveryDocument[]> {
  const ids = id === undefined ? (await client.GET('/webhooks', { signal })).items.map((webhook) => webhook.id) : [id];
  const pages = await Promise.all(
    ids.map((one) =>
      client.GET('/webhooks/{id}/deliveries', { params: { path: { id: one }, query: { limit: SHOWN } }, signal }),
    ),
  );
  return pages
    .flatMap((page) => page.items)
    .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
    .slice(0, SHOWN);
}
