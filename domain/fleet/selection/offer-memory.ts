/**
 * Memory of failures: what is not tried again for a while, and until when. Only the functions below make and read its keys.
 *
 * Times are those of {@link PROVIDER_ERROR_CLASSES}: a first block per class, doubled by each new incident up to a maximum, forgotten after
 * three quiet hours (as the cluster autoscaler does).
 */
import { assertNever } from '../../errors.ts';
import { offerKey, type OfferId } from './offer.ts';
import { PROVIDER_ERROR_CLASSES, type BlockScope, type ProviderErrorInfo } from '../provider/provider-errors.ts';
import type { OfferMemory } from './ladder.ts';

/** Without a failure for this long, the next one is the first again. */
export const QUIET_MS = 3 * 60 * 60_000;

/** Written form of a scope around an offer. */
export function scopeKey(scope: BlockScope, offer: OfferId): string {
  switch (scope) {
    case 'offer':
      return offerKey(offer);
    case 'market_location':
      return offerKey({ ...offer, instanceType: '*' });
    case 'location':
      return `${offer.provider}/${offer.location}`;
    case 'provider':
      return offer.provider;
    default:
      return assertNever(scope);
  }
}

/** The block of an offer that ends last, in any scope; null = none. */
export function blockOver(offer: OfferId, memory: ReadonlyMap<string, OfferMemory>, nowMs: number): OfferMemory | null {
  const scopes: readonly BlockScope[] = ['offer', 'market_location', 'location', 'provider'];
  const blocks = scopes
    .map((scope) => memory.get(scopeKey(scope, offer)))
    .filter((m) => m !== undefined && m.blockedUntilMs > nowMs) as OfferMemory[];
  return blocks.toSorted((a, b) => b.blockedUntilMs - a.blockedUntilMs)[0] ?? null;
}

/** Where a failure is remembered; null when its class blocks nothing. */
export function failureScopeKey(offer: OfferId, error: ProviderErrorInfo): string | null {
  const { scope } = PROVIDER_ERROR_CLASSES[error.errorClass];
  return scope === null ? null : scopeKey(scope, offer);
}

/**
 * What is remembered after a failure; null when its class blocks nothing. A failure during a block belongs to the same
 * incident (several creates were under way) and does not double it. A block is never shortened.
 *
 * @param before what was remembered under {@link failureScopeKey}
 */
export function afterFailure(
  before: OfferMemory | null,
  offer: OfferId,
  error: ProviderErrorInfo,
  nowMs: number,
): OfferMemory | null {
  const key = failureScopeKey(offer, error);
  if (key === null) return null;
  const rule = PROVIDER_ERROR_CLASSES[error.errorClass];
  const recent = before !== null && nowMs - before.lastFailureAtMs < QUIET_MS ? before : null;
  const sameIncident = recent !== null && nowMs < recent.blockedUntilMs;
  const repeats = recent === null ? 1 : recent.repeats + (sameIncident ? 0 : 1);
  const blockMs = Math.min(rule.maxBlockMs, rule.blockMs * 2 ** (repeats - 1));
  const untilMs = nowMs + Math.max(blockMs, error.retryAfterMs ?? 0);
  return {
    scopeKey: key,
    errorClass: error.errorClass,
    blockedUntilMs: Math.max(untilMs, recent?.blockedUntilMs ?? 0),
    repeats,
    lastFailureAtMs: nowMs,
    message: error.message,
  };
}
