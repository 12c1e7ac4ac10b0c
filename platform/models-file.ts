/**
 * Reads `models.json`: servers, models and profiles that this installation's file owns. Without the file in the data directory there are the
 * presets alone; a file that DECKHAND_MODELS_FILE names has to be there.
 */
import { existsSync, readFileSync } from 'node:fs';
import { catalogSchema, checkedProfile, type Catalog } from '../domain/models/catalog/catalog.ts';
import { mergeCatalogs } from '../domain/models/catalog/lookup.ts';
import { isPreset, PRESETS } from '../domain/models/catalog/presets.ts';
import { asDeckhandError, DeckhandError } from '../domain/errors.ts';
import { usualModelsFile, type Config } from './config.ts';

type Place = Pick<Config, 'modelsFile' | 'home'>;

/**
 * The entries of the file.
 *
 * @throws DeckhandError `usage` when the file is not valid or was named and is not there, or when it names a preset, a server or a model that does not exist
 */
export function loadModelsFile({ modelsFile, home }: Place): Catalog {
  const refuse = refusalOf(modelsFile);
  const isThere = existsSync(modelsFile);
  if (!isThere && modelsFile !== usualModelsFile(home))
    throw new DeckhandError('usage', `DECKHAND_MODELS_FILE names ${modelsFile}, which does not exist.`, {
      hint: 'Correct the path, or leave DECKHAND_MODELS_FILE out.',
    });
  const file = isThere ? readEntries(modelsFile) : catalogSchema.parse({});
  const whole = mergeCatalogs(PRESETS, file);
  for (const { name, server } of file.models)
    if (server !== null && !file.servers.some((one) => one.name === server))
      throw refuse(`model ${name} is on the server ${server}, which the file does not name`);
  for (const profile of file.profiles) {
    if (isPreset(profile.name))
      throw refuse(`${profile.name} is a profile that comes with Deckhand; take another name`);
    try {
      checkedProfile(profile, whole.models);
    } catch (error) {
      throw refuse(asDeckhandError(error).userMessage);
    }
  }
  return file;
}

/** Presets and the file. Entries that were added through the API are in the database alone. @throws DeckhandError `usage` */
export const knownCatalog = (place: Place): Catalog => mergeCatalogs(PRESETS, loadModelsFile(place));

const refusalOf =
  (file: string) =>
  (message: string): DeckhandError =>
    new DeckhandError('usage', `${file}: ${message}`, {
      hint: 'Correct the file; docs/models.md describes every entry.',
    });

/** The entries of a file in the form of `models.json`, which may name entries that stand elsewhere. @throws DeckhandError `usage` */
export function readEntries(file: string): Catalog {
  const parsed = catalogSchema.safeParse(readJson(file));
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join('.')}: ${message}`,
  );
  throw refusalOf(file)(issues.join('; '));
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new DeckhandError('usage', `${file} cannot be read as JSON: ${String(error)}`, {
      hint: 'Correct the file, or its path.',
      cause: error,
    });
  }
}
