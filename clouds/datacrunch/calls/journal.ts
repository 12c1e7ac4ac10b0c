/**
 * Calls on the journal: what happened to machines and disks, also to those that are long gone. Beta at the provider.
 */
import { jsonOf, listAll, segment } from '../http/reading.ts';
import type { Transport } from '../http/transport.ts';
import type { Call } from '../../http/wire.ts';
import { z } from 'zod';
import { id, nullableText, nullableTime, text } from '../schemas/lenient.ts';

/** One event. Codes are an open set; one without a time says nothing. */
export const journalEventSchema = z.looseObject({
  id,
  object_id: nullableText,
  object_type: text,
  action_code: text,
  timestamp: nullableTime,
});
export type JournalEventData = z.infer<typeof journalEventSchema>;

const PAGE_SIZE = 100;
const MOST_PAGES = 1_000;

export function journalCalls(http: Transport) {
  return {
    /** Everything that happened to one machine or volume. */
    of: (type: 'compute' | 'volume', objectId: string): Promise<readonly JournalEventData[]> =>
      listAll(http, `/journal/${type}/${segment(objectId)}`, journalEventSchema, { paged: true }),

    /** Creates of machines and volumes since then. The journal is read from its newest end until it is older. */
    async createsSince(sinceMs: number): Promise<readonly JournalEventData[]> {
      const found = new Map<string, JournalEventData>();
      for (let page = 1; page <= MOST_PAGES; page += 1) {
        const query = { action_code: 'create', page, pageSize: PAGE_SIZE };
        const call: Call = { kind: 'read', method: 'GET', path: '/journal', query };
        const events = await http.send(call, jsonOf(http, call, journalEventSchema.array()));
        const young = events.filter((event) => event.timestamp === null || event.timestamp >= sinceMs);
        const before = found.size;
        for (const event of young) found.set(event.id, event);
        // Events that came meanwhile push others onto the next page: those are seen twice, none is missed.
        const isLast = events.length < PAGE_SIZE || young.length === 0 || found.size === before;
        if (isLast) break;
      }
      return [...found.values()].filter((event) => event.action_code === 'create');
    },
  };
}
