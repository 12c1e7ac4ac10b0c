/** Whether the API answers this watcher. While it does not, only health checks are sent, with growing pauses. */
import type { DeckhandClient } from '../api/client.ts';
import { asDeckhandError } from '../domain/errors.ts';
import type { DeckhandError } from '../domain/errors.ts';
import type { Tell } from './events.ts';

const FIRST_ASK_MS = 1000;
const LONGEST_ASK_MS = 15_000;

/** An error of the API or of our key, not of a job. */
export function isAway(error: DeckhandError): boolean {
  return error.code === 'service_unavailable' || error.code === 'unauthenticated' || error.code === 'forbidden';
}

/**
 * Sends a request that needs the API, its database, Temporal and a valid key.
 *
 * @returns the tenant whose key it is
 * @throws DeckhandError when one of them is missing
 */
async function askApi(client: DeckhandClient, signal: AbortSignal): Promise<string> {
  await client.GET('/health', { signal });
  // An id of no analysis. Without a key, the error of this route says how to get one.
  await client.analysesById(['none'], signal);
  return (await client.GET('/session', { signal })).tenantId;
}

/** Whether the API is available, and the tenant of our key. */
export class ApiPresence {
  readonly #connect: () => DeckhandClient;
  readonly #tell: Tell;
  #client: DeckhandClient | undefined;
  /** Of the key that this client shows. */
  #tenantId: string | undefined;
  /** How often it has been or will be asked since it went away; 0 while it is there. */
  #asks = 0;
  #askAtMs = 0;
  #told = '';

  /** @param connect finds the API anew, as its address may be another one after a restart */
  constructor(connect: () => DeckhandClient, tell: Tell) {
    this.#connect = connect;
    this.#tell = tell;
  }

  client(): DeckhandClient {
    this.#client ??= this.#connect();
    return this.#client;
  }

  /** Notes a call that failed because the API is away. */
  away(error: DeckhandError): void {
    this.#client = undefined;
    this.#tenantId = undefined;
    // Many calls may fail at the same moment: they count once.
    if (this.#asks === 0) this.#askAgain(1);
    if (this.#told !== error.userMessage) {
      this.#tell({ event: 'api_away', message: error.userMessage, hint: error.hint ?? null });
    }
    this.#told = error.userMessage;
  }

  /** The tenant whose key this is, as it was when the API last answered; undefined while it does not. */
  get tenantId(): string | undefined {
    return this.#tenantId;
  }

  /** True while calls make sense; asks the API itself at first and when it was away. */
  async answers(signal: AbortSignal): Promise<boolean> {
    if (this.#tenantId !== undefined) return true;
    if (performance.now() < this.#askAtMs) return false;
    try {
      this.#tenantId = await askApi(this.client(), signal);
    } catch (error) {
      signal.throwIfAborted();
      this.#askAgain(this.#asks + 1);
      this.away(asDeckhandError(error));
      return false;
    }
    if (this.#asks > 0) this.#tell({ event: 'api_back' });
    this.#asks = 0;
    this.#told = '';
    return true;
  }

  #askAgain(asks: number): void {
    this.#asks = asks;
    this.#askAtMs = performance.now() + Math.min(LONGEST_ASK_MS, FIRST_ASK_MS * 2 ** (asks - 1));
  }
}
