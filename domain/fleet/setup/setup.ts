/**
 * What a machine that people set up themselves is to run: models and parallel calls for its GPU, or the reason why it cannot.
 */
import { DeckhandError } from '../../errors.ts';
import { counted } from '../../text/words.ts';
import { type EngineName, type EngineNeeds, ENGINES, leastDriverFor } from '../../health/gpu/diagnosis/engines.ts';
import type { ModelNeed } from '../selection/ladder.ts';
import { mostSlots, neededVramGib } from '../selection/model-fit.ts';
import { assertNeedsKnown } from '../../models/footprint/need.ts';
import { isPinnedModel, type PinnedModel } from '../startup-script/models.ts';
import { capabilityOfKind, memoryGib, type OwnGpu } from './gpus.ts';

/** A model of a set-up. */
export interface SetupModel extends ModelNeed {
  /** See {@link PinnedModel}. */
  readonly digest: string;
  /** Window it is loaded with, tokens. */
  readonly numCtx: number;
  readonly loadTimeoutMs: number;
  /** Whether it looks at pictures. */
  readonly seesPictures: boolean;
}

/** What is asked for. */
export interface SetupRequest {
  readonly engine: EngineName;
  /** Null = whichever the machine has. */
  readonly gpu: OwnGpu | null;
  readonly models: readonly SetupModel[];
  /** Parallel calls that Deckhand makes; fewer are set up where no more fit. */
  readonly parallel: number;
}

/** What is set up. */
export interface SetupPlan {
  readonly gpu: OwnGpu | null;
  readonly models: readonly SetupModel[];
  readonly parallel: number;
  readonly loadTimeoutMs: number;
  /** Graphics memory that models and caches need, MiB. */
  readonly neededMib: number;
  readonly leastDriver: number;
  /** GPUs up to a compute capability that need a newer driver; null where the driver above is for the named GPU. */
  readonly olderGpus: EngineNeeds['olderGpus'];
  readonly leastCapability: number;
  /** What people should know of it; one sentence each. */
  readonly notes: readonly string[];
}

/**
 * See the file's header.
 *
 * @throws DeckhandError `model_not_configured` for a model without a digest or a need, `usage` for an engine that is not set up and for a GPU that it does not support, `model_fits_no_offer` for a GPU whose
 *   memory is too small
 */
export function planSetup({ engine, gpu, models, parallel }: SetupRequest): SetupPlan {
  const needs = ENGINES.find((one) => one.engine === engine);
  if (engine !== 'ollama' || needs === undefined)
    throw new DeckhandError(
      'usage',
      `Deckhand prints the set-up of Ollama only, and none of ${needs?.title ?? engine}`,
      {
        hint: '`deckhand setup ollama` prints it. A vLLM of your own is used by its address (DECKHAND_STATIC_HOSTS=openai+http://…); rented machines run it with "engine": "vllm".',
      },
    );
  assertNeedsKnown(models.map((model) => ({ ...model, name: model.modelName })));
  for (const { modelName: name, digest } of models)
    if (!isPinnedModel({ name, digest })) throw new DeckhandError('usage', `${name} cannot stand in a script`);
  const slots = gpu === null ? parallel : slotsOn(gpu, needs, models, parallel);
  return {
    gpu,
    models,
    parallel: slots,
    loadTimeoutMs: Math.max(...models.map((model) => model.loadTimeoutMs)),
    neededMib: Math.ceil(neededVramGib(models, slots) * 1024),
    leastDriver: leastDriverFor(needs, gpu === null ? null : capabilityOfKind(gpu)),
    olderGpus: gpu === null ? needs.olderGpus : null,
    leastCapability: needs.leastCapability,
    notes:
      slots < parallel && gpu !== null
        ? [
            `${counted(slots, 'parallel call')} instead of ${parallel}: no more fit into the ${memoryGib(gpu).toFixed(1)} GiB of the ${gpu.name}. Set DECKHAND_MODEL_CONCURRENCY=${slots}.`,
          ]
        : [],
  };
}

function slotsOn(gpu: OwnGpu, needs: EngineNeeds, models: readonly SetupModel[], parallel: number): number {
  const capability = capabilityOfKind(gpu);
  if (capability !== null && capability < needs.leastCapability)
    throw new DeckhandError(
      'usage',
      `${gpu.name} has compute capability ${capability.toFixed(1)}; ${needs.title} needs ${needs.leastCapability.toFixed(1)} and would compute on the CPU`,
      { hint: 'Take a newer GPU: docs/gpu-platforms.md lists which hold the models.' },
    );
  const most = mostSlots(models, memoryGib(gpu));
  if (most > 0) return Math.min(parallel, most);
  const names = models.map((model) => model.modelName).join(' and ');
  const needed = neededVramGib(models, 1).toFixed(1);
  throw new DeckhandError(
    'model_fits_no_offer',
    `${needed} GiB needed, ${gpu.name} has ${memoryGib(gpu).toFixed(1)} GiB`,
    {
      userMessage: `${names} with one call at a time need ${needed} GiB of graphics memory; the ${gpu.name} has ${memoryGib(gpu).toFixed(1)} GiB.`,
      hint:
        models.length > 1
          ? 'Take a larger GPU (docs/gpu-platforms.md), or let the machine serve slides only: --class visual needs one model.'
          : 'Take a larger GPU (docs/gpu-platforms.md), or a model or a window that needs less.',
    },
  );
}

/** The models as a script pins them. */
export const pinsOf = (models: readonly SetupModel[]): PinnedModel[] =>
  models.map(({ modelName: name, digest }) => ({ name, digest }));
