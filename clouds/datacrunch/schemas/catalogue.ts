/**
 * What can be rented: types, availability, locations, images, prices of volumes and containers; and the balance that pays for it.
 */
import { z } from 'zod';
import { flag, id, nullableNumber, nullableText, number, sizedPart, text, textList } from './lenient.ts';

/** One type. `gpu_memory` is over all GPUs, prices are totals; for CPU types the number of GPUs is 0. */
export const instanceTypeSchema = z.looseObject({
  id: id.catch(''),
  instance_type: z.string().min(1),
  model: text,
  name: text,
  display_name: nullableText,
  description: text,
  manufacturer: text,
  cpu: z.looseObject({ number_of_cores: nullableNumber }).nullable().catch(null),
  gpu: z.looseObject({ number_of_gpus: nullableNumber }).nullable().catch(null),
  gpu_memory: sizedPart,
  memory: sizedPart,
  price_per_hour: nullableNumber,
  spot_price: nullableNumber,
  serverless_price: nullableNumber,
  serverless_spot_price: nullableNumber,
  currency: text,
  deploy_warning: nullableText,
  supported_os: textList,
});
export type InstanceTypeData = z.infer<typeof instanceTypeSchema>;

/** Types that one location has now. */
export const availabilitySchema = z.looseObject({ location_code: z.string().min(1), availabilities: textList });

export const locationSchema = z.looseObject({ code: z.string().min(1), name: text, country_code: text });

/** One operating system image. `image_type` is the slug that a create takes. */
export const imageSchema = z.looseObject({
  id,
  image_type: text,
  name: text,
  is_default: flag,
  is_cluster: flag,
  details: textList,
  category: text,
});

/** Prepaid money of the project. A balance that cannot be read is an error, never zero. */
export const balanceSchema = z.looseObject({ amount: number, currency: text });

export const volumeTypeSchema = z.looseObject({
  type: z.string().min(1),
  price: z
    .looseObject({ price_per_month_per_gb: nullableNumber, cps_per_gb: nullableNumber, currency: text })
    .nullable()
    .catch(null),
  is_shared_fs: flag,
});

/** Prices per GPU and hour. */
export const containerTypeSchema = z.looseObject({
  model: text,
  name: text,
  gpu_memory: sizedPart,
  serverless_price: nullableNumber,
  serverless_spot_price: nullableNumber,
  currency: text,
});
