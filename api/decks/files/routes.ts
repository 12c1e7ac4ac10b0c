/** Routes of the files of a deck: its rendered slides and their images. */
import { Readable } from 'node:stream';
import { createRoute, z } from '@hono/zod-openapi';
import { DeckhandError } from '../../../domain/errors.ts';
import type { RouteDeps } from '../../context.ts';
import { createRoutes, idParam, json, problems, type Routes } from '../../http/routes.ts';
import { slideImagePath } from '../report/slides.ts';
import { slidePageSchema } from '../schemas.ts';
import { findDeck } from '../store.ts';

const slidesRoute = createRoute({
  method: 'get',
  path: '/decks/{id}/slides',
  summary: 'Rendered pages of a deck.',
  request: { params: idParam },
  responses: { 200: json(slidePageSchema, 'Pages rendered so far.'), ...problems(404) },
});

const imageRoute = createRoute({
  method: 'get',
  path: '/decks/{id}/slides/{number}/image',
  summary: 'Image of one slide.',
  request: { params: idParam.extend({ number: z.coerce.number().int().min(1).max(10_000) }) },
  responses: {
    200: { description: 'JPEG.', content: { 'image/jpeg': { schema: z.string().openapi({ format: 'binary' }) } } },
    ...problems(400, 404),
  },
});

/** The routes of the files of decks. */
export function deckFileRoutes({ db, blobs }: RouteDeps): Routes {
  const routes = createRoutes();

  routes.openapi(slidesRoute, async (c) => {
    const tenantId = c.get('tenantId');
    const deck = await findDeck(db, tenantId, c.req.valid('param').id);
    const rows = await db.slide.findMany({
      where: { tenantId, deckId: deck.id },
      orderBy: [{ number: 'asc' }, { createdAt: 'desc' }],
      distinct: ['number'],
    });
    const items = rows.map((row) => ({
      number: row.number,
      widthPx: row.widthPx,
      heightPx: row.heightPx,
      text: row.text,
      imageUrl: row.artefactBlobKey === null ? null : slideImagePath(deck.id, row.number),
      failure:
        row.failureCode === null ? null : { code: row.failureCode, message: row.failureMessage ?? row.failureCode },
    }));
    return c.json({ items }, 200);
  });

  routes.openapi(imageRoute, async (c) => {
    const tenantId = c.get('tenantId');
    const { id, number } = c.req.valid('param');
    const deck = await findDeck(db, tenantId, id);
    const slide = await db.slide.findFirst({
      where: { tenantId, deckId: deck.id, number, artefactBlobKey: { not: null } },
      orderBy: { createdAt: 'desc' },
      select: { artefactBlobKey: true },
    });
    if (slide === null || slide.artefactBlobKey === null) {
      throw new DeckhandError('not_found', `no image of slide ${number} of ${deck.id}`, {
        userMessage: `There is no image of slide ${number}.`,
      });
    }
    const stream = await blobs.stream(slide.artefactBlobKey);
    return c.body(Readable.toWeb(stream) as ReadableStream<Uint8Array>, 200, {
      'content-type': 'image/jpeg',
      'cache-control': 'private, max-age=3600',
    });
  });

  return routes;
}
