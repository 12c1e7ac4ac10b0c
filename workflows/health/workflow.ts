/**
 * The health of one instance, for as long as it lives: looks at it when a look is due, judges what it sees, stores it and has the pool look.
 *
 * It decides nothing about the instance: what becomes of one that is ill is the pool's business, because the guard is about the pool. While
 * the instance boots, sleeps or is repaired the loop waits for word of it.
 */
import {
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { durationWords } from '../../domain/text/words.ts';
import type { HealthState } from '../../domain/health/state.ts';
import { workflowUrl } from '../../domain/temporal/run-details.ts';
import { makeInstanceWorkflowId } from '../../contracts/instance.ts';
import {
  HEALTH_ORDER_SIGNAL,
  HEALTH_QUERY,
  type HealthOrder,
  type HealthWorkflowInput,
} from '../../contracts/health.ts';
import { detailsOf } from './details.ts';
import { HealthLoop } from './loop.ts';

const orderSignal = defineSignal<[HealthOrder]>(HEALTH_ORDER_SIGNAL);
const healthQuery = defineQuery<HealthState | null>(HEALTH_QUERY);

/** Events after which a loop continues as new: about an hour and a half of looks. */
const MAX_HISTORY_LENGTH = 2000;

/** See the file's header. Ends with the instance's life. */
export async function instanceHealth(input: HealthWorkflowInput): Promise<void> {
  const { instance } = input;
  const loop = new HealthLoop(instance, input.resume);
  setHandler(orderSignal, (order) => loop.take(order));
  setHandler(healthQuery, () => loop.state);
  for (;;) {
    await loop.follow();
    if (loop.isOver) return;
    const place = { uiUrl: loop.order?.uiUrl, namespace: workflowInfo().namespace };
    const url = workflowUrl(place, makeInstanceWorkflowId(instance));
    setCurrentDetails(detailsOf(loop.state, loop.order, { name: instance, url }));
    const { next, resume } = loop;
    // Nothing is awaited between this and the end of the run: an order that came meanwhile stands in the inbox, and keeps the run.
    if (!loop.hasOrders && resume !== null && historyIsLong(input))
      return continueAsNew<typeof instanceHealth>({ ...input, resume });
    if (next === null) {
      await condition(() => loop.hasOrders);
      continue;
    }
    const restMs = next.atMs - Date.now();
    const summary = `${next.kind} in ${durationWords(restMs)}`;
    const isOrdered = restMs > 0 ? await condition(() => loop.hasOrders, restMs, { summary }) : loop.hasOrders;
    if (!isOrdered) await loop.look(next);
  }
}

function historyIsLong(input: HealthWorkflowInput): boolean {
  const info = workflowInfo();
  return info.continueAsNewSuggested || info.historyLength >= (input.maxHistoryLength ?? MAX_HISTORY_LENGTH);
}
