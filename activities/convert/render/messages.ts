/**
 * The messages between a render process and its parent, as JSON over the IPC channel.
 *
 * The parent believes nothing that a process says which parses hostile files: every message is checked against these schemas. The process
 * knows no path: the PDF comes through a pipe, and images go back as messages.
 */
import { z } from 'zod';
import { ERROR_KINDS } from '../../../domain/errors.ts';
import type { ErrorCode } from '../../../domain/errors.ts';
import { MAX_PAGE_TEXT_LENGTH } from '../../../domain/decks/pdf.ts';
import type { RendererName } from './renderer.ts';

export const KNOWN_HAZARDS = ['javascript', 'launch_action', 'attachments', 'owner_password', 'xfa_form'] as const;
export type KnownHazard = (typeof KNOWN_HAZARDS)[number];
/**
 * Something in a deck that is never acted on, but that a reader of the review should know about; `…_unknown` where the file is too damaged
 * to say.
 */
export type Hazard = KnownHazard | `${KnownHazard}_unknown`;
const HAZARDS = KNOWN_HAZARDS.flatMap((hazard): Hazard[] => [hazard, `${hazard}_unknown`]);

/** Descriptor of the pipe through which a process gets the PDF. */
export const PDF_FD = 4;

/** One thing to do; a process does exactly one job in its life. */
export type Job =
  | { readonly type: 'probe'; readonly maxPages: number; readonly maxPixels: number }
  | {
      readonly type: 'render';
      readonly pages: readonly number[];
      readonly renderer: RendererName;
      readonly maxPixels: number;
    };

/** Longest message kept of a failure inside a render process. */
const MAX_MESSAGE_LENGTH = 500;

/** Longest JPEG of a page, in base64; raw pixels at the limit would take less. */
const MAX_IMAGE_LENGTH = 32 * 1024 * 1024;

const image = z
  .base64()
  .max(MAX_IMAGE_LENGTH)
  .transform((text) => Buffer.from(text, 'base64'));
const code = z.enum(Object.keys(ERROR_KINDS) as [ErrorCode, ...ErrorCode[]]);
const message = z.string().transform((text) => text.slice(0, MAX_MESSAGE_LENGTH));

const deckProbe = z.object({
  pageCount: z.int().min(1),
  pages: z.array(z.object({ number: z.int().min(1), widthPt: z.number(), heightPt: z.number() })),
  hazards: z.array(z.enum(HAZARDS)),
  hasTextLayer: z.boolean(),
  title: z.string().max(500).nullable(),
});
/** Result of the PDF check, which draws nothing. */
export type DeckProbe = z.infer<typeof deckProbe>;

/** Messages of a render process. */
export const childMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('page-started'), number: z.int() }),
  z.object({
    type: z.literal('page-done'),
    number: z.int(),
    widthPx: z.int().min(1),
    heightPx: z.int().min(1),
    text: z.string().max(MAX_PAGE_TEXT_LENGTH),
    artefact: image,
    model: image,
  }),
  z.object({ type: z.literal('page-failed'), number: z.int(), code, message }),
  z.object({ type: z.literal('probed'), probe: deckProbe }),
  z.object({ type: z.literal('finished') }),
  z.object({ type: z.literal('failed'), code, message, userMessage: message, hint: message.optional() }),
]);
export type ChildMessage = z.infer<typeof childMessage>;
/** The same as the process says it: images as text. */
export type SentMessage = z.input<typeof childMessage>;
