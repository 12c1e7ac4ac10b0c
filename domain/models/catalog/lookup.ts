/** Looks names up in a catalogue: a profile's models and tasks, and the models that a machine has to hold for it. */
import { DeckhandError } from '../../errors.ts';
import type { SetupModel } from '../../fleet/setup/setup.ts';
import { closestName } from '../../text/closest-name.ts';
import { assertNeedsKnown } from '../footprint/need.ts';
import { MODEL_TASKS, type GpuClass } from '../model-tasks.ts';
import { resolveProfile, type Catalog, type ModelProfile, type TaskConfiguration } from './catalog.ts';

/** Several catalogues as one; of two entries of a name the later one counts. */
export function mergeCatalogs(...catalogs: readonly Catalog[]): Catalog {
  const merged = <Entry extends { readonly name: string }>(of: (catalog: Catalog) => readonly Entry[]): Entry[] => [
    ...new Map(catalogs.flatMap(of).map((entry) => [entry.name, entry])).values(),
  ];
  return {
    servers: merged(({ servers }) => servers),
    models: merged(({ models }) => models),
    profiles: merged(({ profiles }) => profiles),
  };
}

/**
 * The error for a profile that is not configured.
 *
 * @param known names of those that are
 * @param code `invalid_request` where it is a choice of a request that is about something else
 */
export function unknownProfile(
  name: string,
  known: readonly string[],
  code: 'not_found' | 'invalid_request' = 'not_found',
): DeckhandError {
  const near = closestName(name, known);
  const message = `There is no model profile "${name}".`;
  return new DeckhandError(code, message, {
    userMessage: near === null ? message : `${message} Did you mean ${near}?`,
    hint: `Profiles: ${known.join(', ')}. \`./deckhand models add NAME\` makes one of a model of your server.`,
  });
}

/** A profile by its name. @throws DeckhandError `not_found` */
export function findProfile({ profiles }: Pick<Catalog, 'profiles'>, name: string): ModelProfile {
  const found = profiles.find((profile) => profile.name === name);
  if (found !== undefined) return found;
  throw unknownProfile(
    name,
    profiles.map((profile) => profile.name),
  );
}

/** Configuration of every task under a profile. @throws DeckhandError of {@link findProfile} and `resolveProfile` */
export const tasksOfProfile = (catalog: Catalog, name: string): readonly TaskConfiguration[] =>
  resolveProfile(findProfile(catalog, name), catalog.models);

/**
 * Models that machines of these classes hold for a profile, each once.
 *
 * @throws DeckhandError those of {@link tasksOfProfile}; `model_not_configured` for a model without a digest or a need
 */
export function modelsToSetUp(catalog: Catalog, profile: string, classes: readonly GpuClass[]): SetupModel[] {
  const tasks = tasksOfProfile(catalog, profile).filter(({ task }) => classes.includes(MODEL_TASKS[task].gpuClass));
  const visual = new Set(
    tasks.filter(({ task }) => MODEL_TASKS[task].gpuClass === 'gpu-visual').map(({ modelName }) => modelName),
  );
  const byName = new Map(tasks.map((one) => [one.modelName, one]));
  assertNeedsKnown(catalog.models.filter(({ name }) => byName.has(name)));
  return [...byName.values()].map(
    ({ modelName, pinnedDigest, numCtx, weightsGib, kvCacheGibPerSlot, loadTimeoutMs }) => ({
      modelName,
      digest: pinnedDigest ?? '',
      numCtx,
      weightsGib,
      kvCacheGibPerSlot,
      loadTimeoutMs,
      seesPictures: visual.has(modelName),
    }),
  );
}
