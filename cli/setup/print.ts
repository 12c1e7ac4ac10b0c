/**
 * The set-up of a GPU machine as text: the script or the Dockerfile that `deckhand setup` prints, and the two Dockerfiles of `images/`.
 */
import { modelDockerfile } from '../../domain/fleet/setup/dockerfile.ts';
import { ownGpu } from '../../domain/fleet/setup/gpus.ts';
import { ownMachineScript } from '../../domain/fleet/setup/own-machine.ts';
import { planSetup } from '../../domain/fleet/setup/setup.ts';
import type { EngineName } from '../../domain/health/gpu/diagnosis/engines.ts';
import { GPU_CLASSES, type GpuClass } from '../../domain/models/model-tasks.ts';
import type { Catalog } from '../../domain/models/catalog/catalog.ts';
import { modelsToSetUp } from '../../domain/models/catalog/lookup.ts';
import { DEFAULT_LANGUAGE_PROFILE, PRESETS } from '../../domain/models/catalog/presets.ts';

/** Forms of a set-up. */
export const SETUP_FORMATS = ['script', 'dockerfile'] as const;
export type SetupFormat = (typeof SETUP_FORMATS)[number];

/** Classes of work by the word of the command line. */
export const SETUP_CLASSES = ['visual', 'text'] as const;
export type SetupClass = (typeof SETUP_CLASSES)[number];

const classesOf = (word: SetupClass | undefined): readonly GpuClass[] =>
  word === undefined ? GPU_CLASSES : [`gpu-${word}` as const];

/** What the command line asks for. */
export interface SetupOptions {
  readonly engine: EngineName;
  /** As typed; undefined = whichever the machine has. */
  readonly gpu: string | undefined;
  /** Undefined = both. */
  readonly work: SetupClass | undefined;
  readonly format: SetupFormat;
  /** Parallel calls that Deckhand makes. */
  readonly parallel: number;
  /** Where the profile is looked up, and whose models are set up. */
  readonly catalog: Catalog;
  readonly profile: string;
}

/** @throws DeckhandError of `planSetup` and `ownGpu` */
export function setupText({ engine, gpu, work, format, parallel, catalog, profile }: SetupOptions): string {
  const plan = planSetup({
    engine,
    gpu: gpu === undefined ? null : ownGpu(gpu),
    models: modelsToSetUp(catalog, profile, classesOf(work)),
    parallel,
  });
  if (format === 'script') return ownMachineScript(plan);
  const command = [
    `deckhand setup ollama --format dockerfile --models ${profile}`,
    ...(plan.gpu === null ? [] : [`--gpu ${plan.gpu.slug}`]),
    ...(work === undefined ? [] : [`--class ${work}`]),
  ].join(' ');
  return modelDockerfile(plan, {
    title: `A model server for Deckhand${plan.gpu === null ? '' : ` on the ${plan.gpu.name}`}.`,
    writtenBy: `\`${command}\``,
    build: `./${command} | docker build -t deckhand-models -f - images`,
    tag: 'deckhand-models',
  });
}

/** Calls at a time of an image whose GPU is not known; OLLAMA_NUM_PARALLEL of the container replaces it. */
const IMAGE_PARALLEL = 4;

/** The committed Dockerfile of one class of work, with the default language models. */
export function imageDockerfile(work: SetupClass): string {
  const models = modelsToSetUp(PRESETS, DEFAULT_LANGUAGE_PROFILE, classesOf(work));
  const tag = `deckhand-${work}`;
  return modelDockerfile(planSetup({ engine: 'ollama', gpu: null, models, parallel: IMAGE_PARALLEL }), {
    title: `The model server of the class gpu-${work} as a container.`,
    writtenBy: '`npm run examples`',
    build: `docker build -t ${tag} -f images/${work}/Dockerfile images`,
    tag,
  });
}
