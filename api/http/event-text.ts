/** Server-sent events as text. Apart from event-stream.ts, because the feeds that make texts are among the parts that every route works with. */

/** The text of an event. @param id what a client that reconnects shows as `Last-Event-ID`; none for what cannot be resumed */
export const eventText = (type: string, data: unknown, id?: string): string =>
  `event: ${type}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;

/** Text that sets what a client shows as `Last-Event-ID`, without an event. */
export const positionText = (id: string): string => `id: ${id}\n\n`;
