/**
 * The diagnosis of this machine: its driver, and the Ollama of OLLAMA_HOST, or without it a server of another protocol in DECKHAND_STATIC_HOSTS.
 * It needs no running Deckhand, so it knows the models that come with Deckhand and those of the models file, not those of a database.
 */
import { execFile } from 'node:child_process';
import { collectGpuFacts } from '../../activities/gateway/gpu-facts.ts';
import type { MachineShell } from '../../activities/gateway/machine.ts';
import { Egress, reachWith } from '../../activities/models/client/egress.ts';
import { openModelServer, type ServerPlace } from '../../activities/models/client/open.ts';
import { DeckhandError } from '../../domain/errors.ts';
import { diagnose } from '../../domain/health/gpu/diagnosis/diagnose.ts';
import type { GpuDiagnosis } from '../../domain/health/gpu/diagnosis/finding.ts';
import { type Config, DEFAULT_OLLAMA_URL } from '../../platform/config.ts';
import { isLoopbackUrl } from '../../platform/loopback.ts';
import { serverAt } from '../../domain/models/server-kind.ts';
import { tasksOfProfile } from '../../domain/models/catalog/lookup.ts';
import { languageProfile } from '../../domain/models/catalog/presets.ts';
import { knownCatalog } from '../../platform/models-file.ts';

const LOAD_LIMIT_MS = 180_000;
const GENERATION_LIMIT_MS = 60_000;

/**
 * See the file's header.
 *
 * @param options.generation have a model generate, too
 * @throws the signal's reason when cancelled
 */
export async function diagnoseLocally(
  config: Config,
  options: { readonly generation: boolean; readonly signal: AbortSignal },
): Promise<GpuDiagnosis> {
  const { signal } = options;
  const place = serverInUse(config);
  const configured = new Map(
    tasksOfProfile(knownCatalog(config), languageProfile(config.models)).map((c) => [c.modelName, c]),
  );
  const facts = await collectGpuFacts({
    target: 'local',
    server: openModelServer({ ...place, egress: new Egress(reachWith(config.dataLeavesHost)) }),
    // The driver of this machine says nothing of a server elsewhere.
    shell: isLoopbackUrl(place.url) ? localShell : null,
    models: [...configured.values()].map(({ modelName, numCtx, weightsGib, kvCacheGibPerSlot }) => ({
      name: modelName,
      numCtx,
      weightsGib,
      kvCacheGibPerSlot,
      loadTimeoutMs: LOAD_LIMIT_MS,
      attemptTimeoutMs: GENERATION_LIMIT_MS,
    })),
    parallel: config.modelConcurrency,
    generate: options.generation ? (run) => run(signal) : null,
    signal,
  });
  return diagnose(facts);
}

/** Another server than an Ollama is one of those that run already. */
function serverInUse({ ollamaHost, staticHosts = [] }: Config): ServerPlace {
  const other = staticHosts.map(serverAt).find(({ kind }) => kind !== 'ollama');
  return ollamaHost === undefined && other !== undefined
    ? other
    : { kind: 'ollama', url: ollamaHost ?? DEFAULT_OLLAMA_URL };
}

const localShell: MachineShell = {
  run: (command, signal, limits = {}) =>
    new Promise((resolve, reject) => {
      const { outputChars = 4000, timeoutMs = 30_000 } = limits;
      const options = { signal, timeout: timeoutMs, maxBuffer: outputChars * 4 };
      execFile('/bin/sh', ['-c', command], options, (error, stdout, stderr) => {
        if (signal.aborted) reject(signal.reason as Error);
        else if (error === null || typeof error.code === 'number')
          resolve({ exitCode: Number(error?.code ?? 0), output: `${stdout}${stderr}`.slice(0, outputChars) });
        else
          reject(
            new DeckhandError('host_not_ready', `this machine cannot be looked into: ${error.message}`, {
              cause: error,
            }),
          );
      });
    }),
};
