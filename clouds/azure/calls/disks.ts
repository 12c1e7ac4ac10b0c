/**
 * Calls on managed disks.
 */
import { z } from 'zod';
import { command, getResource, listResources, resourcePath } from '../http/arm.ts';
import type { AzureTransport } from '../http/transport.ts';
import type { GroupedName } from '../settings.ts';
import { nullableText, nullableTime, number, tags, text } from './fields.ts';

const DISKS = 'Microsoft.Compute/disks';

const diskSchema = z.object({
  id: z.string().min(1),
  name: z.string().min(1),
  location: text,
  /** Id of the machine it hangs on. */
  managedBy: nullableText,
  tags,
  sku: z.object({ name: text }).catch({ name: '' }),
  properties: z
    .object({
      diskSizeGB: number,
      diskState: text,
      osType: nullableText,
      timeCreated: nullableTime,
      provisioningState: text,
    })
    .catch({ diskSizeGB: 0, diskState: '', osType: null, timeCreated: null, provisioningState: '' }),
});

/** A disk as Azure describes it. */
export type DiskData = z.infer<typeof diskSchema>;

/** All disks of the subscription. */
export const listDisks = (http: AzureTransport): Promise<readonly DiskData[]> =>
  listResources(http, resourcePath(http, null, DISKS), diskSchema);

const pathOf = (http: AzureTransport, { resourceGroup, name }: GroupedName): string =>
  resourcePath(http, resourceGroup, DISKS, name);

/** One disk. @throws DeckhandError `provider_gone` for one that is not there (any more) */
export const getDisk = (http: AzureTransport, disk: GroupedName): Promise<DiskData> =>
  getResource(http, pathOf(http, disk), diskSchema);

/** Deletes for good. @throws DeckhandError `provider_not_yet` while it is attached, `provider_gone` */
export const removeDisk = (http: AzureTransport, disk: GroupedName): Promise<void> =>
  command(http, 'DELETE', pathOf(http, disk));
