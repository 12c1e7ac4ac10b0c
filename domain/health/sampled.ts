/** Which instances are looked at by their health loop. */

/**
 * True for one that serves, and for one that is out of service for its health. What an operator cordoned is left alone, and so is what drains.
 *
 * @param quarantinedAt since when it takes no work for its health; null = not for that
 */
export const isSampled = (phase: string, quarantinedAt: Date | null): boolean =>
  phase === 'ready' || (phase === 'cordoned' && quarantinedAt !== null);
