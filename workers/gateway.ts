/**
 * Worker process `gateway`: access to model hosts. Here it serves the `static` pool: Ollama servers that run already. Process entry.
 */
import { AnalysisContexts } from '../activities/models/plan/analysis-context.ts';
import { ModelHost } from '../activities/models/host/model-host.ts';
import { DEFAULT_OLLAMA_URL } from '../platform/config.ts';
import { serveHost } from './gateway/serve-host.ts';
import { runWorkerProcess } from './support/worker-process.ts';

await runWorkerProcess('gateway', async (process) => {
  const { config, db } = process;
  const urls = config.staticHosts ?? [config.ollamaHost ?? DEFAULT_OLLAMA_URL];
  const contexts = new AnalysisContexts(db);
  await Promise.all(
    urls.map((url, index) =>
      serveHost(process, new ModelHost({ name: `static-${index}`, url, parallel: config.modelConcurrency }), contexts),
    ),
  );
});
