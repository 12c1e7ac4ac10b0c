/**
 * Parts that the transports of all providers share: clock and pauses, secrets masked in texts, the wait for the rate limit, tries and tokens.
 */
import { createHash } from 'node:crypto';
import { asDeckhandError, DeckhandError } from '../../domain/errors.ts';
import { pause as realPause } from '../../platform/pause.ts';
import {
  createMemoryRateLimit,
  type CallBucket,
  type CallRateLimit,
  type FullBucket,
  type Pause,
} from '../call-rate-limit.ts';
import { providerError } from '../errors.ts';
import { CREATE_PATIENCE_MS, LEAST_ANSWER_MS, retryPauseMs, type RetryOptions, type Tried } from './retry.ts';
import type { TokenSource } from './token.ts';
import { createWire, stoppedError, type CallKind, type Fetch, type Wire, type WireAnswer } from './wire.ts';

/** How calls are sent. */
export interface ConnectionOptions {
  /** Shared by all who use the account; one of this connection's own where left out. */
  readonly rateLimit?: CallRateLimit;
  /** Ends every wait and call when it fires. */
  readonly signal?: AbortSignal;
  /** Told after each reading of a list whose rows stand alone which of them could not be read; an empty list = all could. */
  readonly onRows?: OnRows;
  /** Replaced by tests that run on a virtual clock. */
  readonly fetch?: Fetch;
  readonly pause?: Pause;
  readonly now?: () => number;
  /** A number in [0, 1); for the jitter of pauses. */
  readonly random?: () => number;
}

/** @param route such as `/instance-types` @param unreadable a sentence per row */
export type OnRows = (route: string, unreadable: readonly string[]) => void;

/** A connection of one account. */
export interface AccountConnectionOptions<Credentials> extends ConnectionOptions {
  /** Where every call of every service goes, as to a simulator; null = to the provider. */
  readonly baseUrl: string | null;
  readonly credentials: Credentials;
}

/** Shorter secrets are not masked, because that would mask ordinary words. */
const SHORTEST_SECRET = 6;

/** Name of an account in rate limit keys: short, and reveals nothing about the credentials. */
export const accountKey = (provider: string, who: string): string =>
  `${provider}:${createHash('sha256').update(who).digest('hex').slice(0, 12)}`;

/** See the file's header. @param secrets what may stand in no text */
export class Connection {
  readonly rateLimit: CallRateLimit;
  readonly stop: AbortSignal;
  readonly fetch: Fetch;
  readonly now: () => number;
  readonly random: () => number;
  readonly onRows: OnRows;
  readonly #pause: Pause;
  readonly #secrets: readonly string[];
  #tokenInUse = '';

  constructor(options: ConnectionOptions, secrets: readonly string[]) {
    this.now = options.now ?? Date.now;
    this.#pause = options.pause ?? realPause;
    this.rateLimit = options.rateLimit ?? createMemoryRateLimit({ now: this.now, pause: this.#pause });
    this.stop = options.signal ?? new AbortController().signal;
    this.fetch = options.fetch ?? fetch;
    this.random = options.random ?? Math.random;
    this.onRows = options.onRows ?? (() => undefined);
    this.#secrets = secrets;
  }

  /** Masks our secrets in a text from the other side. */
  readonly clean = (text: string): string =>
    [...this.#secrets, this.#tokenInUse]
      .filter((secret) => secret.length >= SHORTEST_SECRET)
      .reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text);

  wireTo(provider: string, baseUrl: string, timeoutMs?: number): Wire {
    const { fetch: send, stop, clean } = this;
    return createWire({ provider, baseUrl, fetch: send, stop, timeoutMs, clean });
  }

  /** Waits. @throws DeckhandError `provider_transient` when the process stops */
  async wait(ms: number): Promise<void> {
    await this.#pause(ms, this.stop);
    if (this.stop.aborted) throw stoppedError();
  }

  /**
   * Takes one call of each bucket.
   *
   * @param tooMany the error where they stay full beyond the deadline, or a create's patience: nothing was sent then
   */
  async take(
    buckets: readonly CallBucket[],
    kind: CallKind,
    untilMs: number,
    tooMany: (full: FullBucket) => Error,
  ): Promise<void> {
    const patienceMs = kind === 'create' ? CREATE_PATIENCE_MS : untilMs - LEAST_ANSWER_MS - this.now();
    let full;
    try {
      full = await this.rateLimit.take(buckets, this.stop, patienceMs);
    } catch (error) {
      throw this.stop.aborted ? stoppedError() : error;
    }
    if (full !== null) throw tooMany(full);
  }

  /**
   * Tries until it succeeds or the error is final. An error that is not ours is a fault whose outcome is unknown.
   *
   * @param pauseMs how long to wait before the next try; null = there is none
   * @param before each try; what it throws is final
   */
  async persist<T>(
    kind: CallKind,
    untilMs: number,
    pauseMs: (tried: Tried) => number | null | Promise<number | null>,
    attempt: () => Promise<T>,
    before?: () => Promise<void>,
  ): Promise<T> {
    for (let times = 1; ; times += 1) {
      await before?.();
      try {
        return await attempt();
      } catch (thrown) {
        const error =
          thrown instanceof DeckhandError
            ? thrown
            : providerError('transient', asDeckhandError(thrown).message, { cause: thrown });
        const patienceMs = untilMs - this.now();
        const waitMs = await pauseMs({ kind, error, times, patienceMs, random: this.random() });
        if (waitMs === null || this.stop.aborted) throw error;
        await this.wait(waitMs);
        if (this.now() >= untilMs) throw error;
      }
    }
  }

  /** Tries as often as the kind of call allows, and only a read for a limited time. @param attempt gets its end, ms since 1970 */
  keepTrying<T>(kind: CallKind, retry: RetryOptions, attempt: (untilMs: number) => Promise<T>): Promise<T> {
    const untilMs = kind === 'read' ? this.now() + retry.readWithinMs : Infinity;
    return this.persist(
      kind,
      untilMs,
      (tried) => retryPauseMs(tried, retry),
      () => attempt(untilMs),
    );
  }

  /**
   * Sends with a token. A 401 says that nothing was done: it is answered by one new token and one more request.
   *
   * @param send answers with the error of what is no 2xx
   */
  async withToken(
    tokens: TokenSource,
    kind: CallKind,
    leftMs: () => number,
    send: (token: string) => Promise<{ readonly answer: WireAnswer; readonly error: DeckhandError | null }>,
  ): Promise<WireAnswer> {
    let token = await tokens.current(leftMs());
    for (let renewed = false; ; renewed = true) {
      this.#tokenInUse = token;
      const { answer, error } = await send(token);
      if (error === null) return answer;
      if (answer.status !== 401 || renewed) throw error;
      try {
        token = await tokens.renew(token, leftMs());
      } catch (renewal) {
        // The outcome of the create is not in doubt: it was refused.
        throw kind === 'create' ? error : renewal;
      }
    }
  }
}

/** True for an answer that is no refusal. */
export const isAccepted = ({ status }: Pick<WireAnswer, 'status'>): boolean => status >= 200 && status < 300;

/** The error of a call that the rate limit leaves no room for. @param what the call, and who makes too many */
export const tooManyCalls =
  (what: string) =>
  ({ waitMs }: FullBucket): DeckhandError =>
    providerError('throttled', `${what} makes too many calls`, {
      retryAfterMs: waitMs,
      hint: `The next call of this kind is sent in ${Math.ceil(waitMs / 1000)} s.`,
    });
