/** A worker that runs the stand-in of the deck workflow. */
import { fileURLToPath } from 'node:url';
import { NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { temporalDataConverter } from '../../../platform/temporal/data-converter.ts';
import { CONTROL_QUEUE } from '../../../workflows/deck/contract.ts';
import type { TestApi } from './support.ts';

const WORKFLOW = fileURLToPath(new URL('./programs/deck-workflow.ts', import.meta.url));

/** Starts the worker; it ends with the returned function. */
export async function startStandInWorker({
  temporalAddress,
  temporalNamespace,
  config,
}: TestApi): Promise<() => Promise<void>> {
  Runtime.install({ logger: { log: noLog, trace: noLog, debug: noLog, info: noLog, warn: noLog, error: noLog } });
  const connection = await NativeConnection.connect({ address: temporalAddress });
  const worker = await Worker.create({
    connection,
    namespace: temporalNamespace,
    dataConverter: temporalDataConverter(config),
    taskQueue: CONTROL_QUEUE,
    workflowsPath: WORKFLOW,
  });
  const running = worker.run();
  return async () => {
    worker.shutdown();
    await running;
    await connection.close();
  };
}

function noLog(): void {
  // The worker's own words are not what these tests are about.
}
