/**
 * The model of each model task under each profile, and its options.
 *
 * One `numCtx` per model: another value would reload the model on the server, minutes for a large one. Temperature and `numPredict` may
 * differ between tasks of a model, they reload nothing. `numPredict` leaves room for the longest answer the task's schema allows at three
 * characters a token, so that only a runaway answer is cut. Digests are pinned when a model is first seen, not here.
 */
import type { SetupModel } from '../../domain/fleet/setup/setup.ts';
import {
  type GpuClass,
  MODEL_PROFILES,
  MODEL_TASK_NAMES,
  MODEL_TASKS,
  type ModelProfile,
  type ModelTask,
} from '../../domain/models/model-tasks.ts';

/** Options of one task under one profile. */
export interface SeedModelConfiguration {
  readonly profile: ModelProfile;
  readonly task: ModelTask;
  /** Name as Ollama lists it. */
  readonly modelName: SeedModelName;
  /** Window of the model in tokens, prompt and answer together; the same for all tasks of a model. */
  readonly numCtx: number;
  /** Longest answer in tokens. */
  readonly numPredict: number;
  readonly temperature: number;
  readonly topP: number;
  /** Limit of one attempt, without loading the model and without waiting for a slot. */
  readonly attemptTimeoutMs: number;
  /** Longest silence between two tokens. */
  readonly idleTokenTimeoutMs: number;
  /** Limit for loading the model, a step of its own. */
  readonly loadTimeoutMs: number;
  /** Graphics memory of the weights, GiB, and of the cache of one parallel call at `numCtx`. */
  readonly weightsGib: number;
  readonly kvCacheGibPerSlot: number;
  /** ISO 639-1 of the languages that the model reads; empty = all. */
  readonly languages: string[];
}

/** Window of every model, in tokens. The limit of phi4 is 16384; gemma3 could use more, at the cost of graphics memory. */
export const NUM_CTX_BY_MODEL = {
  'reader-vision:1': 32_768,
  'reader-text:1': 32_768,
  'gemma3:12b': 32_768,
  'phi4:latest': 16_384,
} as const;

/**
 * Graphics memory of every model, GiB; estimates until measured. The reader's models need no GPU.
 *
 * Weights are the size of the file that Ollama pulls (4-bit; gemma3 with its vision part). The cache is 2 (keys and values) × 2 bytes × heads
 * × head size × layers × tokens: gemma3:12b has 8 heads of 256 and 48 layers, of which 8 keep the whole window and 40 the last 1024 tokens
 * (1536 with a batch); phi4 has 10 heads of 128 and 40 layers that keep all of it.
 */
const MEMORY_BY_MODEL = {
  'reader-vision:1': { weightsGib: 0, kvCacheGibPerSlot: 0 },
  'reader-text:1': { weightsGib: 0, kvCacheGibPerSlot: 0 },
  'gemma3:12b': { weightsGib: 7.6, kvCacheGibPerSlot: 2.5 },
  'phi4:latest': { weightsGib: 8.5, kvCacheGibPerSlot: 3.2 },
} as const satisfies Record<SeedModelName, unknown>;

/** Languages for which the built-in reader has rules. */
const READER_LANGUAGES = ['en', 'de'];

/** Models the seeded configurations name. */
export type SeedModelName = keyof typeof NUM_CTX_BY_MODEL;

/** Tasks phi4 does better than gemma3 under the `ollama` profile: judging and science. */
const PHI4_TASKS: readonly ModelTask[] = ['score_answer', 'specialised_science'];

function modelFor(profile: ModelProfile, task: ModelTask): SeedModelName {
  const visual = MODEL_TASKS[task].gpuClass === 'gpu-visual';
  switch (profile) {
    case 'reader':
      return visual ? 'reader-vision:1' : 'reader-text:1';
    case 'ollama':
      return PHI4_TASKS.includes(task) ? 'phi4:latest' : 'gemma3:12b';
  }
}

function configurationFor(profile: ModelProfile, task: ModelTask): SeedModelConfiguration {
  const modelName = modelFor(profile, task);
  const { gpuClass, numPredict, temperature } = MODEL_TASKS[task];
  return {
    profile,
    task,
    modelName,
    numCtx: NUM_CTX_BY_MODEL[modelName],
    ...MEMORY_BY_MODEL[modelName],
    languages: profile === 'reader' ? READER_LANGUAGES : [],
    numPredict,
    temperature,
    topP: 0.9,
    attemptTimeoutMs: gpuClass === 'gpu-visual' ? 120_000 : 300_000,
    idleTokenTimeoutMs: 60_000,
    loadTimeoutMs: 300_000,
  };
}

/** One entry per profile and task. */
export const MODEL_CONFIGURATIONS: readonly SeedModelConfiguration[] = MODEL_PROFILES.flatMap((profile) =>
  MODEL_TASK_NAMES.map((task) => configurationFor(profile, task)),
);

/**
 * Models of the `ollama` profile by the digest that `/api/tags` shows, last seen under these names in September 2026: what set-up scripts and
 * images hold. An installation pins the digests that it finds, see the head of this file.
 */
const LIBRARY_DIGESTS: Readonly<Partial<Record<SeedModelName, string>>> = {
  'gemma3:12b': 'f4031aab637d1ffa37b42570452ae0e4fad0314754d17ded67322e4b95836f8a',
  'phi4:latest': 'ac896e5b8b34a1f4efa7b14d7520725140d5512484457fab45d2a4ea14c69dba',
};

/** What the language models of these classes need, each model once. */
export function modelsToSetUp(classes: readonly GpuClass[]): SetupModel[] {
  const configurations = MODEL_CONFIGURATIONS.filter(
    ({ profile, task }) => profile === 'ollama' && classes.includes(MODEL_TASKS[task].gpuClass),
  );
  const visual = new Set(
    configurations.filter(({ task }) => MODEL_TASKS[task].gpuClass === 'gpu-visual').map(({ modelName }) => modelName),
  );
  const byName = new Map(configurations.map((one) => [one.modelName, one]));
  return [...byName.values()].map(({ modelName, numCtx, weightsGib, kvCacheGibPerSlot, loadTimeoutMs }) => ({
    modelName,
    // A model without a digest is refused by name where it is set up.
    digest: LIBRARY_DIGESTS[modelName] ?? '',
    numCtx,
    weightsGib,
    kvCacheGibPerSlot,
    loadTimeoutMs,
    seesPictures: visual.has(modelName),
  }));
}
