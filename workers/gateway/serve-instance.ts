/**
 * `serveInstance`: the durable attachment of one instance, as an activity on queue `gateway`.
 *
 * It ends in two ways. Cancellation drains, and the activity returns the result. Everything else (this gateway ends, its heartbeats were
 * not received, its workflow continued as a new run, a worker broke) is a failure that Temporal retries if the workflow still wants it, so
 * that another gateway takes over; calls in flight are finished unless the process itself ends. A failed readiness check does not end it:
 * it is reported by signal and repeated, and the instance workflow decides.
 */
import { Context } from '@temporalio/activity';
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { ApplicationFailure, type ActivityCancellationDetails } from '@temporalio/common';
import type { GatewayActivities, ServeEnd } from '../../activities/gateway/activities.ts';
import type { Machine } from '../../activities/gateway/machine.ts';
import { carriedCounts, ServingRow } from '../../activities/gateway/serving-row.ts';
import { CallTally } from '../../activities/models/host/call-tally.ts';
import { SharedServers } from '../../activities/models/host/shared-server.ts';
import type { AnalysisContexts } from '../../activities/models/analysis-context.ts';
import { withHeartbeat } from '../../activities/support/heartbeat.ts';
import { DeckhandError } from '../../domain/errors.ts';
import type { PoolConfig } from '../../domain/fleet/pool/pool-config.ts';
import { pause } from '../../platform/pause.ts';
import { temporalClient, temporalTarget } from '../../platform/temporal.ts';
import {
  makeInstanceWorkflowId,
  NOTICE_SIGNAL,
  READINESS_SIGNAL,
  type NoticeReport,
  type ReadinessReport,
  type ServeInput,
} from '../../contracts/instance.ts';
import type { WorkerProcess } from '../support/worker-process.ts';
import { Attachment, NOT_STARTED, type AttachmentStatus } from './attachment.ts';
import { Endings, whenAborted } from './endings.ts';
import { gpuClassesOf } from './nested-workers.ts';
import { PresentEndpoints } from './present-endpoints.ts';

const SIGNAL_RETRY_MS = 1000;
const BEAT_MS = 500;
const RETRY_AT_ONCE_MS = 100;

export interface GatewayDeps {
  readonly process: WorkerProcess;
  readonly contexts: AnalysisContexts;
  /** Pools of the fleet file. */
  readonly fleetPools: readonly PoolConfig[];
  /** Connects to an instance's machine. */
  readonly machineOf: (input: ServeInput, log: WorkerProcess['log']) => Promise<Machine>;
}

/** The activities of queue `gateway`. */
export function createGatewayActivities(deps: GatewayDeps): GatewayActivities {
  const { fleetPools } = deps;
  const { connection, config, db, log } = deps.process;
  const client = temporalClient(connection, temporalTarget(config), config);
  const servers = new SharedServers(config.callLimits);
  const endpoints = new PresentEndpoints({ db, fleetPools, installed: config.models, log });
  return { serveInstance: (input) => serveInstance({ ...deps, client, servers, endpoints }, input) };
}

interface ServeDeps extends GatewayDeps {
  readonly client: Client;
  readonly servers: SharedServers;
  readonly endpoints: PresentEndpoints;
}

