/** Loops that read something for any number of listeners, at the cost of one: each runs while it has a listener. */
import { isDatabaseAway } from '../../platform/db.ts';
import type { Logger } from '../../platform/log.ts';
import { pause } from '../../platform/pause.ts';
import { Mailbox } from './mailbox.ts';

/** How a feed reads. */
interface FeedSettings {
  readonly log: Logger;
  readonly pollMs: number;
  /** Logged where a look fails. */
  readonly failure: string;
  /** Subject of the feed, for the log. */
  readonly about: Readonly<Record<string, string>>;
}

/** One loop with its listeners. */
export abstract class Feed<Item> {
  /** Called once this feed takes no more listeners. */
  onStop: () => void = () => undefined;
  protected readonly listeners = new Set<Mailbox<Item>>();
  readonly #settings: FeedSettings;
  readonly #stop = new AbortController();
  /** The database did not answer the last look; that is logged once. */
  #away = false;

  constructor(settings: FeedSettings) {
    this.#settings = settings;
  }

  /** Tells a new listener what is known. */
  protected abstract greet(listener: Mailbox<Item>): void;

  /** Looks once and tells what changed. True when nothing will change any more. */
  protected abstract look(): Promise<boolean>;

  protected tell(subject: string, item: Item): void {
    for (const listener of this.listeners) listener.put(subject, item);
  }

  stop(): void {
    if (this.#stop.signal.aborted) return;
    this.#stop.abort();
    this.onStop();
    for (const listener of this.listeners) listener.end();
  }

  /** Looks until nothing changes any more or the last listener has left. */
  async run(): Promise<void> {
    const { log, pollMs, failure, about } = this.#settings;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        if (await this.look()) return this.stop();
        this.#away = false;
      } catch (error) {
        // The database is unavailable for a moment: listeners keep their connection and get events again later.
        const away = isDatabaseAway(error);
        if (!away || !this.#away) log.warn({ err: error, ...about }, failure);
        this.#away = away;
      }
      await pause(pollMs, signal);
    }
  }

  /** Items known so far, then each new one, until the feed stops or `signal` aborts. */
  async *listen(signal: AbortSignal): AsyncGenerator<Item, void> {
    const listener = new Mailbox<Item>();
    this.greet(listener);
    this.listeners.add(listener);
    const leave = (): void => listener.end();
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    try {
      yield* listener.items();
    } finally {
      signal.removeEventListener('abort', leave);
      this.listeners.delete(listener);
      if (this.listeners.size === 0) this.stop();
    }
  }
}

/** The feeds of a process, by what they are of. */
export class Feeds<Item> {
  readonly #feeds = new Map<string, Feed<Item>>();

  /** Number of feeds with listeners. */
  get size(): number {
    return this.#feeds.size;
  }

  /** Ends every feed; listeners see the end of their stream. */
  close(): void {
    for (const feed of this.#feeds.values()) feed.stop();
  }

  /** Items of the feed of a key; `make` makes the feed where none runs. */
  protected async *follow(key: string, make: () => Feed<Item>, signal: AbortSignal): AsyncGenerator<Item, void> {
    yield* (this.#feeds.get(key) ?? this.#begin(key, make())).listen(signal);
  }

  #begin(key: string, feed: Feed<Item>): Feed<Item> {
    feed.onStop = () => this.#feeds.delete(key);
    this.#feeds.set(key, feed);
    void feed.run();
    return feed;
  }
}
