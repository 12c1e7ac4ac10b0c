/** Starts instance workflows and sends them requests. Repeating either changes nothing. */
import {
  defineSignal,
  getExternalWorkflowHandle,
  log,
  ParentClosePolicy,
  startChild,
  type ExternalWorkflowHandle,
} from '@temporalio/workflow';
import { ApplicationFailure, WorkflowExecutionAlreadyStartedError, WorkflowIdReusePolicy } from '@temporalio/common';
import type { HealthAsk } from '../../../domain/fleet/instance-life/types.ts';
import { boundedSummary, detailsOfLines, markdownText } from '../../../domain/temporal/run-details.ts';
import {
  INSTANCE_WORKFLOW,
  HEALTH_REQUEST_SIGNAL,
  makeInstanceWorkflowId,
  REQUEST_SIGNAL,
  type InstanceAsk,
  type InstanceWorkflowInput,
} from '../../../contracts/instance.ts';
import { ATTRIBUTES } from '../../../contracts/search-attributes.ts';

const requestSignal = defineSignal<[InstanceAsk]>(REQUEST_SIGNAL);

const healthRequestSignal = defineSignal<[HealthAsk]>(HEALTH_REQUEST_SIGNAL);

/** Starts an instance workflow that does not end with the pool's run. If one of this name runs already, it is the one that was meant. */
export async function startInstance(input: InstanceWorkflowInput): Promise<void> {
  const { name, pool, staticUrl } = input;
  try {
    await startChild(INSTANCE_WORKFLOW, {
      workflowId: makeInstanceWorkflowId(name),
      args: [input],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
      typedSearchAttributes: [{ key: ATTRIBUTES.pool, value: pool.name }],
      staticSummary: boundedSummary(staticUrl === null ? `Instance ${name}` : `Server ${name} at ${staticUrl}`),
      staticDetails: instanceFacts(input),
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    log.info('this instance runs already', { name });
  }
}

/** Fixed facts of an instance, for the Temporal UI. */
const instanceFacts = ({ pool, provider, staticUrl }: InstanceWorkflowInput): string =>
  detailsOfLines([
    '| | |',
    '|---|---|',
    `| pool | ${markdownText(pool.name)} |`,
    `| serves | ${pool.classes.join(', ')} |`,
    `| provider | ${markdownText(provider)} |`,
    staticUrl === null ? `| takes | ${markdownText(pool.selector)} |` : `| server | ${markdownText(staticUrl)} |`,
  ]);

/** Sends a request to an instance. If it cannot be delivered (the workflow has ended, its history is full), the next round decides anew. */
export const askInstance = (name: string, ask: InstanceAsk): Promise<void> =>
  signalOf(name, ask.request, (handle) => handle.signal(requestSignal, ask));

/** Sends a health request to an instance, as {@link askInstance} does. */
export const askInstanceForHealth = (name: string, ask: HealthAsk): Promise<void> =>
  signalOf(name, ask.request, (handle) => handle.signal(healthRequestSignal, ask));

async function signalOf(
  name: string,
  request: string,
  signal: (handle: ExternalWorkflowHandle) => Promise<void>,
): Promise<void> {
  try {
    await signal(getExternalWorkflowHandle(makeInstanceWorkflowId(name)));
  } catch (error) {
    if (!(error instanceof ApplicationFailure)) throw error;
    log.warn('this instance could not be asked', { name, request, why: error.type ?? error.message });
  }
}
