/**
 * The messages of a render process to its parent, as JSON over the IPC channel.
 *
 * The parent believes nothing that a process says which parses hostile files: every message is checked against these schemas. The process
 * itself loads none of them.
 */
import { z } from 'zod';
import { ERROR_KINDS, type ErrorCode } from '../../../domain/errors.ts';
import { checkedLayoutSchema } from '../../../domain/pages/checked-layout.ts';
import { BESIDE_PAGES_PLACES, KNOWN_HAZARDS, MAX_BESIDE_PAGES_LENGTH, PREPARATIONS, type Hazard } from './messages.ts';

const HAZARDS = KNOWN_HAZARDS.flatMap((hazard): Hazard[] => [hazard, `${hazard}_unknown`]);

/** Longest message kept of a failure inside a render process. */
const MAX_MESSAGE_LENGTH = 500;

/** Longest reading of a quote that is kept; a quote has at most 300 characters. */
const MAX_READING_LENGTH = 1000;

/** Longest JPEG of a page, in base64; raw pixels at the limit would take less. */
const MAX_IMAGE_LENGTH = 32 * 1024 * 1024;

const image = z
  .base64()
  .max(MAX_IMAGE_LENGTH)
  .transform((text) => Buffer.from(text, 'base64'));
const code = z.enum(Object.keys(ERROR_KINDS) as [ErrorCode, ...ErrorCode[]]);
const message = z.string().transform((text) => text.slice(0, MAX_MESSAGE_LENGTH));

const besidePages = z
  .array(z.object({ place: z.enum(BESIDE_PAGES_PLACES), text: z.string().min(1) }))
  .refine((texts) => texts.reduce((sum, { text }) => sum + text.length, 0) <= MAX_BESIDE_PAGES_LENGTH);

const inspection = z.object({
  pageCount: z.int().min(1),
  pages: z.array(z.object({ number: z.int().min(1), widthPt: z.number(), heightPt: z.number() })),
  hazards: z.array(z.enum(HAZARDS)),
  /** Null before the pages have been searched for text. */
  hasTextLayer: z.boolean().nullable(),
  title: z.string().max(500).nullable(),
  /** Words that stand on no page, to be looked at for attempts to steer a score. */
  besidePages,
});
/** What a process has seen of a deck, without drawing anything. */
export type Inspection = z.infer<typeof inspection>;

const quoteReading = z.object({
  text: z.string().transform((text) => text.slice(0, MAX_READING_LENGTH)),
  confidence: z.number().min(0).max(100),
});

/** Messages of a render process. */
export const childMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('page-started'), number: z.int() }),
  // The page is drawn; others may be drawn meanwhile. Said again each second in which none is, which gives more time.
  z.object({ type: z.literal('page-recognising'), number: z.int() }),
  z.object({
    type: z.literal('page-done'),
    number: z.int(),
    widthPx: z.int().min(1),
    heightPx: z.int().min(1),
    layout: checkedLayoutSchema,
    /** Why recognition of the page was not completed. */
    ocrFault: message.nullable(),
    artefact: image,
    model: image,
  }),
  z.object({ type: z.literal('page-failed'), number: z.int(), code, message }),
  // Said again each second while the quote is read, which gives more time.
  z.object({ type: z.literal('quote-started'), index: z.int().min(0) }),
  z.object({
    type: z.literal('quote-read'),
    index: z.int().min(0),
    readings: z.array(quoteReading).max(PREPARATIONS.length),
    /** True when nothing is drawn in its place. */
    blank: z.boolean(),
    /** Why it was not read to the end. */
    fault: message.nullable(),
  }),
  // Said twice: the second time with `hasTextLayer`.
  z.object({ type: z.literal('inspected'), inspection }),
  z.object({ type: z.literal('finished') }),
  z.object({ type: z.literal('failed'), code, message, userMessage: message, hint: message.optional() }),
]);
export type ChildMessage = z.infer<typeof childMessage>;
/** The same as the process says it: images as text. */
export type SentMessage = z.input<typeof childMessage>;
