/**
 * Tables of docs/gpu-platforms.md and docs/models.md: made from what the code decides by, and put between their marks. A further table is one more
 * entry here and a pair of marks in the page.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { capabilityOfKind, memoryGib, OWN_GPUS, type OwnGpu } from '../../domain/fleet/setup/gpus.ts';
import { mostSlots, neededVramGib } from '../../domain/fleet/selection/model-fit.ts';
import type { SetupModel } from '../../domain/fleet/setup/setup.ts';
import { ENGINES } from '../../domain/health/gpu/diagnosis/engines.ts';
import { GPU_CLASSES } from '../../domain/models/model-tasks.ts';
import { REPOSITORY_DIR } from '../../platform/config.ts';
import { modelsOfProfile } from '../../domain/models/catalog/catalog.ts';
import { modelsToSetUp } from '../../domain/models/catalog/lookup.ts';
import { DEFAULT_LANGUAGE_PROFILE, PRESETS } from '../../domain/models/catalog/presets.ts';
import { shownDigest } from '../../domain/models/identity.ts';

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');

const SLOTS = [1, 4, 8];

/** The default language models, and the pair of the first releases, which is the larger need. */
const SHOWN_PROFILES = [DEFAULT_LANGUAGE_PROFILE, 'ollama'];
const SHOWN = SHOWN_PROFILES.map((profile) => ({ profile, models: modelsToSetUp(PRESETS, profile, GPU_CLASSES) }));
/** Sets of models that a GPU may hold: each model alone, and the models of a profile that has several. */
const LOADS = SHOWN.flatMap(({ profile, models }) => [
  ...models.map((model) => ({ name: `\`${model.modelName}\``, profile, models: [model] })),
  ...(models.length === 1 ? [] : [{ name: `both of \`${profile}\``, profile, models }]),
]);

function modelTable(): string {
  return table(
    [
      'profile',
      'model',
      'window',
      'weights',
      'cache per call',
      ...SLOTS.map((slots) => `${slots} ${slots === 1 ? 'call' : 'calls'} at a time`),
    ],
    LOADS.map(({ name, profile, models }) => {
      const [model] = models.length === 1 ? models : [];
      return [
        `\`${profile}\``,
        name,
        ...(model === undefined
          ? ['', '', '']
          : [`${model.numCtx} tokens`, `${model.weightsGib} GiB`, `${model.kvCacheGibPerSlot} GiB`]),
        ...SLOTS.map((slots) => `${neededVramGib(models, slots).toFixed(1)} GiB`),
      ];
    }),
  );
}

function gpuTable(): string {
  const calls = (gpu: OwnGpu, list: readonly SetupModel[]): number => {
    const [ollama] = ENGINES;
    const isTooOld = (capabilityOfKind(gpu) ?? 0) < (ollama?.leastCapability ?? 0);
    return isTooOld ? 0 : mostSlots(list, memoryGib(gpu));
  };
  return table(
    ['`--gpu`', 'GPU', 'memory', 'compute capability', ...LOADS.map(({ name }) => name)],
    OWN_GPUS.map((gpu) => [
      `\`${gpu.slug}\``,
      gpu.name,
      `${memoryGib(gpu).toFixed(1)} GiB`,
      capabilityOfKind(gpu)?.toFixed(1) ?? '',
      ...LOADS.map(({ models }) => calls(gpu, models)),
    ]),
  );
}

const engineTable = (): string =>
  table(
    ['engine', 'version', 'driver', 'CUDA of the driver', 'compute capability', 'ROCm (AMD)', 'sources'],
    ENGINES.map(({ title, version, leastDriver, olderGpus, leastCuda, leastCapability, amd, sources }) => [
      title,
      version,
      olderGpus === null
        ? leastDriver
        : `${leastDriver}; ${olderGpus.leastDriver} on GPUs up to ${olderGpus.upToCapability}`,
      leastCuda,
      leastCapability.toFixed(1),
      [amd.leastRocm, ...Object.entries(amd.newerGpus).map(([target, rocm]) => `${rocm} on ${target}`)].join('; '),
      sources.map((source) => `<${source}>`).join(' '),
    ]),
  );

/** Profiles that come with Deckhand, as their catalogue describes them. */
const presetTable = (): string =>
  table(
    ['profile', 'why', 'models'],
    PRESETS.profiles.map((profile) => [
      `\`${profile.name}\``,
      profile.reason ?? '',
      modelsOfProfile(profile, PRESETS.models)
        .map((model) => `\`${model.name}\``)
        .join(', '),
    ]),
  );

const gib = (value: number | null): string => (value === null ? 'not known' : `${value} GiB`);

const presetModelTable = (): string =>
  table(
    ['model', 'sees pictures', 'window', 'weights', 'cache per call', 'licence', 'digest'],
    PRESETS.models.map((model) => [
      `\`${model.name}\``,
      model.seesPictures ? 'yes' : 'no',
      `${model.window} tokens`,
      gib(model.weightsGib),
      gib(model.kvCacheGibPerSlot),
      model.licence ?? '–',
      model.digest === null ? 'as first seen' : shownDigest(model.digest),
    ]),
  );

/** Pages with the tables between their marks, by the word of the marks. */
const TABLES = {
  'docs/gpu-platforms.md': { models: modelTable, gpus: gpuTable, engines: engineTable },
  'docs/models.md': { presets: presetTable, 'preset models': presetModelTable },
} satisfies Readonly<Record<string, Readonly<Record<string, () => string>>>>;

/** The committed page with its tables made anew. @throws Error when a mark is missing */
export function pageWithTables(name: keyof typeof TABLES): string {
  const page = readFileSync(join(REPOSITORY_DIR, name), 'utf8');
  return Object.entries(TABLES[name]).reduce((text, [word, make]) => {
    const [begin, end] = [`<!-- begin table ${word} -->`, `<!-- end table ${word} -->`];
    const from = text.indexOf(begin);
    const until = text.indexOf(end);
    if (from < 0 || until < from) throw new Error(`${name} lacks ${begin} … ${end}`);
    return `${text.slice(0, from + begin.length)}\n\n${make()}\n\n${text.slice(until)}`;
  }, page);
}
