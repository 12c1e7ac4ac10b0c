/**
 * A picture as a deck of one slide: a PDF with one page that the picture fills. The same picture gives the same PDF, and with that the same
 * deck.
 *
 * The picture is decoded and written anew, within limits, so that nothing of the sender's file but its pixels reaches the PDF.
 */
import PDFDocument from 'pdfkit';
import sharp from 'sharp';
import { ARTEFACT_WIDTH_PX } from '../../domain/decks/pdf.ts';
import { DeckhandError } from '../../domain/errors.ts';

/** Width of the page, in points. */
const PAGE_WIDTH_PT = 960;
/** Longest side of the picture in the PDF: twice what is drawn of it. */
const MAX_SIDE_PX = 2 * ARTEFACT_WIDTH_PX;
/** Pictures of more pixels are not decoded. */
const MAX_PIXELS = 64 * 1024 * 1024;
const JPEG_QUALITY = 92;

const startsWith = (bytes: Uint8Array, text: string, at = 0): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset + at, Math.min(text.length, bytes.length - at)).toString('latin1') ===
  text;

/** Known by their first bytes: other formats are not given to the decoder, which knows many. */
const isKnownFormat = (bytes: Uint8Array): boolean =>
  bytes.length > 12 &&
  (startsWith(bytes, '\u0089PNG\r\n\u001A\n') ||
    startsWith(bytes, '\u00FF\u00D8\u00FF') ||
    (startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8)));

const refused = (message: string, cause?: unknown): DeckhandError =>
  new DeckhandError('invalid_request', `picture refused: ${message}`, {
    userMessage: `image: ${message}`,
    hint: 'Send one PNG, JPEG or WebP of a slide in base64, of at most 64 million pixels.',
    cause,
  });

/** Makes the PDF. @throws DeckhandError `invalid_request` for what is no picture, is damaged or has too many pixels */
export async function deckOfPicture(bytes: Uint8Array): Promise<Uint8Array> {
  if (!isKnownFormat(bytes)) throw refused('this is neither PNG, JPEG nor WebP');
  const drawn = await sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
    .autoOrient()
    .flatten({ background: '#ffffff' })
    .resize({ width: MAX_SIDE_PX, height: MAX_SIDE_PX, fit: 'inside', withoutEnlargement: true })
    .jpeg({ quality: JPEG_QUALITY, chromaSubsampling: '4:4:4' })
    .toBuffer({ resolveWithObject: true })
    .catch((error: unknown) => {
      throw refused('this picture cannot be read', error);
    });
  const heightPt = (PAGE_WIDTH_PT * drawn.info.height) / drawn.info.width;
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const info = { CreationDate: new Date(0) };
  const document = new PDFDocument({ size: [PAGE_WIDTH_PT, heightPt], margin: 0, info });
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  document.on('end', () => resolve(Buffer.concat(chunks)));
  document.on('error', reject);
  document.image(drawn.data, 0, 0, { width: PAGE_WIDTH_PT, height: heightPt });
  document.end();
  return promise;
}
