/** Documents of the deck routes. */
import { z } from '@hono/zod-openapi';
import type { Deck } from '../../generated/prisma/client.ts';
import { documentOf, idParam, json, problems, route } from '../http/definition.ts';

export const deckSchema = z
  .object({
    id: z.string(),
    /** The name it was first uploaded under; in the answer to an upload the name of that upload. */
    fileName: z.string(),
    /** Other names that the same PDF was uploaded under. */
    otherNames: z.array(z.string()),
    sha256: z.string(),
    sizeBytes: z.int(),
    /** Pages; null before the file was looked into. */
    slides: z.int().nullable(),
    title: z.string().nullable(),
    hasTextLayer: z.boolean().nullable(),
    hazards: z.array(z.string()),
    createdAt: z.iso.datetime(),
    /** Since when it is being deleted; null for a deck that is not. */
    deletingAt: z.iso.datetime().nullable(),
  })
  .openapi('Deck');
export type DeckDocument = z.infer<typeof deckSchema>;

export const deletionSchema = z
  .object({
    deckId: z.string(),
    state: z.enum(['deleting', 'deleted']),
    requestedAt: z.iso.datetime(),
    finishedAt: z.iso.datetime().nullable(),
    /** What went, once it is deleted; null also where a run of the deletion was ended by hand. */
    removed: z
      .object({
        analyses: z.int(),
        slides: z.int(),
        /** Stored answers of models that no other deck uses. */
        modelResults: z.int(),
        /** Runs in Temporal, of analyses and their notifications. */
        histories: z.int(),
      })
      .nullable(),
  })
  .openapi('Deletion');
export type DeletionDocument = z.infer<typeof deletionSchema>;

/** A deck row as the API shows it, under the given one of its names. */
export const deckDocument = (row: Deck, fileName: string): DeckDocument =>
  documentOf(deckSchema, {
    ...row,
    fileName,
    otherNames: [row.fileName, ...row.otherNames].filter((name) => name !== fileName),
    slides: row.pageCount,
  });

export const uploadRoute = route('post', '/decks', {
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

export const deleteRoute = route('delete', '/decks/{id}', {
  summary: 'Delete a deck and everything of it: runs, results, files, histories. Asking again changes nothing.',
  request: { params: idParam },
  responses: {
    200: json(deletionSchema, 'It is deleted already.'),
    202: json(deletionSchema, 'It is being deleted.'),
    ...problems(404, 503),
  },
});

export const deletionRoute = route('get', '/decks/{id}/deletion', {
  summary: 'Progress of the deletion of a deck.',
  request: { params: idParam },
  responses: { 200: json(deletionSchema, 'The deletion.'), ...problems(404, 503) },
});
