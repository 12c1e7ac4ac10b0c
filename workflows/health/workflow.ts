/**
 * The health of one instance until it ends: measures it when a measurement is due, judges the result, stores it and notifies the pool.
 *
 * It decides nothing about the instance: the pool chooses the remedy, because the limit on quarantined instances applies to the pool. While
 * the instance boots, sleeps or is repaired, the loop waits for its next order.
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
import {
  detailsOfLines,
  linkText,
  markdownText,
  momentText,
  workflowUrl,
  type DetailsLink,
} from '../../domain/temporal/run-details.ts';
import { makeInstanceWorkflowId } from '../../contracts/instance.ts';
import {
  HEALTH_ORDER_SIGNAL,
  HEALTH_QUERY,
  type HealthOrder,
  type HealthWorkflowInput,
} from '../../contracts/health.ts';
import { HealthLoop } from './loop.ts';
import { historyIsLong } from '../history-length.ts';

const orderSignal = defineSignal<[HealthOrder]>(HEALTH_ORDER_SIGNAL);
const healthQuery = defineQuery<HealthState | null>(HEALTH_QUERY);

/** Events after which a loop continues as new: about an hour and a half of measurements. */
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
    // Nothing is awaited between this check and the end of the run. An order that arrived before is in the inbox and keeps the run.
    if (!loop.hasOrders && resume !== null && historyIsLong(input.maxHistoryLength ?? MAX_HISTORY_LENGTH))
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

const MODES = {
  serving: 'It serves.',
  watched: 'It takes no work and is watched.',
  away: 'It is not looked at: it boots, sleeps or is being repaired.',
} as const;

/** Markdown. @param instance name of the instance, and its page where that is known */
function detailsOf(state: HealthState | null, order: HealthOrder | null, instance: DetailsLink): string {
  const mode = order?.standing?.mode ?? 'away';
  if (state === null) return detailsOfLines([MODES[mode]]);
  const at = (ms: number | null): string => (ms === null ? 'never' : momentText(ms));
  return detailsOfLines([
    `**${state.level}** since ${momentText(state.sinceMs)}: ${markdownText(state.reason)}`,
    '',
    MODES[mode],
    '',
    `- last sample: ${at(state.sampledAtMs)}${state.missing > 0 ? `, ${state.missing} since then without an answer` : ''}`,
    `- last probe: ${at(state.probedAtMs)}${state.probeMs === null ? '' : `, ${Math.round(state.probeMs)} ms`}`,
    `- calls in flight at the last sample: ${state.inFlight}`,
    '',
    `Its instance: ${linkText(instance.name, instance.url)}`,
  ]);
}
