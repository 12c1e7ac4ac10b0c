/** Document of people, and the definition of its route. */
import { z } from '@hono/zod-openapi';
import { json, route } from '../http/definition.ts';

export const peopleSchema = z.object({ items: z.array(z.object({ name: z.string() })) }).openapi('People');
export type PersonDocument = z.infer<typeof peopleSchema>['items'][number];

export const listRoute = route('get', '/people', {
  summary: 'Names of people: of the keys that are valid, of those who said something, and of those who were assigned.',
  responses: { 200: json(peopleSchema, 'All of them, in alphabetical order.') },
});
