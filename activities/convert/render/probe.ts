/**
 * The probe of a deck: is it a readable PDF, how many pages, how large, text or scan, and is there anything in it to be wary of. Always in a
 * process of its own, which is killed at the limits.
 */
import { type RenderLimits, hasPdfHeader, PDF_HEADER_SEARCH_BYTES } from '../../../domain/decks/pdf.ts';
import { isSteering } from '../../../domain/evidence/steering.ts';
import type { Inspection } from './child-message.ts';
import { KNOWN_HAZARDS, type Hazard } from './messages.ts';
import type { Ending } from './render-process.ts';
import { takeProcess } from './spares.ts';
import { open } from 'node:fs/promises';
import { DeckhandError } from '../../../domain/errors.ts';

/** Result of the PDF check. `hasTextLayer` is null when the search for text broke a limit. */
export type DeckProbe = Omit<Inspection, 'besidePages'>;

export interface ProbeOptions {
  readonly signal: AbortSignal;
  readonly limits: RenderLimits;
}

/**
 * Looks at a deck without drawing it.
 *
 * @throws DeckhandError by name: not_a_pdf, pdf_empty, pdf_too_large, pdf_encrypted, pdf_damaged, pdf_no_pages, pdf_too_many_pages,
 *   pdf_portfolio, pdf_xfa_form, page_too_large (only if every page is); page_render_timeout and page_render_memory for a file that cannot even be opened within
 *   the limits; `internal` (retryable) when the process was lost. The reason of the signal when that aborts.
 */
export async function probeDeck(pdfPath: string, options: ProbeOptions): Promise<DeckProbe> {
  const { signal, limits } = options;
  signal.throwIfAborted();
  await checkPdfFile(pdfPath, limits.maxBytes);
  let inspection: Inspection | undefined;
  const process = takeProcess('probe');
  const job = { type: 'probe', maxPages: limits.maxPages, maxPixels: limits.maxPixels } as const;
  const ending = await process.run(job, {
    pdfPath,
    signal,
    limits,
    deadlineMs: performance.now() + limits.documentTimeoutMs,
    onMessage: (message) => {
      if (message.type === 'inspected') inspection = message.inspection;
    },
  });
  if (inspection === undefined || !isOfAPage(ending)) throw probeError(ending);
  const { besidePages, hazards, ...seen } = inspection;
  return { ...seen, hazards: settled([...hazards, ...steeringIn(besidePages)]) };
}

/**
 * Attempts to steer a score in words that stand on no page. They are told here and not in the process that read them: a fresh process would
 * spend most of its time on compiling the rules.
 */
const steeringIn = (texts: Inspection['besidePages']): Hazard[] =>
  texts.flatMap(({ place, text }) => (isSteering([text]) ? [`steering_in_${place}` as const] : []));

/** Each hazard once. One that was found in one place is not unknown because of another place. */
function settled(hazards: readonly Hazard[]): Hazard[] {
  const found = new Set(hazards);
  return [...found].filter((hazard) => !KNOWN_HAZARDS.some((k) => hazard === `${k}_unknown` && found.has(k)));
}

/** Whether a process that has opened the document can end so because of one page: rendering names the page and reads the others. */
function isOfAPage({ kind }: Ending): boolean {
  switch (kind) {
    case 'finished':
    case 'timeout':
    case 'deadline':
    case 'memory':
    case 'crashed':
      return true;
    case 'failed':
    case 'lost':
      return false;
  }
}

function probeError(ending: Ending): DeckhandError {
  switch (ending.kind) {
    case 'failed':
      return ending.error;
    case 'timeout':
    case 'deadline':
      return new DeckhandError('page_render_timeout', `opening the document ${ending.message}`, {
        userMessage: 'This PDF takes too long to open.',
      });
    case 'memory':
      return new DeckhandError('page_render_memory', `opening the document ${ending.message}`, {
        userMessage: 'This PDF needs too much memory to open.',
      });
    case 'crashed':
      return new DeckhandError('pdf_damaged', ending.message, { userMessage: 'This PDF cannot be opened.' });
    case 'finished':
    case 'lost':
      return new DeckhandError(
        'internal',
        ending.kind === 'lost' ? ending.message : 'the render process answered nothing',
      );
  }
}

/**
 * What can be said of an uploaded file without parsing it: its size, and whether it starts like a PDF. No process is started for a file
 * that fails here.
 */

/** @throws DeckhandError `pdf_empty` (0 bytes), `pdf_too_large`, `not_a_pdf` */
async function checkPdfFile(pdfPath: string, maxBytes: number): Promise<void> {
  await using file = await open(pdfPath);
  const { size } = await file.stat();
  if (size === 0) {
    throw new DeckhandError('pdf_empty', 'the file has 0 bytes', {
      userMessage: 'This file is empty.',
      hint: 'Check that the export or the download finished, and upload it again.',
    });
  }
  if (size > maxBytes) {
    throw new DeckhandError('pdf_too_large', `${size} bytes; the limit is ${maxBytes}`, {
      userMessage: `This file has ${toMiB(size)} MiB; at most ${toMiB(maxBytes)} MiB are accepted.`,
      hint: 'Export the deck with smaller images.',
    });
  }
  const { buffer, bytesRead } = await file.read(Buffer.alloc(PDF_HEADER_SEARCH_BYTES), 0, PDF_HEADER_SEARCH_BYTES, 0);
  if (!hasPdfHeader(buffer.subarray(0, bytesRead))) {
    throw new DeckhandError(
      'not_a_pdf',
      `no %PDF- header; the file starts with ${buffer.subarray(0, Math.min(bytesRead, 8)).toString('hex')}`,
      {
        userMessage: 'This file is not a PDF.',
        hint: 'Export the deck as PDF and upload it again.',
      },
    );
  }
}

function toMiB(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1);
}
