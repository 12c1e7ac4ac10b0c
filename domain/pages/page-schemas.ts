/**
 * Checks of what is stored of a page, and of what a render process says of one. Apart from page.ts, because render processes start faster
 * without the library.
 */
import { z } from 'zod';
import {
  BLOCK_KINDS,
  HIDDEN_REASONS,
  MAX_WORD_LENGTH,
  OCR_STATES,
  TEXT_SOURCES,
  type Box,
  type PageBlock,
  type PageLayout,
  type PageState,
  type PageWord,
} from './page.ts';

export const boxSchema: z.ZodType<Box> = z.tuple([z.number(), z.number(), z.number(), z.number()]);
/** Boxes that are stored with a quote. */
export const boxesSchema = z.array(boxSchema);

export const pageWordSchema: z.ZodType<PageWord> = z.object({
  text: z.string().min(1).max(MAX_WORD_LENGTH),
  box: boxSchema,
  sizePt: z.number().min(0),
  turn: z.union([z.literal(0), z.literal(90), z.literal(180), z.literal(270)]),
  bold: z.boolean(),
  confidence: z.number().min(0).max(100).nullable(),
});

const pageBlockSchema: z.ZodType<PageBlock> = z.object({
  kind: z.enum(BLOCK_KINDS),
  lines: z.array(z.array(z.array(z.int().min(0)))),
});

const state = {
  widthPt: z.number(),
  heightPt: z.number(),
  source: z.enum(TEXT_SOURCES),
  ocr: z.enum(OCR_STATES),
  readableShare: z.number().min(0).max(1).nullable(),
  blank: z.boolean(),
  incomplete: z.boolean().optional(),
};

export const pageStateSchema = z.object(state) satisfies z.ZodType<PageState>;

export const pageLayoutSchema = z.object({
  version: z.int(),
  ...state,
  words: z.array(pageWordSchema),
  blocks: z.array(pageBlockSchema),
  shapes: boxesSchema.optional(),
  hidden: z.array(z.object({ reason: z.enum(HIDDEN_REASONS), text: z.string() })),
}) satisfies z.ZodType<PageLayout>;
