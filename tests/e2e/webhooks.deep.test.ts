/**
 * Notifications of real runs: each end is told, and a control worker killed between the end of a run and its notification costs nothing.
 */
import { afterEach, beforeAll, expect, it } from 'vitest';
import type { NewWebhookDocument } from '../../api/client.ts';
import { plainDeck } from '../../testing/plain-deck.ts';
import { rigPerFile } from '../../testing/rig.ts';
import { until } from '../../testing/until.ts';
import { startWebhookReceiver, verified } from '../../testing/webhook-receiver.ts';
import { perFile } from '../../testing/per-file.ts';

let webhook: NewWebhookDocument;
const receiver = perFile(startWebhookReceiver);
const rig = rigPerFile({
  environment: { DECKHAND_LOST_WORKER_SEC: '3', DECKHAND_PUBLIC_URL: 'https://deckhand.example' },
});
beforeAll(async () => {
  webhook = await rig.client.addWebhook({ url: receiver.url });
});
afterEach(() => {
  receiver.received.length = 0;
  receiver.onRequest = undefined;
});

const told = () => receiver.received.map((request) => verified(request, webhook.secret ?? ''));

/** Waits until the only notification of an analysis is delivered. */
const delivered = (analysisId: string) =>
  until(() => rig.db.webhookDelivery.findMany({ where: { analysisId } })).is(
    (rows) => rows.length === 1 && rows[0]?.state === 'delivered',
  );

it('a review with gaps and one that failed are told, with where to read them', async () => {
  await rig.reader.script({ rules: [{ match: { task: 'extract_deck_date' }, fault: { badJson: true } }] });
  const deckId = await rig.upload(await plainDeck('Nimbara'), 'nimbara.pdf');
  const gapped = await rig.review(deckId, { taskType: 'deck_date_extraction' });
  const brokenId = await rig.upload(Buffer.from('%PDF-1.7\nnothing\n%%EOF\n'), 'broken.pdf');
  const broken = await rig.client.startAnalysis(brokenId);
  await delivered(gapped.analysisId);
  await delivered(broken.analysisId);
  expect(told()).toHaveLength(2);
  // In whichever order they arrive: nothing holds the second back for the first.
  const ofType = (type: string) => told().find((message) => message.type === type);
  expect(ofType('analysis.completed_with_gaps')).toMatchObject({
    data: {
      analysisId: gapped.analysisId,
      deckId,
      fileName: 'nimbara.pdf',
      taskType: 'deck_date_extraction',
      gaps: 1,
      reportUrl: `https://deckhand.example/api/v1/analyses/${gapped.analysisId}/report?format=html`,
    },
  });
  expect(ofType('analysis.failed')).toMatchObject({
    data: { analysisId: broken.analysisId, status: 'failed', failureCode: 'pdf_damaged' },
  });
});

it('a control worker killed while it tells is followed by one that tells again, under the same id', async () => {
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
