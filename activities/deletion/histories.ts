/**
 * Runs as Temporal keeps them: found without its search, which shows new runs late, ended, and deleted for good.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { isGrpcServiceError, type Client } from '@temporalio/client';
import { DeckhandError } from '../../domain/errors.ts';

/** Codes of gRPC. */
const NOT_FOUND = 5;
const INVALID_ARGUMENT = 3;
/** Statuses in Temporal's API that mean that a run goes on: running, paused. */
const OPEN_STATUSES: ReadonlySet<number> = new Set([1, 8]);

const CALL_DEADLINE_MS = 5000;
const PAGE_SIZE = 100;
/** The server deletes in the background, within milliseconds; after this the next try of the activity looks again. */
const GONE_WITHIN_MS = 10_000;
const GONE_LOOK_MS = 50;

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
    await this.#unlessGone((service, namespace) =>
      service.terminateWorkflowExecution({ namespace, workflowExecution: { workflowId }, reason: REASON }),
    );
  }

  /**
   * Deletes every run of a workflow id and waits until they are gone. A run that goes on is terminated first.
   *
   * @returns how many there were
   * @throws DeckhandError `service_unavailable` when the server has not deleted one of them yet
   */
  async remove(workflowId: string): Promise<number> {
    if ((await this.isOpen(workflowId)) === true) await this.terminate(workflowId);
    const runIds = await this.#runsOf(workflowId);
    // Oldest first: as long as the newest is there, the others can be found by it.
    let deleted = 0;
    for (const runId of runIds) {
      const answer = await this.#unlessGone((service, namespace) =>
        service.deleteWorkflowExecution({ namespace, workflowExecution: { workflowId, runId } }),
      );
      if (answer !== null) deleted += 1;
    }
    for (const runId of runIds) await this.#gone(workflowId, runId);
    return deleted;
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

  async #describe(workflowId: string, runId = ''): Promise<{ readonly runId: string; readonly open: boolean } | null> {
    const found = await this.#unlessGone((service, namespace) =>
      service.describeWorkflowExecution({ namespace, execution: { workflowId, runId } }),
    );
    const info = found?.workflowExecutionInfo;
    const foundRunId = info?.execution?.runId ?? '';
    return foundRunId === '' ? null : { runId: foundRunId, open: OPEN_STATUSES.has(Number(info?.status)) };
  }

  async #gone(workflowId: string, runId: string): Promise<void> {
    for (let waitedMs = 0; waitedMs < GONE_WITHIN_MS; waitedMs += GONE_LOOK_MS) {
      if ((await this.#describe(workflowId, runId)) === null) return;
      await delay(GONE_LOOK_MS);
    }
    throw new DeckhandError('service_unavailable', `run ${runId} of ${workflowId} is still there after its deletion`);
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
