/**
 * What a gateway says of the instances it serves, and how long its word counts.
 */

/** A gateway writes every second or two; one that is quiet for longer is not believed. */
export const SERVING_BELIEVED_MS = 15_000;
