/** The deck that a request of the compatibility layer is about: one that is stored, or one that comes with the request and is stored first. */
import type { Deck } from '../../generated/prisma/client.ts';
import { DeckhandError } from '../../domain/errors.ts';
import type { ApiDeps } from '../deps.ts';
import { tooLarge, withGivenFile } from '../decks/receive.ts';
import { findDeck, storeDeck } from '../decks/store.ts';
import { deckOfPicture } from './picture-deck.ts';
import { MAX_INLINE_BYTES, type TaskBody } from './schemas.ts';

type Deps = Pick<ApiDeps, 'db' | 'blobs' | 'config'>;
type Sender = Parameters<typeof storeDeck>[1];

/** Most bytes of a PDF or picture inside a document. */
export const inlineLimit = ({ maxUploadBytes }: Pick<ApiDeps['config'], 'maxUploadBytes'>): number =>
  Math.min(MAX_INLINE_BYTES, maxUploadBytes);

/** Bytes of a field in base64. @throws DeckhandError `invalid_request` when it is not base64, `pdf_too_large` */
function decoded(field: 'pdf' | 'image', text: string, maxBytes: number): Uint8Array {
  const padding = /={0,2}$/u.exec(text)?.[0].length ?? 0;
  const expected = Math.floor(((text.length - padding) * 3) / 4);
  if (expected > maxBytes) throw tooLarge(maxBytes);
  const bytes = Buffer.from(text, 'base64');
  // Characters that are not base64 are skipped, so what is too short had some.
  if (bytes.length === expected) return bytes;
  throw new DeckhandError('invalid_request', `${field} is not base64`, {
    userMessage: `${field}: not base64`,
    hint: 'Encode the file without line breaks, for example with `base64 --wrap=0 slide.png`.',
  });
}

/**
 * The deck of a request. A PDF or a picture is stored as an upload is, and the same one is the same deck.
 *
 * @throws DeckhandError `not_found` (deck), `invalid_request`, `not_a_pdf`, `pdf_empty`, `pdf_too_large`, `conflict`, `storage_full`
 */
export async function deckOfBody(
  { db, blobs, config }: Deps,
  sender: Sender,
  { deckId, pdf, image, fileName }: TaskBody,
): Promise<Pick<Deck, 'id'>> {
  if (deckId !== undefined) return findDeck(db, sender.tenantId, deckId);
  const maxBytes = inlineLimit(config);
  const bytes =
    image === undefined ? decoded('pdf', pdf ?? '', maxBytes) : await deckOfPicture(decoded('image', image, maxBytes));
  const name = fileName ?? (image === undefined ? 'deck.pdf' : 'slide.pdf');
  return withGivenFile(bytes, name, config, async (file) => (await storeDeck({ db, blobs }, sender, file)).deck);
}
