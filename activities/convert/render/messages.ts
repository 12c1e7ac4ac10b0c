/**
 * What a render process is asked to do, and the hazards it may find. The process knows no path: the PDF comes through a pipe, and images go
 * back as messages.
 */
import type { RecognitionLimits } from '../../../domain/decks/pdf.ts';
import type { QuoteLine } from '../../../domain/evidence/quote-lines.ts';
import type { RendererName } from './renderer.ts';

export const KNOWN_HAZARDS = [
  'javascript',
  'launch_action',
  'attachments',
  'owner_password',
  'xfa_form',
  'repaired_structure',
  'steering_in_metadata',
  'steering_in_annotation',
  'steering_in_alternative_text',
] as const;
export type KnownHazard = (typeof KNOWN_HAZARDS)[number];
/**
 * Something in a deck that is never acted on, but that a reader of the review should know about; `…_unknown` where the file is too damaged
 * to say.
 */
export type Hazard = KnownHazard | `${KnownHazard}_unknown`;

/** Where words of a file stand that are on no page. */
export const BESIDE_PAGES_PLACES = ['metadata', 'annotation', 'alternative_text'] as const;
export type BesidePagesPlace = (typeof BESIDE_PAGES_PLACES)[number];
export type BesidePages = { readonly place: BesidePagesPlace; readonly text: string }[];
/** Most characters of such words in a document; recognising steering in them takes some ten milliseconds. */
export const MAX_BESIDE_PAGES_LENGTH = 200_000;

/** Descriptor of the pipe through which a process gets the PDF. */
export const PDF_FD = 4;

/** A quote that can be read in a picture. */
export interface QuoteInPicture {
  readonly quote: string;
  /** Index of its picture. */
  readonly picture: number;
  readonly lines: readonly QuoteLine[];
}

/**
 * The ways in which a line of a quote is prepared, in the order in which they are tried: the difference of each pixel from the ground, whatever
 * the colours; its shade, which shows letters over grounds of several colours; the difference again, larger and with more beside the box.
 */
export const PREPARATIONS = ['difference', 'shade', 'large'] as const;
export type Preparation = (typeof PREPARATIONS)[number];

/** One thing to do; a process does exactly one job in its life. */
export type Job =
  | { readonly type: 'probe'; readonly maxPages: number; readonly maxPixels: number }
  | {
      readonly type: 'render';
      readonly pages: readonly number[];
      readonly renderer: RendererName;
      readonly maxPixels: number;
      readonly recognition: RecognitionLimits;
    }
  | {
      /** Reads quotes again: the pipe has JPEGs of their pages in place of a PDF, one after the other. */
      readonly type: 'reread';
      /** Bytes of each picture. */
      readonly pictures: readonly number[];
      readonly quotes: readonly QuoteInPicture[];
      readonly recognition: RecognitionLimits;
    };
