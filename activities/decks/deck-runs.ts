/** Controls the workflow of an analysis from outside: start it under its own id, cancel it, signal it, ask whether it runs. */
import { WorkflowNotFoundError, type SearchAttributePair } from '@temporalio/common';
import type { Client, WorkflowHandle } from '@temporalio/client';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { deckLabel } from '../../domain/decks/deck-label.ts';
import { LANGUAGES, TASK_TYPES } from '../../domain/models/model-tasks.ts';
import { DEFAULT_SLA_MS } from '../../domain/decks/priority.ts';
import { STAGES } from '../../domain/decks/stage-graph.ts';
import { templateAttribute, type DeckStatus } from '../../domain/temporal/search-attributes.ts';
import { boundedSummary, deckFacts } from '../../domain/temporal/run-details.ts';
import type { Analysis, Prisma, PrismaClient } from '../../generated/prisma/client.ts';
import type { Config } from '../../platform/config.ts';
import { reportUrl } from '../../platform/links.ts';
import { DECK_WORKFLOW } from '../../contracts/decks.ts';
import { CONTROL_QUEUE } from '../../contracts/queues.ts';
import type { DeckWorkflowInput } from '../../contracts/decks.ts';
import { ATTRIBUTES } from '../../contracts/search-attributes.ts';
import { memberOf } from '../../domain/text/member-of.ts';
import { unreachable } from '../../platform/temporal/unreachable.ts';

/** What a summary, and the start of a run, need of the deck. */
export const withDeck = {
  deck: { select: { fileName: true, pageCount: true } },
  rollout: { select: { name: true } },
} satisfies Prisma.AnalysisInclude;
export type AnalysisWithDeck = Analysis & {
  readonly deck: { readonly fileName: string; readonly pageCount: number | null };
  readonly rollout: { readonly name: string } | null;
};

/** Longest wait for Temporal within one request. */
const CALL_DEADLINE_MS = 5000;

/** What a run is started with beside its row. */
export interface StartDeps {
  readonly db: PrismaClient;
  readonly temporal: Client;
  /** The time within which a deck is to be done, and the address of its report; absent = the default, and no address. */
  readonly config?: Pick<Config, 'slaMs' | 'publicUrl' | 'apiPort' | 'temporalUiUrl'>;
}

function inputOf(
  row: AnalysisWithDeck,
  { fairnessWeight, config }: { readonly fairnessWeight: number; readonly config: StartDeps['config'] | undefined },
): DeckWorkflowInput {
  return {
    tenantId: row.tenantId,
    analysisId: row.id,
    deckId: row.deckId,
    language: memberOf(LANGUAGES, row.language) ?? 'en',
    profile: row.modelProfile,
    priority: row.priority,
    requestedTemplate: row.requestedTemplate,
    taskType: memberOf(TASK_TYPES, row.taskType),
    deckLabel: labelOf(row),
    fairnessWeight,
    slaMs: config?.slaMs ?? DEFAULT_SLA_MS,
    reportUrl: config === undefined ? null : reportUrl(config, row.id),
    ...(row.deadlineAt === null ? {} : { deadlineAtMs: row.deadlineAt.getTime() }),
    ...(row.poolName === null ? {} : { poolName: row.poolName }),
    ...(config?.temporalUiUrl === undefined ? {} : { uiUrl: config.temporalUiUrl }),
  };
}

const labelOf = ({ deck }: AnalysisWithDeck): string => deckLabel(deck.fileName, deck.pageCount);

/** What a run can be searched by from its start; the run updates them. */
function attributesOf(row: AnalysisWithDeck): SearchAttributePair[] {
  const { deckId, tenantId, requestedTemplate } = row;
  return [
    { key: ATTRIBUTES.tenant, value: tenantId },
    { key: ATTRIBUTES.deckId, value: deckId },
    { key: ATTRIBUTES.analysisId, value: row.id },
    { key: ATTRIBUTES.stage, value: STAGES[0] },
    { key: ATTRIBUTES.deckStatus, value: 'running' satisfies DeckStatus },
    ...(requestedTemplate === null
      ? []
      : [{ key: ATTRIBUTES.template, value: templateAttribute(requestedTemplate, null) }]),
  ];
}

/** The fixed summary and details of a run in the Temporal UI. */
function staticTexts(
  row: AnalysisWithDeck,
  input: DeckWorkflowInput,
): { staticSummary: string; staticDetails: string } {
  const label = labelOf(row);
  const task = row.taskType ?? 'Review';
  return {
    staticSummary: boundedSummary(`${row.replayOfId === null ? task : `Replay (${task})`} of ${label}`),
    staticDetails: deckFacts({
      label,
      task,
      language: row.language,
      models: row.modelProfile,
      template: row.requestedTemplate,
      priority: row.priority,
      analysisId: row.id,
      deckId: row.deckId,
      replayOf: row.replayOfId,
      reportUrl: input.reportUrl ?? null,
    }),
  };
}

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
  const input = inputOf(row, { fairnessWeight, config });
  try {
    await temporal.withDeadline(Date.now() + CALL_DEADLINE_MS, () =>
      temporal.workflow.start(DECK_WORKFLOW, {
        taskQueue: CONTROL_QUEUE,
        workflowId: row.workflowId,
        args: [input],
        workflowIdConflictPolicy: 'USE_EXISTING',
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        priority: { priorityKey: row.priority, fairnessKey: row.tenantId, fairnessWeight },
        typedSearchAttributes: attributesOf(row),
        ...staticTexts(row, input),
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw unreachable(error);
  }
}

/** Asks Temporal something of a run. @returns null when there is no such run @throws DeckhandError `service_unavailable` */
async function ofRun<T>(
  temporal: Client,
  workflowId: string,
  ask: (run: WorkflowHandle) => Promise<T>,
): Promise<T | null> {
  try {
    return await temporal.withDeadline(Date.now() + CALL_DEADLINE_MS, () =>
      ask(temporal.workflow.getHandle(workflowId)),
    );
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw unreachable(error);
  }
}

/**
 * Asks a run to cancel.
 *
 * @returns false when there is no such run any more
 * @throws DeckhandError `service_unavailable`
 */
export const cancelWorkflow = async (temporal: Client, workflowId: string): Promise<boolean> =>
  (await ofRun(temporal, workflowId, (run) => run.cancel())) !== null;

/**
 * Sends a signal to a run. It is delivered also when no worker runs now.
 *
 * @returns false when there is no such run any more, or not yet
 * @throws DeckhandError `service_unavailable`
 */
export const signalWorkflow = async <Payload>(
  temporal: Client,
  workflowId: string,
  signal: string,
  payload: Payload,
): Promise<boolean> =>
  (await ofRun(temporal, workflowId, async (run) => {
    await run.signal<[Payload]>(signal, payload);
    return true;
  })) === true;

/** What Temporal knows of a run: `running`, the name of its end, or `absent`. @throws DeckhandError `service_unavailable` */
export async function workflowState(temporal: Client, workflowId: string): Promise<string> {
  const found = await ofRun(temporal, workflowId, (run) => run.describe());
  return found?.status.name.toLowerCase() ?? 'absent';
}
