/**
 * Reads XML answers of the Query protocol: lists stand as `<item>` (EC2) or `<member>`, everything else is text.
 *
 * Only ids are required. Any other field that is missing or odd gets a harmless value: one odd field must not hide an instance that costs
 * money.
 */
import { XMLParser } from 'fast-xml-parser';
import { z } from 'zod';
import { withoutControls } from '../../../domain/text/plain-text.ts';

const parser = new XMLParser({
  ignoreAttributes: true,
  ignoreDeclaration: true,
  parseTagValue: false,
  trimValues: true,
  // Otherwise the parser writes the path of each element, which nobody reads.
  jPath: false,
  // Line breaks of a public key or message may come as numbers.
  htmlEntities: true,
  isArray: (name) => name === 'item' || name === 'member',
});

/** The document as objects, lists and text; undefined when it is not XML with an element. */
export function readXml(text: string): Readonly<Record<string, unknown>> | undefined {
  if (!text.trimStart().startsWith('<')) return undefined;
  try {
    // Checked first: the parser alone takes an answer that was cut off for a whole one.
    const document = parser.parse(text, true) as Readonly<Record<string, unknown>>;
    return Object.keys(document).length === 0 ? undefined : document;
  } catch {
    return undefined;
  }
}

/** An id. */
export const id = z.string().min(1);
/** Text on one line; '' where there is none. Control characters do not belong into rows, reasons and terminals. */
export const text = z.string().transform(withoutControls).catch('');
/** Text or null. */
export const nullableText = z.string().min(1).nullable().catch(null);
/** A number, 0 where there is none. */
export const number = z.string().trim().min(1).transform(Number).pipe(z.number()).catch(0);
/** True only where it says true. */
export const flag = z
  .string()
  .transform((word) => word === 'true')
  .catch(false);
/** ISO time as ms since 1970; null where there is none. */
export const nullableTime = z
  .string()
  .transform((iso) => Date.parse(iso))
  .pipe(z.number())
  .nullable()
  .catch(null);

/** A list: the items of `<set><item>…</item></set>`, none for `<set/>` or a set that is missing. */
export const listOf = <T extends z.ZodType>(item: T) => z.preprocess(itemsOf, z.array(item));

/** A list that an answer is about: without it the answer is not one. An incomplete list proves nothing. */
export const requiredList = <T extends z.ZodType>(item: T) =>
  z.preprocess((set) => (set === undefined ? undefined : itemsOf(set)), z.array(item));

const setSchema = z
  .object({ item: z.array(z.unknown()).optional(), member: z.array(z.unknown()).optional() })
  .catch({});

const itemsOf = (set: unknown): readonly unknown[] => {
  const { item, member } = setSchema.parse(set);
  return item ?? member ?? [];
};

const tag = z.object({ key: text, value: text });

/** Tags as key → value. */
export const tagSet = listOf(tag).transform((tags): Readonly<Record<string, string>> =>
  Object.fromEntries(tags.map(({ key, value }) => [key, value])),
);
