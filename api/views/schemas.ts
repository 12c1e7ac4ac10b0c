/** Documents of saved views. */
import { z } from '@hono/zod-openapi';
import type { SavedView } from '../../generated/prisma/client.ts';
import { nameSchema } from '../tenants/schemas.ts';
import { documentOf, idParam, json, jsonBody, problems, route } from '../http/definition.ts';

export const newViewSchema = z
  .strictObject({
    name: nameSchema,
    /** Query of the deck list, as it stands in the address of the page: `status=failed&sort=-score`. Empty = every deck. */
    query: z.string().max(4000),
  })
  .openapi('NewSavedView');

export const viewSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    query: z.string(),
    /** Name of the key that made it. */
    createdBy: z.string(),
    createdAt: z.iso.datetime(),
  })
  .openapi('SavedView');

export const viewListSchema = z.object({ items: z.array(viewSchema) }).openapi('SavedViewList');

/** A row as the API shows it. */
export const viewDocument = (row: SavedView) => documentOf(viewSchema, row);

export const listRoute = route('get', '/views', {
  summary: 'Saved views, by name.',
  responses: { 200: json(viewListSchema, 'All of them.') },
});

export const saveRoute = route('post', '/views', {
  summary: 'Save a view. One of the same name gets the new query.',
  request: { body: jsonBody(newViewSchema) },
  responses: {
    200: json(viewSchema, 'It existed and has the new query.'),
    201: json(viewSchema, 'It is added.'),
    ...problems(400),
  },
});

export const removeRoute = route('delete', '/views/{id}', {
  summary: 'Remove a saved view.',
  request: { params: idParam },
  responses: { 204: { description: 'It is removed.' }, ...problems(404) },
});
