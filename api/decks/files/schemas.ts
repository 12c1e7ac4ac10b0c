/** Documents of the files of a deck. */
import { z } from '@hono/zod-openapi';

/** Widths in pixels of the smaller images of a slide. */
export const IMAGE_WIDTHS_PX = [320, 640] as const;
export type ImageWidthPx = (typeof IMAGE_WIDTHS_PX)[number];

/** Points, 1/72 inch. */
const sizePt = z.number().nullable();

export const slideListSchema = z
  .object({
    items: z.array(
      z.object({
        number: z.int(),
        widthPx: z.int().nullable(),
        heightPx: z.int().nullable(),
        /** Size of the page; null where it is not known. Boxes of words and quotes are in this unit. */
        widthPt: sizePt,
        heightPt: sizePt,
        /** Text stored in the page; empty for a page that is only a picture. */
        text: z.string(),
        /** The content of these two addresses never changes. */
        imageUrl: z.string().nullable(),
        thumbnailUrl: z.string().nullable(),
        failure: z.object({ code: z.string(), message: z.string() }).nullable(),
      }),
    ),
  })
  .openapi('SlideList');
export type SlideListDocument = z.infer<typeof slideListSchema>;

/** Why no words of a page are known: it could not be drawn, or its picture has none that can be read. */
const WORDLESS = ['failed', 'blank', 'not_recognised', 'no_text'] as const;
export type Wordless = (typeof WORDLESS)[number];

export const slideWordsSchema = z
  .object({
    widthPt: sizePt,
    heightPt: sizePt,
    /** In reading order. Words that cannot be seen on the page are not among them. */
    words: z.array(
      z.object({
        text: z.string(),
        /** Left, top, right, bottom in points from the upper left corner of the page. */
        box: z.tuple([z.number(), z.number(), z.number(), z.number()]),
      }),
    ),
    /** Why there are no words; null when there are. */
    reason: z.enum(WORDLESS).nullable(),
  })
  .openapi('SlideWords');
export type SlideWordsDocument = z.infer<typeof slideWordsSchema>;
