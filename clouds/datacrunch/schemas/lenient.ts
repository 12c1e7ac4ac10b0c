/**
 * Pieces of schemas for a provider that adds fields and enum values at will and sends null where its documents say string.
 *
 * Only an id, and the amount of a balance, is required. Any other field that is missing or has a wrong type gets a harmless value: one odd
 * field must not hide an instance that costs money.
 */
import { z } from 'zod';
import { isRecord } from '../../http/refused.ts';

/** An id; a number is one too. */
export const id = z.union([z.string().min(1), z.number().transform(String)]);

/** Text; '' where there is none. */
export const text = z.string().catch('');
/** Text or null. */
export const nullableText = z.string().min(1).nullable().catch(null);

/** A number, or one written as a string (prices are). Required. */
export const number = z.union([z.number(), z.string().trim().min(1).transform(Number)]).pipe(z.number());
/** The same; null where there is none. */
export const nullableNumber = number.nullable().catch(null);

/** True only where it says true. */
export const flag = z.boolean().catch(false);

/** Ids, given as strings or as objects that have one. */
export const idList = z
  .array(z.unknown())
  .catch([])
  .transform((items) =>
    items.flatMap((item) => {
      const found = isRecord(item) ? item['id'] : item;
      return typeof found === 'string' && found !== '' ? [found] : [];
    }),
  );

/** Strings of a list; everything else in it is left out. */
export const textList = z
  .array(z.unknown())
  .catch([])
  .transform((items) => items.filter((item) => typeof item === 'string'));

/** Tags; the value of a tag that is only a word is ''. */
export const tagList = z.array(z.looseObject({ id: nullableText, key: z.string(), value: text })).catch([]);

/** Key → value of tags. */
export const tagRecord = (tags: z.infer<typeof tagList>): Readonly<Record<string, string>> =>
  Object.fromEntries(tags.map(({ key, value }) => [key, value]));

/** Size of a part (`memory`, `gpu_memory`), GiB. */
export const sizedPart = z.looseObject({ size_in_gigabytes: nullableNumber }).nullable().catch(null);

/** ISO time as ms since 1970; null where there is none. */
export const nullableTime = z
  .string()
  .transform((iso) => Date.parse(iso))
  .pipe(z.number())
  .nullable()
  .catch(null);
