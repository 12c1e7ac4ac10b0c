/**
 * Serves one model server that runs already, for as long as the process runs.
 */
import { urlMachine } from '../../activities/gateway/machine.ts';
import { CallTally } from '../../activities/models/host/call-tally.ts';
import type { AnalysisContexts } from '../../activities/models/plan/analysis-context.ts';
import { DeckhandError } from '../../domain/errors.ts';
import { GPU_CLASSES } from '../../domain/model-tasks.ts';
import type { WorkerProcess } from '../support/worker-process.ts';
import { Attachment } from './attachment.ts';
import { Endings, whenAborted } from './endings.ts';

/** Runs until the process ends. A host that is not ready is asked again; it is not routed to before it proved itself. */
export async function serveHost(
  process: WorkerProcess,
  contexts: AnalysisContexts,
  target: { readonly name: string; readonly url: string },
): Promise<void> {
  const endings = new Endings();
  const ending = new DeckhandError('service_unavailable', 'the gateway ends');
  const stopListening = whenAborted(process.stopping, () => endings.handOver(ending));
  try {
    await new Attachment({
      process,
      contexts,
      log: process.log.child({ host: target.name }),
      name: target.name,
      machine: urlMachine(target.url),
      classes: GPU_CLASSES,
      rented: false,
      slots: process.config.modelConcurrency,
      tally: new CallTally(),
      endings,
      proveTimeoutMs: null,
      drainTimeoutMs: 0,
      onProved: () => Promise.resolve(),
      onFailed: () => Promise.resolve(),
    }).run();
  } finally {
    stopListening();
  }
  if (endings.error !== null && endings.error !== ending) throw endings.error;
}