async function serveInstance(deps: ServeDeps, began: ServeInput): Promise<ServeEnd> {
  const { process, contexts, client, servers, endpoints } = deps;
  const { db, config, stopping } = process;
  const log = process.log.child({ instance: began.instance, attachment: began.attachment });
  const activity = Context.current();
  const endings = new Endings();
  const stopListening = [
    whenAborted(activity.cancellationSignal, () => {
      if (isWishToEnd(activity.cancellationDetails)) endings.drain();
      else endings.supersede(activity.cancellationSignal.reason as Error);
    }),
    whenAborted(stopping, () => endings.handOver(takeOver())),
  ];
  const signal = <Report>(name: string, report: Report): Promise<void> =>
    signalInstance({ client, log, signal: endings.signal }, began.instance, name, report);
  const tell = (report: ReadinessReport): Promise<void> => signal(READINESS_SIGNAL, report);
  const { attachment: number } = began;
  try {
    return await withHeartbeat<AttachmentStatus, ServeEnd>(NOT_STARTED, async ({ report }) => {
      const input = await endpoints.presentOf(began);
      stopListening.push(endpoints.watch(input, () => endings.handOver(settingsChanged(input))));
      const slots = input.slots ?? config.modelConcurrency;
      const identity = { instance: input.instance, gateway: process.options.identity ?? '', attachment: number };
      const carried = await carriedCounts(db, identity);
      const { lastCallAt, lastProgressAt, stalledInARow } = carried;
      const tally = new CallTally({ finished: carried.finishedCalls, lastCallAt, lastProgressAt, stalledInARow });
      const attachment = new Attachment({
        process,
        contexts,
        log,
        name: input.instance,
        machine: await deps.machineOf(input, log),
        classes: gpuClassesOf(input.classes),
        queuesOf: input.ownQueues === true ? input.pool : null,
        profile: input.models ?? config.models,
        rented: input.rented ?? true,
        runsAlready: input.serverUrl !== undefined,
        provesAnswers: input.endpoint.kind === 'endpoint',
        ...(input.endpoint.kind === 'endpoint' ? { origin: input.endpoint.origin } : {}),
        watchOnly: input.watchOnly ?? false,
        slots,
        sharedServer: () => (input.serverUrl === undefined ? undefined : servers.at(input.serverUrl)),
        tally,
        endings,
        proveTimeoutMs: input.proveTimeoutMs,
        drainTimeoutMs: input.drainTimeoutMs,
        onReady: (facts) => tell({ attachment: number, kind: 'proved', facts }),
        mayBeTakenBack: input.mayBeTakenBack ?? false,
        onNotice: (notice) => signal<NoticeReport>(NOTICE_SIGNAL, { attachment: number, ...notice }),
        onFailed: (failure, message) => tell({ attachment: number, kind: 'failed', failure, message }),
      });
      const row = new ServingRow({
        db,
        identity,
        startedAt: carried.startedAt,
        log,
        read: () => ({
          ...attachment.status,
          inFlight: attachment.inFlight,
          slots: attachment.slots,
          finishedCalls: tally.finished,
          lastCallAt: tally.lastCallAt,
          lastProgressAt: tally.lastProgressAt,
          stalledInARow: tally.stalledInARow,
        }),
      });
      const beat = setInterval(() => report(attachment.status), BEAT_MS);
      row.start();
      // From the hand-over on the row is the next gateway's.
      stopListening.push(
        whenAborted(endings.signal, () => {
          if (!endings.drained) void row.stop(false);
        }),
      );
      try {
        const callsCut = await attachment.run();
        if (!endings.drained) throw endings.error ?? takeOver();
        log.info({ callsCut }, 'drained');
        return { reason: 'drained', callsCut };
      } finally {
        clearInterval(beat);
        await row.stop(endings.drained);
      }
    });
  } finally {
    for (const stop of stopListening) stop();
  }
}

/** True when the workflow wants the attachment to end. Every other cancellation means that this gateway does not have it any more. */
function isWishToEnd(details: ActivityCancellationDetails | undefined): boolean {
  if (details === undefined) return false;
  const { cancelRequested, workerShutdown, timedOut, notFound, paused, reset } = details;
  return cancelRequested && !workerShutdown && !timedOut && !notFound && !paused && !reset;
}

/** Retried at once: another gateway is to take over, however often that happened before. */
const takeOver = (): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'service_unavailable',
    message: 'the gateway ends',
    nextRetryDelay: RETRY_AT_ONCE_MS,
  });

/** Retried at once, with the present settings. */
const settingsChanged = ({ instance }: ServeInput): DeckhandError =>
  new DeckhandError('service_unavailable', `the settings of its server have changed (${instance})`, {
    userMessage: 'The settings of its server have changed.',
    retryAfterMs: RETRY_AT_ONCE_MS,
  });

/** Delivers a report, for as long as it takes and the attachment lasts. */
async function signalInstance<Report>(
  context: { readonly client: Client; readonly log: WorkerProcess['log']; readonly signal: AbortSignal },
  instance: string,
  name: string,
  report: Report,
): Promise<void> {
  const handle = context.client.workflow.getHandle(makeInstanceWorkflowId(instance));
  while (!context.signal.aborted) {
    try {
      await handle.signal<[Report]>(name, report);
      return;
    } catch (error) {
      context.log.warn({ err: error, report: name }, 'a report was not delivered');
      // The workflow has ended; the next heartbeat ends the attachment.
      if (error instanceof WorkflowNotFoundError) return;
      await pause(SIGNAL_RETRY_MS, context.signal);
    }
  }
}
