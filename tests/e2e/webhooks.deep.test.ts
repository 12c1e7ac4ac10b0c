/** A control worker killed between the end of a run and its notification costs nothing. */
import { beforeAll, expect, it } from 'vitest';
import type { NewWebhookDocument } from '../../api/client.ts';
import { plainDeck } from '../../testing/plain-deck.ts';
import { rigPerFile } from '../../testing/rig.ts';
import { until } from '../../testing/until.ts';
import { startWebhookReceiver, verified } from '../../testing/webhook-receiver.ts';
import { perFile } from '../../testing/per-file.ts';

let webhook: NewWebhookDocument;
const receiver = perFile(startWebhookReceiver);
const rig = rigPerFile({ environment: { DECKHAND_LOST_WORKER_SEC: '3' } });
beforeAll(async () => {
  webhook = await rig.client.POST('/webhooks', { body: { url: receiver.url } });
});

const told = () => receiver.received.map((request) => verified(request, webhook.secret ?? ''));

/** Waits until the only notification of an analysis is delivered. */
const delivered = (analysisId: string) =>
  until(() => rig.db.webhookDelivery.findMany({ where: { analysisId } })).is(
    (rows) => rows.length === 1 && rows[0]?.state === 'delivered',
  );

it('a control worker killed while it notifies is followed by one that notifies again, under the same id', async () => {
  receiver.answer('hang');
  let killed = 0;
  receiver.onRequest = () => {
    if (killed > 0) return;
    killed += 1;
    // The end of the run is written by now, and the notification has no answer yet.
    void rig.pidOf('control').then((pid) => process.kill(pid, 'SIGKILL'));
  };
  const deckId = await rig.upload(await plainDeck('Ferrovant'), 'ferrovant.pdf');
  const { analysisId } = await rig.client.startAnalysis(deckId, { taskType: 'deck_date_extraction' });
  const [delivery] = await delivered(analysisId);
  expect(killed).toBe(1);
  expect(told().map((message) => message.data)).toEqual([
    expect.objectContaining({ analysisId }),
    expect.objectContaining({ analysisId }),
  ]);
  expect(receiver.received.map((request) => request.headers['webhook-id'])).toEqual([delivery?.id, delivery?.id]);
  expect(receiver.received[0]?.body).toBe(receiver.received[1]?.body);
});
