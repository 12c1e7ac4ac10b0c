/**
 * What a render process is asked to do, and the hazards it may find. The process knows no path: the PDF comes through a pipe, and images go
 * back as messages.
 */
import type { RecognitionLimits } from '../../../domain/decks/pdf.ts';
import type { RendererName } from './renderer.ts';

export const KNOWN_HAZARDS = [
  'javascript',
  'launch_action',
  'attachments',
  'owner_password',
  'xfa_form',
  'repaired_structure',
] as const;
export type KnownHazard = (typeof KNOWN_HAZARDS)[number];
/**
 * Something in a deck that is never acted on, but that a reader of the review should know about; `…_unknown` where the file is too damaged
 * to say.
 */
export type Hazard = KnownHazard | `${KnownHazard}_unknown`;

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
      readonly recognition: RecognitionLimits;
    };
