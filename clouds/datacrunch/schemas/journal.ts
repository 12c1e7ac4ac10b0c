/**
 * Events of the journal as DataCrunch describes them: what happened to machines and disks, and when.
 */
import { z } from 'zod';
import { id, nullableText, nullableTime, text } from './lenient.ts';

/** One event. Codes are an open set; one without a time says nothing. */
export const journalEventSchema = z.looseObject({
  id,
  object_id: nullableText,
  object_type: text,
  action_code: text,
  timestamp: nullableTime,
});
export type JournalEventData = z.infer<typeof journalEventSchema>;
