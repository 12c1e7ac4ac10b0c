/**
 * Classes of provider errors, as data: what each blocks, for how long, whether it counts as an attempt, and where it is reported.
 *
 * The classes are those of the design; the times are defaults that a provider's capabilities or configuration may replace.
 */
import type { ErrorCode } from '../../errors.ts';

/**
 * What a block covers around an offer, smallest first. `family` = types of one family (a pattern that the classifier names), `account` =
 * everything that is rented with these credentials.
 */
export const BLOCK_SCOPES = ['offer', 'family', 'market_location', 'location', 'account'] as const;
export type BlockScope = (typeof BLOCK_SCOPES)[number];

/** What must not be tried, where an error says something else than its class. */
export interface BlockRule {
  readonly scope: BlockScope;
  /** Types of the family, with `*` for any text and `|` between alternatives, such as `p5.*`; only with scope `family`. */
  readonly types?: string;
  /** Locations that the block covers beside the offer's own, with `*` for any text, such as `eu-west-1*` for all zones of a region. */
  readonly locations?: string;
  /** It covers spot and on-demand alike. */
  readonly bothMarkets?: boolean;
  /** Length of the first block, ms, instead of the class's; it is not doubled. */
  readonly blockMs?: number;
}

export interface ProviderErrorClassRule {
  /** What must not be tried again for a while; null = nothing is blocked. */
  readonly scope: BlockScope | null;
  /** First block, ms; 0 = none. */
  readonly blockMs: number;
  /** Each repetition doubles the block up to this, ms. */
  readonly maxBlockMs: number;
  /** A failed create of this class counts against the launch limit. */
  readonly countsAsAttempt: boolean;
  /** Where it is reported: only in the explanation of the offer, to an operator (once), or only as a metric. */
  readonly report: 'explain' | 'operator' | 'metric';
}

const MINUTE = 60_000;

/** Every class with its rule. `transient` on create means: the outcome is unknown. */
export const PROVIDER_ERROR_CLASSES = {
  capacity: { scope: 'offer', blockMs: 3 * MINUTE, maxBlockMs: 30 * MINUTE, countsAsAttempt: true, report: 'explain' },
  capacity_async: {
    scope: 'offer',
    blockMs: 10 * MINUTE,
    maxBlockMs: 30 * MINUTE,
    countsAsAttempt: true,
    report: 'explain',
  },
  // Providers do not publish quotas, so only a create shows that one was raised. A refused one costs nothing.
  quota: {
    scope: 'market_location',
    blockMs: 3 * MINUTE,
    maxBlockMs: 15 * MINUTE,
    countsAsAttempt: false,
    report: 'operator',
  },
  billing: {
    scope: 'account',
    blockMs: 5 * MINUTE,
    maxBlockMs: 5 * MINUTE,
    countsAsAttempt: false,
    report: 'operator',
  },
  auth: { scope: 'account', blockMs: 5 * MINUTE, maxBlockMs: 5 * MINUTE, countsAsAttempt: false, report: 'operator' },
  config: { scope: null, blockMs: 0, maxBlockMs: 0, countsAsAttempt: false, report: 'operator' },
  throttled: { scope: null, blockMs: 0, maxBlockMs: 0, countsAsAttempt: false, report: 'metric' },
  transient: { scope: null, blockMs: 0, maxBlockMs: 0, countsAsAttempt: false, report: 'metric' },
  gone: { scope: null, blockMs: 0, maxBlockMs: 0, countsAsAttempt: false, report: 'metric' },
  not_yet: { scope: null, blockMs: 0, maxBlockMs: 0, countsAsAttempt: false, report: 'operator' },
} as const satisfies Record<string, ProviderErrorClassRule>;

export type ProviderErrorClass = keyof typeof PROVIDER_ERROR_CLASSES;

/** A provider's error as plain data: what crosses Temporal and enters the reducer. */
export interface ProviderErrorInfo {
  readonly errorClass: ProviderErrorClass;
  /** The provider's own words, without credentials. */
  readonly message: string;
  /** From Retry-After, where the provider said one. */
  readonly retryAfterMs?: number;
  /** What to block instead of what the class blocks; null = nothing, because other creates of the offer are not concerned. */
  readonly block?: BlockRule | null;
  /** Locations that the provider named as having capacity. */
  readonly hints?: readonly string[];
}

/** The error code that a class is thrown under. */
export const codeOfProviderError = (errorClass: ProviderErrorClass): ErrorCode =>
  errorClass === 'capacity_async' ? 'provider_capacity' : `provider_${errorClass}`;
