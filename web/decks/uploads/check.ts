/** What can be said of a file before it is sent. */
import { hasPdfHeader, PDF_HEADER_SEARCH_BYTES } from '../../../domain/decks/pdf.ts';
import { RequestError } from '../../request.ts';

const refusal = (code: string): RequestError => new RequestError(code, { code, status: 0, hint: null });

/** @throws RequestError `not_a_pdf`, `pdf_empty`, or `file_gone` for a file that the browser cannot read any more */
export async function checkIsPdf(file: File): Promise<void> {
  let head: ArrayBuffer;
  try {
    head = await file.slice(0, PDF_HEADER_SEARCH_BYTES).arrayBuffer();
  } catch {
    throw refusal('file_gone');
  }
  if (head.byteLength === 0) throw refusal('pdf_empty');
  if (!hasPdfHeader(new Uint8Array(head))) throw refusal('not_a_pdf');
}
