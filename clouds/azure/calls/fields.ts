/**
 * Fields of Azure's answers. Only names and ids are required: one odd field must not hide a machine that costs money.
 */
import { z } from 'zod';

/** Text; '' where there is none. */
export const text = z.string().catch('');
/** Text or null. */
export const nullableText = z.string().min(1).nullable().catch(null);
/** A number, 0 where there is none. */
export const number = z.coerce.number().catch(0);
/** ISO time as ms since 1970; null where there is none. */
export const nullableTime = z
  .string()
  .transform((iso) => Date.parse(iso))
  .pipe(z.number())
  .nullable()
  .catch(null);
/** Tags as they are; without those that are no text. */
export const tags = z
  .record(z.string(), z.unknown())
  .nullish()
  .catch(null)
  .transform((given): Readonly<Record<string, string>> =>
    Object.fromEntries(
      Object.entries(given ?? {}).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
    ),
  );
/** A reference to another resource; null where there is none. */
export const reference = z
  .object({ id: z.string().min(1) })
  .transform(({ id }) => id)
  .nullable()
  .catch(null);

const TAG_PREFIX = 'deckhand:';

/** Tags of ours in Azure's form. */
export const taggedAs = (own: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(own).map(([key, value]) => [`${TAG_PREFIX}${key}`, value]));

/** Tags of ours among those of a resource, as they were given. */
export const ownTags = (all: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(all).flatMap(([key, value]) =>
      key.startsWith(TAG_PREFIX) ? [[key.slice(TAG_PREFIX.length), value]] : [],
    ),
  );
