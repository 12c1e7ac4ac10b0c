/** The model of each task under each preset. Digests are pinned when a model is first seen, so that an installation takes what its hosts hold. */
import { resolveProfile, type TaskConfiguration } from '../../domain/models/catalog/catalog.ts';
import { PRESETS } from '../../domain/models/catalog/presets.ts';

/** One entry per preset and task. */
export const MODEL_CONFIGURATIONS: readonly TaskConfiguration[] = PRESETS.profiles.flatMap((profile) =>
  resolveProfile(profile, PRESETS.models).map((configuration) => ({ ...configuration, pinnedDigest: null })),
);
