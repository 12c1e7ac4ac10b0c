/** Routes of decks: upload and delete. The list and one deck of it are in list/, their files in files/. */
import { createRoute, z } from '@hono/zod-openapi';
import { DeckhandError } from '../../domain/errors.ts';
import type { RouteDeps } from '../context.ts';
import { findDeletion, requestDeletion } from './deletion.ts';
import { boundaryOf } from './multipart.ts';
import { refuseAnnouncedSize, withReceivedFile } from './receive.ts';
import { RequestBody } from './request-body.ts';
import { deckDocument, deckSchema, deletionSchema } from './schemas.ts';
import { storeDeck } from './store.ts';
import { createRoutes, idParam, json, problems, type Routes } from '../http/routes.ts';

const uploadRoute = createRoute({
  method: 'post',
  path: '/decks',
  summary: 'Upload a deck. The same PDF is the same deck: 200 instead of 201.',
  request: {
    body: {
      required: true,
      content: {
        'multipart/form-data': { schema: z.object({ file: z.any().openapi({ type: 'string', format: 'binary' }) }) },
      },
    },
  },
  responses: {
    200: json(deckSchema, 'The deck was there already.'),
    201: json(deckSchema, 'The deck is stored.'),
    ...problems(400, 409, 413, 415, 422, 507),
  },
});

const deleteRoute = createRoute({
  method: 'delete',
  path: '/decks/{id}',
  summary: 'Delete a deck and everything of it: runs, results, files, histories. Asking again changes nothing.',
  request: { params: idParam },
  responses: {
    200: json(deletionSchema, 'It is deleted already.'),
    202: json(deletionSchema, 'It is being deleted.'),
    ...problems(404, 503),
  },
});

const deletionRoute = createRoute({
  method: 'get',
  path: '/decks/{id}/deletion',
  summary: 'Progress of the deletion of a deck.',
  request: { params: idParam },
  responses: { 200: json(deletionSchema, 'The deletion.'), ...problems(404, 503) },
});

/** The routes of decks. */
export function deckRoutes(deps: RouteDeps): Routes {
  const { config } = deps;
  const routes = createRoutes();

  // Described here, handled by hand: the framework's validation would read the whole body into memory.
  routes.openAPIRegistry.registerPath(uploadRoute);
  routes.post('/decks', async (c) => {
    const stream = c.req.raw.body;
    if (stream === null)
      throw new DeckhandError('invalid_request', 'no body', { userMessage: 'The upload has no body.' });
    const body = new RequestBody(stream);
    try {
      const boundary = boundaryOf(c.req.header('content-type'));
      refuseAnnouncedSize(c.req.header('content-length'), config.maxUploadBytes);
      const { tenantId, via, name } = c.get('identity');
      const uploadedBy = via === 'open' ? null : name;
      return await withReceivedFile(body, boundary, config, async (file) => {
        const { deck, created } = await storeDeck(deps, { tenantId, uploadedBy }, file);
        c.get('log').info({ deckId: deck.id, sizeBytes: file.sizeBytes, created }, 'deck uploaded');
        return c.json(deckDocument(deck, file.fileName), created ? 201 : 200);
      });
    } finally {
      await body.discard();
    }
  });

  routes.openapi(deleteRoute, async (c) => {
    const deletion = await requestDeletion({ ...deps, log: c.get('log') }, c.get('tenantId'), c.req.valid('param').id);
    return c.json(deletion, deletion.state === 'deleted' ? 200 : 202);
  });

  routes.openapi(deletionRoute, async (c) =>
    c.json(await findDeletion({ ...deps, log: c.get('log') }, c.get('tenantId'), c.req.valid('param').id), 200),
  );

  return routes;
}
