/** The server itself: whether it is well, and the models that answer. */
import type { ModelProfile } from '../../domain/models/model-tasks.ts';
import type { ModelList } from '../models/routes.ts';
import type { Transport } from './transport.ts';

/** The calls of health and models. */
export const serverCalls = (http: Transport) => ({
  /** Asks whether the API, its database and Temporal answer. @throws DeckhandError `service_unavailable` when one does not */
  async health(signal?: AbortSignal): Promise<void> {
    await http.call('/health', { signal });
  },

  /** Which model answers which task. */
  models(signal?: AbortSignal): Promise<ModelList> {
    return http.json<ModelList>('/models', { signal });
  },

  /** Forgets the pinned digests of a profile, so that the gateway pins what its hosts hold. */
  async unpinModels(profile: ModelProfile, signal?: AbortSignal): Promise<void> {
    await http.call(`/models/${profile}/pins`, { method: 'DELETE', signal });
  },
});
