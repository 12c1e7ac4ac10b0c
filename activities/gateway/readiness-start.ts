/**
 * Waits for the vLLM of a rented machine. It fetches its weights itself, so for minutes nothing answers, and the log of its unit says how far it
 * is.
 */
import { asDeckhandError, DeckhandError } from '../../domain/errors.ts';
import { readVllmState, VLLM_STATE_COMMAND, type VllmState } from '../../domain/health/gpu/vllm-state.ts';
import { pause } from '../../platform/pause.ts';
import type { RequiredModel } from '../models/host/required-models.ts';
import type { ReadinessOptions, ReadinessStage } from './readiness-result.ts';

const POLL_MS = 2000;
const GIB = 1024 ** 3;

/**
 * Asks the model server whether it is there; while a vLLM starts it waits, and says what it does.
 *
 * @returns null = it answers; else why it does not
 * @throws the signal's reason, and what is no fault of the machine
 */
export async function awaitAnswer(
  models: readonly RequiredModel[],
  { host, shell, rented, signal, onStage }: ReadinessOptions,
): Promise<DeckhandError | null> {
  for (;;) {
    try {
      await host.server.version({ signal });
      return null;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof DeckhandError)) throw error;
      if (host.server.kind === 'ollama' || shell === null || !rented) return error;
    }
    let state: VllmState;
    try {
      state = readVllmState((await shell.run(VLLM_STATE_COMMAND, signal)).output);
    } catch (error) {
      signal.throwIfAborted();
      return asDeckhandError(error);
    }
    if (!state.runs)
      return new DeckhandError(
        'host_not_ready',
        state.said === '' ? 'vLLM is not installed yet' : `vLLM does not run: ${state.said}`,
      );
    onStage(stageOf(state, models));
    await pause(POLL_MS, signal);
  }
}

/** The weights of such a machine are those of one model. */
function stageOf({ downloads, weightsBytes, said }: VllmState, [model]: readonly RequiredModel[]): ReadinessStage {
  if (!downloads || model === undefined) return { state: 'proving', message: `vLLM starts: ${said}` };
  const share = weightsBytes / (model.weightsGib * GIB);
  const percent = Number.isFinite(share) ? Math.min(99, Math.round(share * 100)) : 0;
  return { state: 'pulling', message: `downloading the weights of ${model.name}`, percent };
}
