/** The API's side of a deck's workflow: start it under its own id, cancel it, see whether it still lives. */
import { defineSearchAttributeKey, WorkflowNotFoundError } from '@temporalio/common';
import type { Client } from '@temporalio/client';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { deckLabel } from '../../domain/deck-label.ts';
import { DeckhandError } from '../../domain/errors.ts';
import { LANGUAGES, MODEL_PROFILES, TASK_TYPES } from '../../domain/model-tasks.ts';
import { DEFAULT_SLA_MS } from '../../domain/priority.ts';
import type { PrismaClient } from '../../generated/prisma/client.ts';
import { CONTROL_QUEUE, DECK_WORKFLOW } from '../../workflows/deck/contract.ts';
import type { DeckWorkflowInput } from '../../workflows/deck/contract.ts';
import { memberOf } from '../report/parts.ts';
import type { AnalysisWithDeck } from './status.ts';

/** Longest wait for Temporal within one request. */
const CALL_DEADLINE_MS = 5000;

/** Search attributes are in clear on the server: opaque ids only. */
const ATTRIBUTES = {
  deckId: defineSearchAttributeKey('DeckId', 'KEYWORD'),
  analysisId: defineSearchAttributeKey('AnalysisId', 'KEYWORD'),
  tenant: defineSearchAttributeKey('Tenant', 'KEYWORD'),
};

/** What a call to Temporal that got no answer means to whoever asked. */
export const unreachable = (cause: unknown): DeckhandError =>
  new DeckhandError('service_unavailable', `Temporal: ${cause instanceof Error ? cause.message : String(cause)}`, {
    userMessage: 'The workflow engine did not take the request.',
    hint: 'Check it with `./deckhand doctor` and try again.',
    cause,
  });

/** What a run is started with beside its row. */
export interface StartDeps {
  readonly db: PrismaClient;
  readonly temporal: Client;
  /** Within this time a deck is to be done; the domain's default when absent. */
  readonly config?: { readonly slaMs: number };
}

function inputOf(row: AnalysisWithDeck, fairnessWeight: number, slaMs: number): DeckWorkflowInput {
  return {
    tenantId: row.tenantId,
    analysisId: row.id,
    deckId: row.deckId,
    language: memberOf(LANGUAGES, row.language) ?? 'en',
    profile: memberOf(MODEL_PROFILES, row.modelProfile) ?? 'reader',
    priority: row.priority,
    requestedTemplate: row.requestedTemplate,
    taskType: memberOf(TASK_TYPES, row.taskType),
    deckLabel: labelOf(row),
    fairnessWeight,
    slaMs,
  };
}

const labelOf = ({ deck }: AnalysisWithDeck): string => deckLabel(deck.fileName, deck.pageCount);

/**
 * Starts the run of a row. Repeating it starts nothing twice, neither while it runs nor after it ended.
 *
 * @returns false when a run of this id is over already
 * @throws DeckhandError `service_unavailable`
 */
export async function startWorkflow({ db, temporal, config }: StartDeps, row: AnalysisWithDeck): Promise<boolean> {
  const { fairnessWeight } = await db.tenant.findUniqueOrThrow({
    where: { id: row.tenantId },
    select: { fairnessWeight: true },
  });
  try {
    await temporal.withDeadline(Date.now() + CALL_DEADLINE_MS, () =>
      temporal.workflow.start(DECK_WORKFLOW, {
        taskQueue: CONTROL_QUEUE,
        workflowId: row.workflowId,
        args: [inputOf(row, fairnessWeight, config?.slaMs ?? DEFAULT_SLA_MS)],
        workflowIdConflictPolicy: 'USE_EXISTING',
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        priority: { priorityKey: row.priority, fairnessKey: row.tenantId, fairnessWeight },
        typedSearchAttributes: [
          { key: ATTRIBUTES.deckId, value: row.deckId },
          { key: ATTRIBUTES.analysisId, value: row.id },
          { key: ATTRIBUTES.tenant, value: row.tenantId },
        ],
        staticSummary: `${row.taskType ?? 'Review'} of ${labelOf(row)}`,
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw unreachable(error);
  }
}

/**
 * Asks a run to cancel.
 *
 * @returns false when there is no such run any more
 * @throws DeckhandError `service_unavailable`
 */
export async function cancelWorkflow(temporal: Client, workflowId: string): Promise<boolean> {
  try {
    await temporal.withDeadline(Date.now() + CALL_DEADLINE_MS, () => temporal.workflow.getHandle(workflowId).cancel());
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw unreachable(error);
  }
}

/**
 * Tells a run something. It hears of it also when no worker is there now.
 *
 * @returns false when there is no such run any more, or not yet
 * @throws DeckhandError `service_unavailable`
 */
export async function signalWorkflow<Payload>(
  temporal: Client,
  workflowId: string,
  signal: string,
  payload: Payload,
): Promise<boolean> {
  try {
    await temporal.withDeadline(Date.now() + CALL_DEADLINE_MS, () =>
      temporal.workflow.getHandle(workflowId).signal<[Payload]>(signal, payload),
    );
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw unreachable(error);
  }
}

/** What Temporal knows of a run: `running`, the name of its end, or `absent`. @throws DeckhandError `service_unavailable` */
export async function workflowState(temporal: Client, workflowId: string): Promise<string> {
  try {
    const found = await temporal.withDeadline(Date.now() + CALL_DEADLINE_MS, () =>
      temporal.workflow.getHandle(workflowId).describe(),
    );
    return found.status.name.toLowerCase();
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'absent';
    throw unreachable(error);
  }
}

/** Asks Temporal whether it answers. @throws DeckhandError `service_unavailable` */
export async function pingTemporal(temporal: Client, deadlineMs: number): Promise<void> {
  try {
    await temporal.withDeadline(Date.now() + deadlineMs, () => temporal.workflowService.getSystemInfo({}));
  } catch (error) {
    throw unreachable(error);
  }
}
