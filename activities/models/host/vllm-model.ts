/** The one model that a machine with vLLM serves: what the start script is made from, and what a pool is refused for before it rents. */
import { DeckhandError } from '../../../domain/errors.ts';
import type { VllmModel } from '../../../domain/fleet/startup-script/vllm.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { readCatalog } from '../catalog/read.ts';
import { requiredModels } from './required-models.ts';

/**
 * The model of a profile that machines of these classes serve.
 *
 * @throws DeckhandError `model_not_configured` where the classes need several models, or the model has no repository and revision
 */
export async function vllmModel(db: PrismaClient, profile: string, classes: readonly string[]): Promise<VllmModel> {
  const [model, ...others] = await requiredModels(db, profile, classes);
  const refuse = (message: string, hint: string): never => {
    throw new DeckhandError('model_not_configured', message, { userMessage: message, hint });
  };
  if (model === undefined) return refuse(`Profile ${profile} has no models for ${classes.join(' and ')}.`, LISTED);
  if (others.length > 0)
    return refuse(
      `vLLM serves one model per machine, and profile ${profile} needs ${[model, ...others].map(({ name }) => name).join(' and ')}.`,
      'Give the profile one model for both classes, or a pool to each class.',
    );
  const { catalog } = await readCatalog(db);
  const entry = catalog.models.find(({ name }) => name === model.name);
  const { repository = null, revision = null, seesPictures = false } = entry ?? {};
  if (repository === null || revision === null)
    return refuse(
      `vLLM cannot serve ${model.name}: the repository of its weights is not known.`,
      'Say "repository" and "revision" of the model in the models file; see docs/models.md.',
    );
  return { name: model.name, repository, revision, seesPictures, windowTokens: model.numCtx };
}

const LISTED = '`./deckhand models list` shows the profiles.';
