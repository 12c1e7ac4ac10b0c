/**
 * Instances as DataCrunch describes them, and what it says to actions on them.
 */
import { z } from 'zod';
import { flag, id, idList, nullableNumber, nullableText, nullableTime, sizedPart, tagList, text } from './lenient.ts';

/** One instance. Statuses are an open set. */
export const instanceSchema = z.looseObject({
  id,
  hostname: text,
  description: text,
  status: z.string().catch('unknown'),
  instance_type: text,
  /** Slug or id; null while ordered. */
  image: nullableText,
  /** Present on instances; some payloads say `location_code` as everywhere else. */
  location: nullableText,
  location_code: nullableText,
  ip: nullableText,
  is_spot: flag,
  contract: nullableText,
  /** Total of the instance, not per GPU. */
  price_per_hour: nullableNumber,
  os_volume_id: nullableText,
  volume_ids: idList,
  ssh_key_ids: idList,
  startup_script_id: nullableText,
  tags: tagList,
  created_at: nullableTime,
  gpu_memory: sizedPart,
  /** Set by simulators: where its model server listens. */
  simulated_model_url: nullableText,
});
/**
 * A row of the list. Its name must be there: by the name alone a machine is known as ours, and found again after a create whose answer was lost.
 * A row with an id and without a name would count as somebody else's, so the list is refused, which stops the search and the reaper but no
 * machine. Machines that are known by their id are read one by one, without this.
 */
export const listedInstanceSchema = instanceSchema.extend({ hostname: z.string() });
export type InstanceData = z.infer<typeof instanceSchema>;

/** What became of an action, per instance. */
export const actionResultsSchema = z.array(
  z.looseObject({
    instanceId: nullableText,
    action: text,
    status: text,
    error: nullableText,
    statusCode: nullableNumber,
  }),
);

/** One tag that was added. */
export const tagSchema = z.looseObject({ id: text, key: z.string(), value: text });
