/** Models in the readiness check: missing models are pulled, and each must have the pinned digest. */
import { asDeckhandError } from '../../domain/errors.ts';
import { pinModels, type PinDifference } from '../models/host/model-host.ts';
import type { RequiredModel } from '../models/host/required-models.ts';
import { failed, type ReadinessOptions, type ReadinessResult } from './readiness-result.ts';
import { PullPercent } from './pull-percent.ts';
import { shownDigest } from '../../domain/models/identity.ts';

/** Pulls a model where it is missing. Null = the machine has it. */
export async function bringModel(model: RequiredModel, options: ReadinessOptions): Promise<ReadinessResult | null> {
  const { host, signal } = options;
  try {
    await host.server.inspect(model.name, { signal });
    return null;
  } catch (error) {
    const { code } = asDeckhandError(error);
    if (code !== 'model_not_ready') return failed(signal, error, 'unreachable', false);
    // Others serve what they were started with: waiting does not help a machine that was set up for another model.
    if (host.server.kind !== 'ollama') return failed(signal, error, 'model_missing', options.rented);
    if (options.rented) return pull(model, options);
    return failed(signal, error, 'model_missing', false, `run \`ollama pull ${model.name}\` there`);
  }
}

async function pull(model: RequiredModel, options: ReadinessOptions): Promise<ReadinessResult | null> {
  const { host, signal, onStage } = options;
  const percent = new PullPercent();
  const report = (): void => onStage({ state: 'pulling', message: `pulling ${model.name}`, percent: percent.value });
  report();
  try {
    await host.server.pull(model.name, {
      signal,
      onProgress: (progress) => {
        percent.add(progress);
        report();
      },
    });
    host.forget(model.name);
    return null;
  } catch (error) {
    // No registry has the model, so waiting does not help.
    const unknown = /file does not exist|manifest unknown/iu.test(asDeckhandError(error).message);
    return failed(signal, error, 'model_missing', unknown);
  }
}

/** Compares digests; null = all match. A machine woken from an old disk gets one pull before a mismatch counts. */
export async function comparePins(
  models: readonly RequiredModel[],
  options: ReadinessOptions,
): Promise<ReadinessResult | null> {
  const { db, host, profile, signal } = options;
  options.onStage({ state: 'proving', message: 'comparing model digests' });
  const look = async (): Promise<PinDifference[]> => {
    for (const model of models) host.forget(model.name);
    return pinModels(db, host, profile, { repin: false, signal, modelNames: models.map((m) => m.name) });
  };
  let differing: PinDifference[];
  try {
    differing = await look();
  } catch (error) {
    return failed(signal, error, 'unreachable', false);
  }
  if (options.rented && host.server.kind === 'ollama' && differing.length > 0) {
    for (const model of models.filter((m) => differing.some((d) => d.modelName === m.name))) {
      const missing = await pull(model, options);
      if (missing !== null) return missing;
    }
    try {
      differing = await look();
    } catch (error) {
      return failed(signal, error, 'unreachable', false);
    }
  }
  const first = differing[0];
  if (first === undefined) return null;
  return {
    ready: false,
    failure: 'wrong_digest',
    message: `${first.modelName} is pinned to ${shownDigest(first.pinned)}, ${host.name} holds ${shownDigest(first.found)}; accept it with \`./deckhand models --pin\``,
    certain: true,
  };
}
