/**
 * Calls on persistent disks.
 */
import { z } from 'zod';
import {
  get,
  getAggregated,
  labels,
  listOf,
  nameInUrl,
  nullableText,
  nullableTime,
  number,
  text,
  zonalPath,
} from '../http/reading.ts';
import type { GoogleTransport } from '../http/transport.ts';
import type { ZonalId } from '../settings.ts';
import { sendOperation, settled } from './operations.ts';

const diskSchema = z.object({
  name: z.string().min(1),
  status: text,
  sizeGb: number,
  /** Such as `pd-balanced`. */
  type: nameInUrl,
  zone: nameInUrl,
  sourceImage: nullableText,
  /** URLs of the instances that use it. */
  users: listOf(text),
  labels,
  creationTimestamp: nullableTime,
});

/** A disk as Compute Engine describes it. */
export type DiskData = z.infer<typeof diskSchema>;

/** Disks of the whole project. */
export const listDisks = (http: GoogleTransport): Promise<readonly DiskData[]> =>
  getAggregated(http, 'disks', diskSchema);

/** One disk. @throws DeckhandError `provider_gone` for a name that its zone does not have (any more) */
export const getDisk = (http: GoogleTransport, at: ZonalId): Promise<DiskData> =>
  get(http, zonalPath(http, 'disks', at), diskSchema);

/** Deletes for good. @throws DeckhandError `provider_not_yet` while an instance uses it, `provider_gone` */
export async function deleteDisk(http: GoogleTransport, at: ZonalId): Promise<void> {
  const path = zonalPath(http, 'disks', at);
  const operation = await sendOperation(http, { kind: 'change', method: 'DELETE', path });
  await settled(http, operation, { where: `DELETE ${path}`, kind: 'change', offer: null }, { withinMs: 0 });
}
