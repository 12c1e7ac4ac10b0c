/** Documents of the deck list. */
import { z } from '@hono/zod-openapi';
import { deckEntryPageSchema, deckEntrySchema } from '../../../domain/decks/list/entry.ts';

export const entrySchema = z.object(deckEntrySchema.shape).openapi('DeckEntry');

export const entryPageSchema = z
  .object({ ...deckEntryPageSchema.shape, items: z.array(entrySchema) })
  .openapi('DeckEntryPage');
