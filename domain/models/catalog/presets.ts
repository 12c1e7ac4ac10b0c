/**
 * Profiles that come with Deckhand, by one word. Their reasons and sources are in docs/models.md.
 *
 * Sizes are those of the files that Ollama pulls. The cache of a call is 2 (keys and values) × 2 bytes × heads × head size × layers × tokens:
 * qwen3-vl 8b and 4b have 8 heads of 128 and 36 layers; gemma3:12b has 8 heads of 256 and 48 layers, of which 8 keep the whole window and 40
 * the last 1024 tokens (1536 with a batch); phi4 has 10 heads of 128 and 40 layers; gemma3:27b has 16 heads of 128 and 62 layers, of which 10
 * keep the whole window; llava:13b has 40 heads of 128 and 40 layers. Digests are what `/api/tags` showed under these names in 2026. A model
 * without a digest or a cache is not rented for until `deckhand models add` has found both.
 */
import presets from './presets.json' with { type: 'json' };
import { catalogSchema, READER_PROFILE, type Catalog } from './catalog.ts';

/** See the file's header. */
export const PRESETS: Catalog = catalogSchema.parse(presets);

/** The language models that are taken where none are named: for prices, set-up scripts and images. */
export const DEFAULT_LANGUAGE_PROFILE = 'qwen3-vl';

/** The profile that machines are rented or set up for: the built-in reader needs no GPU. @param profile the one in use */
export const languageProfile = (profile: string): string =>
  profile === READER_PROFILE ? DEFAULT_LANGUAGE_PROFILE : profile;

export const isPreset = (profile: string): boolean => PRESETS.profiles.some(({ name }) => name === profile);
