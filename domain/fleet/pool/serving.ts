/** A gateway reports on its instances every second or two; a report older than this does not count. */
export const SERVING_BELIEVED_MS = 15_000;
