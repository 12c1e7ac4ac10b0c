/**
 * Volumes as DataCrunch describes them, those in the trash included.
 */
import { z } from 'zod';
import { flag, id, idList, nullableNumber, nullableText, nullableTime, tagList, text } from './lenient.ts';

/** One volume. Statuses are an open set; a volume of the trash has `deleted_at`. */
export const volumeSchema = z.looseObject({
  id,
  name: text,
  status: z.string().catch('unknown'),
  size: nullableNumber,
  type: text,
  location: nullableText,
  location_code: nullableText,
  is_os_volume: flag,
  /** Can be stale; `instances` is right where it is there. */
  instance_id: nullableText,
  instances: idList,
  target: nullableText,
  pseudo_path: nullableText,
  monthly_price: nullableNumber,
  base_hourly_cost: nullableNumber,
  currency: text,
  tags: tagList,
  created_at: nullableTime,
  deleted_at: nullableText,
  is_permanently_deleted: flag,
});
/** A row of a list. Its name must be there, for the reason that an instance's must: a nameless disk would count as somebody else's. */
export const listedVolumeSchema = volumeSchema.extend({ name: z.string() });
export type VolumeData = z.infer<typeof volumeSchema>;
