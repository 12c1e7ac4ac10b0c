/** Routes of the files of a deck: the original, its rendered slides with their images, and the words on them. */
import { Readable } from 'node:stream';
import { DeckhandError } from '../../../domain/errors.ts';
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import { deckPdfKey } from '../../../platform/blobs.ts';
import { sha256Hex } from '../../../platform/hash.ts';
import { isKnown } from '../../http/conditional.ts';
import { group } from '../../http/routes.ts';
import { FILE_CONTENT_SECURITY } from '../../pages/content-security.ts';
import { slideImagePath } from '../report/slides.ts';
import { failureOf, findDeck } from '../store.ts';
import { attachment } from './attachment.ts';
import type { DrawnSlide } from './images.ts';
import { IMAGE_WIDTHS_PX, type ImageWidthPx, pdfRoute, slidesRoute, imageRoute, wordsRoute } from './schemas.ts';
import { slideWords } from './words.ts';

/** Width of the image that `thumbnailUrl` leads to. */
const THUMBNAIL_WIDTH_PX = 320 satisfies ImageWidthPx;

/** The newest drawing of a slide. @throws DeckhandError `not_found` */
async function findDrawn(
  db: PrismaClient,
  { tenantId, deckId, number }: { readonly tenantId: string; readonly deckId: string; readonly number: number },
): Promise<DrawnSlide> {
  const slide = await db.slide.findFirst({
    where: { tenantId, deckId, number, artefactBlobKey: { not: null } },
    orderBy: { createdAt: 'desc' },
    select: { id: true, artefactBlobKey: true },
  });
  if (slide === null || slide.artefactBlobKey === null) {
    throw new DeckhandError('not_found', `no image of slide ${number} of ${deckId}`, {
      userMessage: `There is no image of slide ${number}.`,
    });
  }
  return { ...slide, tenantId, deckId, artefactBlobKey: slide.artefactBlobKey };
}

/** Sizes of pages by the id of their row, without loading their words. */
async function pageSizes(
  db: PrismaClient,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, { widthPt: number; heightPt: number }>> {
  const rows = await db.$queryRaw<{ id: string; widthPt: number; heightPt: number }[]>`
    SELECT "id", ("layout"->>'widthPt')::float8 AS "widthPt", ("layout"->>'heightPt')::float8 AS "heightPt"
    FROM "Slide" WHERE "tenantId" = ${tenantId} AND "id" = ANY(${ids}) AND jsonb_typeof("layout") = 'object'`;
  return new Map(rows.map(({ id, ...size }) => [id, size]));
}

/** The routes of the files of decks. */
export const deckFileRoutes = group(({ db, blobs, smallerImages }, routes) => {
  routes.openapi(pdfRoute, async (c) => {
    const deck = await findDeck(db, c.get('tenantId'), c.req.valid('param').id);
    if (isKnown(c, deck.sha256, false)) return c.body(null, 304);
    const stream = await blobs.stream(deckPdfKey(deck.tenantId, deck.sha256));
    return c.body(Readable.toWeb(stream) as ReadableStream<Uint8Array>, 200, {
      'content-type': 'application/pdf',
      'content-length': String(deck.sizeBytes),
      'content-disposition': attachment(deck.fileName, '.pdf'),
      'content-security-policy': FILE_CONTENT_SECURITY,
    });
  });

  routes.openapi(slidesRoute, async (c) => {
    const tenantId = c.get('tenantId');
    const deck = await findDeck(db, tenantId, c.req.valid('param').id);
    const rows = await db.slide.findMany({
      where: { tenantId, deckId: deck.id },
      orderBy: [{ number: 'asc' }, { createdAt: 'desc' }],
      distinct: ['number'],
      omit: { layout: true },
    });
    const ids = rows.map(({ id }) => id);
    const sizes = await pageSizes(db, tenantId, ids);
    const items = rows.map((row) => {
      const imageUrl =
        row.artefactBlobKey === null ? null : `${slideImagePath(deck.id, row.number)}?v=${encodeURIComponent(row.id)}`;
      return {
        number: row.number,
        widthPx: row.widthPx,
        heightPx: row.heightPx,
        widthPt: sizes.get(row.id)?.widthPt ?? null,
        heightPt: sizes.get(row.id)?.heightPt ?? null,
        text: row.text,
        imageUrl,
        thumbnailUrl: imageUrl === null ? null : `${imageUrl}&width=${THUMBNAIL_WIDTH_PX}`,
        failure: failureOf(row),
      };
    });
    return c.json({ items }, 200);
  });

  routes.openapi(imageRoute, async (c) => {
    const tenantId = c.get('tenantId');
    const { id, number } = c.req.valid('param');
    const { width, v } = c.req.valid('query');
    const deck = await findDeck(db, tenantId, id);
    const slide = await findDrawn(db, { tenantId, deckId: deck.id, number });
    const widthPx = IMAGE_WIDTHS_PX.find((each) => String(each) === width);
    if (isKnown(c, `${slide.id}-${widthPx ?? 'full'}`, v === slide.id)) return c.body(null, 304);
    const headers = { 'content-type': 'image/jpeg' };
    if (widthPx !== undefined) {
      const image = await smallerImages.get(slide, widthPx);
      return c.body(Uint8Array.from(image), 200, headers);
    }
    const stream = await blobs.stream(slide.artefactBlobKey);
    return c.body(Readable.toWeb(stream) as ReadableStream<Uint8Array>, 200, headers);
  });

  routes.openapi(wordsRoute, async (c) => {
    const tenantId = c.get('tenantId');
    const { id, number } = c.req.valid('param');
    const deck = await findDeck(db, tenantId, id);
    const slide = await db.slide.findFirst({
      where: { tenantId, deckId: deck.id, number },
      orderBy: { createdAt: 'desc' },
      select: { layout: true, failureCode: true },
    });
    if (slide === null) {
      throw new DeckhandError('not_found', `no slide ${number} of ${id}`, {
        userMessage: `There is no slide ${number}.`,
        hint: 'It may not have been drawn yet.',
      });
    }
    const words = slideWords(slide);
    if (isKnown(c, sha256Hex(JSON.stringify(words)), false)) return c.body(null, 304);
    return c.json(words, 200);
  });
});
