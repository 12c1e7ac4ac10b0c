/** A Temporal worker in the test's own process. */
import { NativeConnection, Runtime, Worker, type WorkerOptions } from '@temporalio/worker';
import { temporalDataConverter } from '../platform/temporal/data-converter.ts';
import type { EncryptionConfig } from '../platform/temporal/payload-keys.ts';
import type { TestNamespace } from './test-servers.ts';

/** The worker's own words are not what tests are about. */
const silent = (): void => undefined;
const SILENT = { log: silent, trace: silent, debug: silent, info: silent, warn: silent, error: silent };
/** A process has one runtime of the workers' library, which takes its logger when it is made. */
let hasRuntime = false;

/** Starts a worker that logs nothing, with the payload keys of this installation; `stop` ends it. */
export async function startTestWorker(
  { temporalAddress, temporalNamespace, config }: TestNamespace & { readonly config: EncryptionConfig },
  options: WorkerOptions,
): Promise<{ stop(): Promise<void> }> {
  if (!hasRuntime) Runtime.install({ logger: SILENT });
  hasRuntime = true;
  const connection = await NativeConnection.connect({ address: temporalAddress });
  const worker = await Worker.create({
    connection,
    namespace: temporalNamespace,
    dataConverter: temporalDataConverter(config),
    ...options,
  });
  const running = worker.run();
  return {
    stop: async () => {
      worker.shutdown();
      await running;
      await connection.close();
    },
  };
}
