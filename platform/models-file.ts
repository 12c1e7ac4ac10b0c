/**
 * Reads `models.json`: servers, models and profiles that this installation's file owns. Without the file there are the presets alone.
 */
import { existsSync, readFileSync } from 'node:fs';
import { catalogSchema, checkedProfile, type Catalog } from '../domain/models/catalog/catalog.ts';
import { mergeCatalogs } from '../domain/models/catalog/lookup.ts';
import { isPreset, PRESETS } from '../domain/models/catalog/presets.ts';
import { asDeckhandError, DeckhandError } from '../domain/errors.ts';
import type { Config } from './config.ts';

type Place = Pick<Config, 'modelsFile'>;

/**
 * The entries of the file.
 *
 * @throws DeckhandError `usage` when the file is not valid, or names a preset, a server or a model that does not exist
 */
export function loadModelsFile({ modelsFile }: Place): Catalog {
  const refuse = (message: string): DeckhandError =>
    new DeckhandError('usage', `${modelsFile}: ${message}`, {
      hint: 'Correct the models file; docs/models.md describes every entry.',
    });
  const parsed = catalogSchema.safeParse(readJson(modelsFile));
  if (!parsed.success)
    throw refuse(
      parsed.error.issues
        .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
        .join('; '),
    );
  const file = parsed.data;
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

function readJson(file: string): unknown {
  if (!existsSync(file)) return {};
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new DeckhandError('usage', `${file} is not JSON: ${String(error)}`, {
      hint: 'Correct the models file.',
      cause: error,
    });
  }
}
