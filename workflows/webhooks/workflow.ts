/**
 * One delivery: tries until the receiver takes it, refuses it for good, or a day has passed.
 *
 * A try and its record are two activities: a database that is away for a moment must not send a notification again.
 */
import { condition, defineSignal, proxyActivities, setCurrentDetails, setHandler } from '@temporalio/workflow';
import type { NotificationActivities, TryOutcome } from '../../activities/webhooks/activities.ts';
import { PERMANENT_ERROR_CODES } from '../../domain/errors.ts';
import { durationWords } from '../../domain/text/words.ts';
import { TRY_NOW_SIGNAL, type DeliveryEnd, type DeliveryInput } from '../../contracts/webhooks.ts';
import { NOTIFICATION_QUEUE } from '../../contracts/queues.ts';

// One request with a limit of its own (10 s), or a few rows: what takes longer, or is not heard of, is lost. What a receiver answers is no
// error here, so this repeats only what failed on our side.
const notification = proxyActivities<NotificationActivities>({
  taskQueue: NOTIFICATION_QUEUE,
  startToCloseTimeout: '30s',
  heartbeatTimeout: '15s',
  retry: {
    initialInterval: '1s',
    backoffCoefficient: 2,
    maximumInterval: '30s',
    nonRetryableErrorTypes: [...PERMANENT_ERROR_CODES],
  },
});

const tryNowSignal = defineSignal(TRY_NOW_SIGNAL);

export async function deliverWebhook({ deliveryId }: DeliveryInput): Promise<DeliveryEnd> {
  let tryNow = false;
  setHandler(tryNowSignal, () => {
    tryNow = true;
  });
  let settled: DeliveryEnd | undefined;
  for (let tries = 1; ; tries += 1) {
    tryNow = false;
    const outcome = await notification.sendWebhook({ deliveryId, tries });
    if (outcome.state === 'over') {
      // Asked to try again while a try ended: the row says whether there is something to send.
      if (tryNow) continue;
      return settled ?? { state: 'over', tries: tries - 1 };
    }
    setCurrentDetails(detailsOf(tries, outcome));
    await notification.recordTry({ deliveryId, outcome });
    if (outcome.state !== 'pending') {
      settled = { state: outcome.state, tries };
      if (tryNow) continue;
      return settled;
    }
    await condition(() => tryNow, outcome.retryAfterMs, {
      summary: `next try in ${durationWords(outcome.retryAfterMs)}`,
    });
  }
}

/** Markdown for the Temporal UI. */
function detailsOf(tries: number, outcome: Exclude<TryOutcome, { readonly state: 'over' }>): string {
  switch (outcome.state) {
    case 'delivered':
      return `**Delivered** at try ${tries}: HTTP ${outcome.status}`;
    case 'pending':
      return `Try ${tries} failed: ${outcome.error}. Next one in ${Math.round(outcome.retryAfterMs / 1000)} s.`;
    case 'failed':
      return `**Given up** after ${tries} ${tries === 1 ? 'try' : 'tries'}: ${outcome.error}`;
  }
}
