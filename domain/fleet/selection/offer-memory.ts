/**
 * Memory of failures: what is not tried again for a while, and until when. Only the functions below make and read its keys.
 *
 * Times are those of {@link PROVIDER_ERROR_CLASSES}: a first block per class, doubled by each new incident up to a maximum, forgotten after
 * three quiet hours (as the cluster autoscaler does).
 */
import { assertNever } from '../../errors.ts';
import { offerKey, type OfferId } from './offer.ts';
import { PROVIDER_ERROR_CLASSES, type BlockRule, type ProviderErrorInfo } from '../provider/provider-errors.ts';
import type { OfferMemory } from './ladder.ts';

/** Without a failure for this long, the next one is the first again. */
export const QUIET_MS = 3 * 60 * 60_000;

/**
 * Written form of a block around an offer: `provider`, `provider/location`, or an offer key in which `*` stands for any text.
 *
 * @param rule what the block covers; its patterns widen the offer's own location, type and market
 */
export function scopeKey(rule: BlockRule, offer: OfferId): string {
  const location = rule.locations ?? offer.location;
  const market = rule.bothMarkets === true ? '*' : offer.market;
  switch (rule.scope) {
    case 'offer':
      return `${offer.provider}/${location}/${offer.instanceType}/${market}`;
    case 'family':
      return `${offer.provider}/${location}/${rule.types ?? offer.instanceType}/${market}`;
    case 'market_location':
      return `${offer.provider}/${location}/*/${market}`;
    case 'location':
      return `${offer.provider}/${location}`;
    case 'account':
      return offer.provider;
    default:
      return assertNever(rule.scope);
  }
}

/** True when a written scope covers an offer. */
export function covers(written: string, offer: OfferId): boolean {
  const [provider, location = '*', instanceType = '*', market = '*'] = written.split('/');
  return (
    provider === offer.provider &&
    matches(location, offer.location) &&
    matches(instanceType, offer.instanceType) &&
    matches(market, offer.market)
  );
}

/** `*` stands for any text, also none; `|` stands between alternatives. */
function matches(pattern: string, text: string): boolean {
  if (pattern.includes('|')) return pattern.split('|').some((one) => matches(one, text));
  if (!pattern.includes('*')) return pattern === text;
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop() ?? '';
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1 || found + part.length > text.length - last.length) return false;
    at = found + part.length;
  }
  return true;
}

/** What is remembered, so that the blocks of an offer are found without reading all of it. */
export class BlockIndex {
  readonly #exact = new Map<string, OfferMemory>();
  readonly #wide: OfferMemory[] = [];

  constructor(memory: readonly OfferMemory[]) {
    for (const one of memory) {
      const isOffer = one.scopeKey.split('/').length === 4 && !one.scopeKey.includes('*');
      if (isOffer) this.#exact.set(one.scopeKey, one);
      else this.#wide.push(one);
    }
  }

  /** What is remembered of exactly this offer. */
  of(offer: OfferId): OfferMemory | null {
    return this.#exact.get(offerKey(offer)) ?? null;
  }

  /** The block of an offer that ends last, in any scope; null = none. */
  blockOver(offer: OfferId, nowMs: number): OfferMemory | null {
    const own = this.of(offer);
    const blocks = [...(own === null ? [] : [own]), ...this.#wide.filter((wide) => covers(wide.scopeKey, offer))];
    return (
      blocks.filter((m) => m.blockedUntilMs > nowMs).toSorted((a, b) => b.blockedUntilMs - a.blockedUntilMs)[0] ?? null
    );
  }
}

/** What a failure blocks; null when it blocks nothing. */
export function blockRuleOf({ errorClass, block }: ProviderErrorInfo): BlockRule | null {
  const { scope } = PROVIDER_ERROR_CLASSES[errorClass];
  if (block !== undefined) return block;
  return scope === null ? null : { scope };
}

/** Where a failure is remembered; null when it blocks nothing. */
export function failureScopeKey(offer: OfferId, error: ProviderErrorInfo): string | null {
  const rule = blockRuleOf(error);
  return rule === null ? null : scopeKey(rule, offer);
}

/**
 * What is remembered after a failure; null when it blocks nothing. A failure during a block belongs to the same
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
  const blockMs = error.block?.blockMs ?? Math.min(rule.maxBlockMs, rule.blockMs * 2 ** (repeats - 1));
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
