/**
 * Serves one model host: waits until it proves itself, then runs its class workers until the process ends.
 */
import { Worker } from '@temporalio/worker';
import { asDeckhandError, DeckhandError } from '../../domain/errors.ts';
import { pinModels, type ModelHost } from '../../activities/models/host/model-host.ts';
import type { AnalysisContexts } from '../../activities/models/plan/analysis-context.ts';
import { ModelCallRunner } from '../../activities/models/run-call.ts';
import { createTextActivities } from '../../activities/text/activities.ts';
import { createVisionActivities } from '../../activities/vision/activities.ts';
import { pause } from '../../platform/pause.ts';
import { runUntilStopped, type WorkerProcess } from '../support/worker-process.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;
const LOOK_INTERVAL_MS = 5000;

/** Runs until the process ends. A host that is not ready is asked again; it is not routed to before it proved itself. */
export async function serveHost(process: WorkerProcess, host: ModelHost, contexts: AnalysisContexts): Promise<void> {
  const { db, blobs, log: parentLog, options, config, stopping } = process;
  const log = parentLog.child({ host: host.name });
  const runner = new ModelCallRunner({ db, blobs, host, contexts, log });
  // Workers are made while the host proves itself, and poll only afterwards.
  const shared = { ...options, maxConcurrentActivityTaskExecutions: config.modelConcurrency };
  const [workers] = await Promise.all([
    Promise.all([
      Worker.create({ ...shared, taskQueue: 'gpu-visual', activities: { ...createVisionActivities(runner) } }),
      Worker.create({ ...shared, taskQueue: 'gpu-text', activities: { ...createTextActivities(runner) } }),
    ]),
    untilReady(process, host, log),
  ]);
  log.info({ url: host.url }, 'serving');
  await Promise.all([runUntilStopped(workers, stopping), keepPinned(process, host, log)]);
}

async function untilReady(
  { db, config, stopping }: WorkerProcess,
  host: ModelHost,
  log: WorkerProcess['log'],
): Promise<void> {
  for (let pauseMs = FIRST_PAUSE_MS; !stopping.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      const differing = await pinModels(db, host, config.models, { repin: false, signal: stopping });
      const first = differing[0];
      if (first === undefined) return;
      throw new DeckhandError(
        'model_not_ready',
        `${first.modelName} is pinned to ${first.pinned.slice(0, 12)}, ${host.name} holds ${first.found.slice(0, 12)}`,
        {
          hint: 'Pull the pinned version, or accept this one with `./deckhand models --pin`.',
        },
      );
    } catch (error) {
      if (stopping.aborted) return;
      const { code, message, hint } = asDeckhandError(error);
      log.warn({ code, hint, error: message, url: host.url }, 'model host is not ready');
      await pause(pauseMs, stopping);
    }
  }
}

/** While serving: pins what an operator unpinned, and says so when the host's models are no longer the pinned ones. */
async function keepPinned(
  { db, config, stopping }: WorkerProcess,
  host: ModelHost,
  log: WorkerProcess['log'],
): Promise<void> {
  while (!stopping.aborted) {
    await pause(LOOK_INTERVAL_MS, stopping);
    if (stopping.aborted) return;
    try {
      const differing = await pinModels(db, host, config.models, { repin: false, signal: stopping });
      for (const model of differing)
        log.warn(model, 'the host holds another version than the pinned one; its calls wait');
    } catch (error) {
      // A host or database that is away is noticed by the calls themselves, which are retried.
      log.debug({ err: error }, 'models were not looked at');
    }
  }
}
