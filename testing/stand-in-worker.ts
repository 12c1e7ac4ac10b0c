/** A Temporal worker in the test's own process, for workflows that stand in for Deckhand's. */
import { NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { temporalDataConverter } from '../platform/temporal/data-converter.ts';
import type { EncryptionConfig } from '../platform/temporal/payload-keys.ts';
import type { TestNamespace } from './test-servers.ts';

/** Starts a worker that runs the workflows of this file; it ends with the returned function. */
export async function startStandInWorker(
  { temporalAddress, temporalNamespace }: TestNamespace,
  config: EncryptionConfig,
  { taskQueue, workflowsPath }: { readonly taskQueue: string; readonly workflowsPath: string },
): Promise<() => Promise<void>> {
  Runtime.install({ logger: { log: noLog, trace: noLog, debug: noLog, info: noLog, warn: noLog, error: noLog } });
  const connection = await NativeConnection.connect({ address: temporalAddress });
  const worker = await Worker.create({
    connection,
    namespace: temporalNamespace,
    dataConverter: temporalDataConverter(config),
    taskQueue,
    workflowsPath,
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
