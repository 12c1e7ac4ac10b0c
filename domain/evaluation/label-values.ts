/**
 * Values that fields of labels have in common. `docs/label-format.md` describes them.
 */
import { z } from 'zod';

export const labelText = z.string().min(1);
/** ISO 4217; null allows each currency. */
export const labelCurrency = z
  .string()
  .regex(/^[A-Z]{3}$/u, 'write the ISO 4217 code, such as EUR')
  .nullable();
/** In whole units of its currency. */
export const labelAmount = z.number().positive();

const fraction = z
  .number()
  .min(0, 'write a fraction of the page, from 0 to 1')
  .max(1, 'write a fraction of the page, from 0 to 1');

export const placeSchema = z.object({
  /** Counted from 1. */
  slide: z.int().min(1),
  /**
   * Left, top, right and bottom as fractions of the page's width and height, from its top left corner. Left out where only the slide is known.
   */
  box: z
    .tuple([fraction, fraction, fraction, fraction])
    .refine(
      ([left, top, right, bottom]) => left < right && top < bottom,
      'write left, top, right and bottom, with left < right and top < bottom',
    )
    .optional(),
});
/** Where a deck says something: the box surrounds what a reader would point at. */
export type LabelPlace = z.infer<typeof placeSchema>;

/** The best place first. */
export const placesSchema = z.array(placeSchema);

/** Whether one of the places has a box. */
export const hasBox = (places: readonly LabelPlace[]): boolean => places.some(({ box }) => box !== undefined);
