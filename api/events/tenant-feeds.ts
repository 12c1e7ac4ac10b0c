/**
 * The events of a tenant for any number of listeners: one loop looks for entries with a version above the last one that was told, for decks that
 * are gone, and for the progress of running reviews. An event becomes text once, which all listeners share.
 */
import type { ApiDeps } from '../deps.ts';
import { entryDocument, withFile } from '../decks/list/entries.ts';
import { refreshEntries } from '../decks/list/refresh.ts';
import { eventText, positionText } from '../http/event-text.ts';
import { Feed, Feeds } from '../http/feed.ts';
import type { Mailbox } from '../http/mailbox.ts';
import { readProgress } from './progress.ts';

const POLL_MS = 500;
/** Entries that are read at once. */
const BATCH = 200;
/** Subject of the progress among the ids of decks. */
const PROGRESS = 'progress';

type FeedDeps = Pick<ApiDeps, 'db' | 'log'> & { readonly config: Pick<ApiDeps['config'], 'answering'> };

/** What a listener finds: once, the version from which on it is told everything; then the texts of events. */
type Item = { readonly begins: bigint } | { readonly text: string };

/** A changed entry as an event. */
interface Change {
  readonly deckId: string;
  readonly version: bigint;
  readonly text: string;
}

/** The first entries with a version above `after`, in the order of their versions. */
async function readChanges({ db, config }: FeedDeps, tenantId: string, after: bigint): Promise<Change[]> {
  const rows = await db.deckEntry.findMany({
    where: { tenantId, version: { gt: after } },
    orderBy: { version: 'asc' },
    take: BATCH,
    include: withFile,
  });
  return rows.map((row) => ({
    deckId: row.deckId,
    version: row.version,
    text: eventText('deck', entryDocument(row, config.answering), String(row.version)),
  }));
}

/** One tenant with listeners. */
class TenantFeed extends Feed<Item> {
  readonly #deps: FeedDeps;
  readonly #tenantId: string;
  /** The last version that was told; null before the first look. */
  #last: bigint | null = null;
  /** Decks that were there at the last look, or were told since. */
  #known = new Set<string>();
  #progress = eventText(PROGRESS, {});

  constructor(deps: FeedDeps, tenantId: string) {
    super({ log: deps.log, pollMs: POLL_MS, failure: 'changes of decks could not be read', about: { tenantId } });
    this.#deps = deps;
    this.#tenantId = tenantId;
  }

  protected override greet(listener: Mailbox<Item>): void {
    if (this.#last !== null) this.#begin(listener, this.#last);
  }

  protected override async look(): Promise<boolean> {
    const { db, config } = this.#deps;
    await refreshEntries(db, this.#tenantId, config.answering);
    if (this.#last === null) await this.#findPresent();
    else await this.#tellChanges(this.#last);
    await this.#tellGone();
    const progress = eventText(PROGRESS, await readProgress(db, this.#tenantId));
    if (progress !== this.#progress) {
      this.#progress = progress;
      this.#tellText(PROGRESS, progress);
    }
    return false;
  }

  async #findPresent(): Promise<void> {
    this.#known = await this.#presentDecks();
    const { _max } = await this.#deps.db.deckEntry.aggregate({
      where: { tenantId: this.#tenantId },
      _max: { version: true },
    });
    this.#last = _max.version ?? 0n;
    for (const listener of this.listeners) this.#begin(listener, this.#last);
  }

  async #tellChanges(after: bigint): Promise<void> {
    let last = after;
    for (;;) {
      const changes = await readChanges(this.#deps, this.#tenantId, last);
      for (const { deckId, text, version } of changes) {
        this.#tellText(deckId, text);
        this.#known.add(deckId);
        last = version;
      }
      this.#last = last;
      if (changes.length < BATCH) return;
    }
  }

  /** A deck goes with its entry: what is missing among the entries was deleted. */
  async #tellGone(): Promise<void> {
    const where = { tenantId: this.#tenantId };
    if ((await this.#deps.db.deckEntry.count({ where })) === this.#known.size) return;
    const present = await this.#presentDecks();
    for (const id of this.#known) if (!present.has(id)) this.#tellText(id, eventText('gone', { id }));
    this.#known = present;
  }

  async #presentDecks(): Promise<Set<string>> {
    const rows = await this.#deps.db.$queryRaw<{ id: string }[]>`
      SELECT "deckId" AS "id" FROM "DeckEntry" WHERE "tenantId" = ${this.#tenantId}`;
    return new Set(rows.map(({ id }) => id));
  }

  #begin(listener: Mailbox<Item>, begins: bigint): void {
    listener.put('', { begins });
    listener.put(PROGRESS, { text: this.#progress });
  }

  #tellText(subject: string, text: string): void {
    this.tell(subject, { text });
  }
}

/** The feeds of a process. */
export class TenantFeeds extends Feeds<Item> {
  readonly #deps: FeedDeps;

  constructor(deps: FeedDeps) {
    super();
    this.#deps = deps;
  }

  /**
   * Texts of the events of a tenant until `signal` aborts.
   *
   * @param after version of the last entry that the listener knows; null = it begins with the present
   */
  async *listen(tenantId: string, after: bigint | null, signal: AbortSignal): AsyncGenerator<string, void> {
    const make = (): TenantFeed => new TenantFeed(this.#deps, tenantId);
    for await (const item of this.follow(tenantId, make, signal)) {
      if ('text' in item) yield item.text;
      else yield* this.#missed(tenantId, after ?? item.begins, item.begins);
    }
  }

  /** Entries that changed before the feed tells of them; those that change again meanwhile are left to it. */
  async *#missed(tenantId: string, after: bigint, until: bigint): AsyncGenerator<string, void> {
    for (let last = after; last < until;) {
      const changes = await readChanges(this.#deps, tenantId, last);
      for (const { version, text } of changes) if (version <= until) yield text;
      last = changes.length < BATCH ? until : (changes.at(-1)?.version ?? until);
    }
    // A client that loses the connection before the first event continues from here.
    yield positionText(String(until));
  }
}
