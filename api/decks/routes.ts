/** Routes of decks: upload and delete. The list and one deck of it are in list/, their files in files/. */
import { DeckhandError } from '../../domain/errors.ts';
import { findDeletion, requestDeletion } from './deletion.ts';
import { boundaryOf } from './multipart.ts';
import { refuseAnnouncedSize, withReceivedFile } from './receive.ts';
import { RequestBody } from './request-body.ts';
import { deckDocument, uploadRoute, deleteRoute, deletionRoute } from './schemas.ts';
import { storeDeck } from './store.ts';
import { group } from '../http/routes.ts';

/** The routes of decks. */
export const deckRoutes = group((deps, routes) => {
  const { config } = deps;

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
});
