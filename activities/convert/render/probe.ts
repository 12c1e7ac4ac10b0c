/**
 * The probe of a deck: is it a readable PDF, how many pages, how large, text or scan, and is there anything in it to be wary of. Always in a
 * process of its own, which is killed at the limits.
 */
import { DeckhandError } from '../../../domain/errors.ts';
import type { RenderLimits } from '../../../domain/decks/pdf.ts';
import { checkPdfFile } from './file-check.ts';
import type { DeckProbe } from './messages.ts';
import type { Ending } from './render-process.ts';
import { takeProcess } from './spares.ts';

export type { DeckProbe } from './messages.ts';

export interface ProbeOptions {
  readonly signal: AbortSignal;
  readonly limits: RenderLimits;
}

/**
 * Looks at a deck without drawing it.
 *
 * @throws DeckhandError by name: not_a_pdf, pdf_empty, pdf_too_large, pdf_encrypted, pdf_damaged, pdf_no_pages, pdf_too_many_pages,
 *   page_too_large (only if every page is); page_render_timeout and page_render_memory for a file that cannot even be opened within
 *   the limits; `internal` (retryable) when the process was lost. The reason of the signal when that aborts.
 */
export async function probeDeck(pdfPath: string, options: ProbeOptions): Promise<DeckProbe> {
  const { signal, limits } = options;
  signal.throwIfAborted();
  await checkPdfFile(pdfPath, limits.maxBytes);
  let probe: DeckProbe | undefined;
  const process = takeProcess('probe');
  const job = { type: 'probe', maxPages: limits.maxPages, maxPixels: limits.maxPixels } as const;
  const ending = await process.run(job, {
    pdfPath,
    signal,
    limits,
    deadlineMs: performance.now() + limits.documentTimeoutMs,
    onMessage: (message) => {
      if (message.type === 'probed') probe = message.probe;
    },
  });
  if (probe === undefined) throw probeError(ending);
  return probe;
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
