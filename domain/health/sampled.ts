/** True for an instance that its health loop samples: one that serves or is quarantined, not one that is cordoned or drains. @param quarantinedAt null = not quarantined */
export const isSampled = (phase: string, quarantinedAt: Date | null): boolean =>
  phase === 'ready' || (phase === 'cordoned' && quarantinedAt !== null);
