/**
 * What can be said of an uploaded file without parsing it: its size, and whether it starts like a PDF. No process is started for a file
 * that fails here.
 */
import { open } from 'node:fs/promises';
import { DeckhandError } from '../../../domain/errors.ts';
import { hasPdfHeader, PDF_HEADER_SEARCH_BYTES } from '../../../domain/decks/pdf.ts';

/** @throws DeckhandError `pdf_empty` (0 bytes), `pdf_too_large`, `not_a_pdf` */
export async function checkPdfFile(pdfPath: string, maxBytes: number): Promise<void> {
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
