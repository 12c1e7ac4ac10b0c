/** Definition of the route of the event stream of the deck list. */
import { z } from '@hono/zod-openapi';
import { problems, route, texts } from '../http/definition.ts';

/** Postgres' bigint. */
const MAX_VERSION = 2n ** 63n - 1n;
const versionSchema = z
  .string()
  .regex(/^\d{1,19}$/u, 'not an id of an event')
  .transform(BigInt)
  .refine((version) => version <= MAX_VERSION, 'not an id of an event');

export const eventsRoute = route('get', '/events', {
  summary: 'Follow the deck list: events deck, gone and progress.',
  description: [
    '`deck` carries a DeckEntry and an id: the newest state of a deck that changed; with `deletingAt` for one that is being deleted.',
    '`gone` carries the `id` of a deck that was deleted.',
    '`progress` carries how far running reviews are, by deck (`{stage, done, total, failed}`), in place of what it said before.',
    'A client that reconnects with `Last-Event-ID` is told every change of what is there. Of decks that were deleted meanwhile it is told nothing: it reads its list again.',
  ].join('\n\n'),
  request: {
    query: z.strictObject({
      after: versionSchema.optional().openapi({
        type: 'string',
        description:
          '`eventId` of a page of the list: the stream continues after it. Without it, it begins with the present.',
      }),
    }),
    headers: z.object({
      // A client shows what it was sent; anything else is none of ours.
      'last-event-id': versionSchema
        .optional()
        .catch(undefined)
        .openapi({ type: 'string', description: 'Goes before `after`.' }),
    }),
  },
  responses: { 200: { description: 'Events without an end.', content: texts('text/event-stream') }, ...problems(400) },
});
