/** Documents of the files of a deck. */
import { z } from '@hono/zod-openapi';
import { files, idParam, json, problems, route } from '../../http/definition.ts';

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

const slideParam = idParam.extend({ number: z.coerce.number<number>().int().min(1).max(10_000) });
const notModified = { description: 'The client has it: its If-None-Match names it.' };
export const pdfRoute = route('get', '/decks/{id}/pdf', {
  summary: 'The PDF as it was uploaded, to save.',
  request: { params: idParam },
  responses: {
    200: { description: 'The file, under its first name.', content: files('application/pdf') },
    304: notModified,
    ...problems(404),
  },
});

export const slidesRoute = route('get', '/decks/{id}/slides', {
  summary: 'Rendered pages of a deck.',
  request: { params: idParam },
  responses: { 200: json(slideListSchema, 'Pages rendered so far.'), ...problems(404) },
});

export const imageRoute = route('get', '/decks/{id}/slides/{number}/image', {
  summary: 'Image of one slide.',
  request: {
    params: slideParam,
    query: z.object({
      width: z
        .enum(IMAGE_WIDTHS_PX.map(String))
        .optional()
        .openapi({ description: 'Of a smaller image, in pixels; without it the image has its full size.' }),
      v: z.string().max(100).optional().openapi({
        description: 'Which drawing, from `imageUrl`: the image under an address with it never changes.',
      }),
    }),
  },
  responses: {
    200: { description: 'JPEG.', content: files('image/jpeg') },
    304: notModified,
    ...problems(400, 404),
  },
});

export const wordsRoute = route('get', '/decks/{id}/slides/{number}/words', {
  summary: 'Words of one slide with their places, from its text or recognised in its picture.',
  request: { params: slideParam },
  responses: { 200: json(slideWordsSchema, 'The words.'), 304: notModified, ...problems(400, 404) },
});
