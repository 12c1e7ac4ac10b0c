/**
 * Calls on the tags of instances and volumes.
 */
import { command, jsonOf, segment } from '../http/reading.ts';
import type { Transport } from '../http/transport.ts';
import type { Call } from '../../http/wire.ts';
import { tagSchema } from '../schemas/instances.ts';

/** Adding and removing tags of what lives under `root`. */
export function tagCalls(http: Transport, root: '/instances' | '/volumes') {
  return {
    /** Adds a tag. @throws DeckhandError `provider_config` when it is linked already or there are ten */
    addTag(id: string, key: string, value?: string) {
      const body = value === undefined ? { key } : { key, value };
      const call: Call = { kind: 'create', method: 'POST', path: `${root}/${segment(id)}/tags`, body };
      return http.send(call, jsonOf(http, call, tagSchema));
    },

    /** Removes a tag by its id, as it stands in `tags`: some versions of the API would take the key too. */
    removeTag: (id: string, tagId: string): Promise<void> =>
      command(http, { kind: 'change', method: 'DELETE', path: `${root}/${segment(id)}/tags/${segment(tagId)}` }),
  };
}
