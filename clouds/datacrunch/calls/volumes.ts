/**
 * Calls on volumes and their trash.
 */
import { providerError } from '../../errors.ts';
import { readId } from '../http/body.ts';
import { command, create, getOne, listAll, segment } from '../http/reading.ts';
import type { Transport } from '../http/transport.ts';
import { tagCalls } from './tags.ts';
import { listedVolumeSchema, volumeSchema, type VolumeData } from '../schemas/volumes.ts';

/** Body of `POST /volumes`. */
export interface NewStandaloneVolume {
  readonly name: string;
  readonly type: string;
  /** GiB. */
  readonly size: number;
  readonly location_code: string;
  readonly instance_ids?: readonly string[];
  readonly tags?: readonly { readonly key: string; readonly value?: string }[];
}

/** Actions whose answer says nothing we need, with their fields. */
export type VolumeAction =
  | { readonly action: 'attach' | 'detach'; readonly instance_ids?: readonly string[] }
  | { readonly action: 'delete'; readonly is_permanent?: boolean }
  | { readonly action: 'rename'; readonly name: string }
  | { readonly action: 'resize'; readonly size: number }
  | { readonly action: 'restore' | 'cancel' };

export function volumeCalls(http: Transport) {
  return {
    /** All volumes but those in the trash. */
    list: (status?: string): Promise<readonly VolumeData[]> =>
      listAll(http, '/volumes', listedVolumeSchema, { query: { status } }),

    /** The trash: they cost nothing but count against the quota until they are purged (96 h). */
    listTrash: (): Promise<readonly VolumeData[]> => listAll(http, '/volumes/trash', listedVolumeSchema),

    /** Also finds volumes that are in the trash or purged. */
    get: (volumeId: string): Promise<VolumeData> => getOne(http, `/volumes/${segment(volumeId)}`, volumeSchema),

    create: (body: NewStandaloneVolume): Promise<string> => create(http, '/volumes', body),

    /** Changes volumes. @throws DeckhandError `provider_not_yet` when an instance they are on must be stopped first */
    act: (ids: readonly string[], { action, ...fields }: VolumeAction): Promise<void> =>
      command(http, { kind: 'change', method: 'PUT', path: '/volumes', body: { action, id: ids, ...fields } }),

    /** Copies a volume, into another location where one is named. @returns the copy's id */
    clone: (
      volumeId: string,
      fields: { readonly name: string; readonly type?: string; readonly location_code?: string },
    ): Promise<string> =>
      http.send(
        { kind: 'create', method: 'PUT', path: '/volumes', body: { action: 'clone', id: volumeId, ...fields } },
        (answer) => {
          const id = readId(answer.text);
          if (id === null) throw providerError('transient', `clone of ${volumeId}: accepted without an id`);
          return id;
        },
      ),

    /** Into the trash, or for good. Deleting a purged volume is a success. */
    async delete(volumeId: string, options: { readonly permanently: boolean }): Promise<void> {
      await command(http, {
        kind: 'change',
        method: 'DELETE',
        path: `/volumes/${segment(volumeId)}`,
        body: { is_permanent: options.permanently },
      });
    },

    ...tagCalls(http, '/volumes'),
  };
}
