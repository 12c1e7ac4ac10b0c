/** What a Temporal server holds of a run's story, read as the UI reads it: summaries of its events, and its current details. */
import type { Payload } from '@temporalio/common';
import type { Client } from '@temporalio/client';

/** An event that people should find a line at. */
export interface ToldEvent {
  /** `activity describeSlide`, `timer`, `child instanceLife`. */
  readonly what: string;
  /** Null where there is none. */
  readonly summary: string | null;
}

/** Text of a payload; null for none. */
async function textOf(temporal: Client, payload: Payload | null | undefined): Promise<string | null> {
  if (payload === null || payload === undefined) return null;
  const { payloadCodecs, payloadConverter } = temporal.options.loadedDataConverter;
  let payloads = [payload];
  for (const codec of payloadCodecs.toReversed()) payloads = await codec.decode(payloads);
  const [plain] = payloads;
  return plain === undefined ? null : payloadConverter.fromPayload<string>(plain);
}

/** Every activity, timer and child of a run, and the run itself, with their lines. */
export async function toldEvents(temporal: Client, workflowId: string): Promise<ToldEvent[]> {
  const { events } = await temporal.workflow.getHandle(workflowId).fetchHistory();
  const told: ToldEvent[] = [];
  for (const event of events ?? []) {
    const activity = event.activityTaskScheduledEventAttributes?.activityType?.name;
    const child = event.startChildWorkflowExecutionInitiatedEventAttributes?.workflowType?.name;
    const workflow = event.workflowExecutionStartedEventAttributes?.workflowType?.name;
    const timer = event.timerStartedEventAttributes;
    const what =
      typeof activity === 'string'
        ? `activity ${activity}`
        : typeof child === 'string'
          ? `child ${child}`
          : typeof workflow === 'string'
            ? `workflow ${workflow}`
            : timer === null || timer === undefined
              ? null
              : 'timer';
    if (what !== null) told.push({ what, summary: await textOf(temporal, event.userMetadata?.summary) });
  }
  return told;
}

/** The details that a run shows now. */
export async function currentDetails(temporal: Client, workflowId: string): Promise<string> {
  const metadata: unknown = await temporal.workflow.getHandle(workflowId).query('__temporal_workflow_metadata');
  return (metadata as { readonly currentDetails?: string }).currentDetails ?? '';
}
