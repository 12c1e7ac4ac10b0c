/** Runs as Temporal keeps them: ended, and deleted for good. They are found by their ids first, because its search shows new ones late. */
import { isGrpcServiceError, type Client } from '@temporalio/client';

/** Codes of gRPC. */
const NOT_FOUND = 5;
const INVALID_ARGUMENT = 3;
/** Statuses in Temporal's API that mean that a run goes on: running, paused. */
const OPEN_STATUSES: ReadonlySet<number> = new Set([1, 8]);

const CALL_DEADLINE_MS = 5000;
const PAGE_SIZE = 100;
const REASON = 'its deck is being deleted';

/** The runs of one namespace. */
export class Histories {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Whether the newest run of a workflow id goes on; null when there is none. */
  async isOpen(workflowId: string): Promise<boolean | null> {
    const run = await this.#describe(workflowId);
    return run === null ? null : run.open;
  }

  /** Asks the newest run to cancel. One that has ended is left as it is. */
  async cancel(workflowId: string): Promise<void> {
    await this.#unlessGone((service, namespace) =>
      service.requestCancelWorkflowExecution({ namespace, workflowExecution: { workflowId }, reason: REASON }),
    );
  }

  /** Ends the newest run at once. One that has ended is left as it is. */
  async terminate(workflowId: string): Promise<void> {
    if ((await this.isOpen(workflowId)) !== true) return;
    await this.#unlessGone((service, namespace) =>
      service.terminateWorkflowExecution({ namespace, workflowExecution: { workflowId }, reason: REASON }),
    );
  }

  /**
   * Has every run of a workflow id deleted; one that goes on is terminated first. What the server has accepted it carries out by itself, also
   * after a crash, up to a minute later: it waits until the end of a run has gone through all of its queues.
   *
   * @returns how many there were
   */
  async remove(workflowId: string): Promise<number> {
    await this.terminate(workflowId);
    let removed = 0;
    // Oldest first: as long as the newest is there, the others can be found by it.
    for (const runId of await this.#runsOf(workflowId)) {
      const answer = await this.#unlessGone((service, namespace) =>
        service.deleteWorkflowExecution({ namespace, workflowExecution: { workflowId, runId } }),
      );
      if (answer !== null) removed += 1;
    }
    return removed;
  }

  /** Workflow ids of the runs that carry a deck's id, as far as Temporal's search knows them. */
  async ofDeck(deckId: string): Promise<string[]> {
    try {
      const found = await this.#list(`DeckId = ${JSON.stringify(deckId)}`);
      return [...new Set(found.map((run) => run.workflowId))];
    } catch (error) {
      // A server of somebody else's that refused our search attributes: what can be found there was found by its id.
      if (isGrpcServiceError(error) && Number(error.code) === INVALID_ARGUMENT) return [];
      throw error;
    }
  }

  /** Every run of a workflow id, oldest first: the newest and those it continues, and whatever else the search knows. */
  async #runsOf(workflowId: string): Promise<string[]> {
    const newest = await this.#describe(workflowId);
    const chain: string[] = [];
    for (let runId = newest?.runId; runId !== undefined && !chain.includes(runId);) {
      chain.unshift(runId);
      runId = await this.#previousOf(workflowId, runId);
    }
    const searched = await this.#list(`WorkflowId = ${JSON.stringify(workflowId)}`);
    const others = searched.map((run) => run.runId).filter((runId) => !chain.includes(runId));
    return [...new Set(others), ...chain];
  }

  /** The run that this one continues; undefined for the first, and when it is gone. */
  async #previousOf(workflowId: string, runId: string): Promise<string | undefined> {
    const found = await this.#unlessGone((service, namespace) =>
      service.getWorkflowExecutionHistory({ namespace, execution: { workflowId, runId }, maximumPageSize: 1 }),
    );
    const start = found?.history?.events?.[0]?.workflowExecutionStartedEventAttributes;
    const previous = start?.continuedExecutionRunId ?? '';
    return previous === '' ? undefined : previous;
  }

  async #describe(workflowId: string): Promise<{ readonly runId: string; readonly open: boolean } | null> {
    const found = await this.#unlessGone((service, namespace) =>
      service.describeWorkflowExecution({ namespace, execution: { workflowId } }),
    );
    const info = found?.workflowExecutionInfo;
    const runId = info?.execution?.runId ?? '';
    return runId === '' ? null : { runId, open: OPEN_STATUSES.has(Number(info?.status)) };
  }

  async #list(query: string): Promise<{ readonly workflowId: string; readonly runId: string }[]> {
    const runs: { workflowId: string; runId: string }[] = [];
    let nextPageToken: Uint8Array | undefined;
    do {
      const page = await this.#call((service, namespace) =>
        service.listWorkflowExecutions({
          namespace,
          query,
          pageSize: PAGE_SIZE,
          ...(nextPageToken === undefined ? {} : { nextPageToken }),
        }),
      );
      for (const { execution } of page.executions ?? []) {
        if (execution?.workflowId && execution.runId) {
          runs.push({ workflowId: execution.workflowId, runId: execution.runId });
        }
      }
      nextPageToken = page.nextPageToken?.length ? page.nextPageToken : undefined;
    } while (nextPageToken !== undefined);
    return runs;
  }

  /** The answer of a call; null when what it is about is not there. */
  async #unlessGone<T>(call: (service: Service, namespace: string) => Promise<T>): Promise<T | null> {
    try {
      return await this.#call(call);
    } catch (error) {
      if (isGrpcServiceError(error) && Number(error.code) === NOT_FOUND) return null;
      throw error;
    }
  }

  #call<T>(call: (service: Service, namespace: string) => Promise<T>): Promise<T> {
    const { workflowService, options } = this.#client;
    return this.#client.withDeadline(Date.now() + CALL_DEADLINE_MS, () => call(workflowService, options.namespace));
  }
}

type Service = Client['workflowService'];
