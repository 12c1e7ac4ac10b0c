/**
 * Live feeds: the events of an analysis for any number of listeners, at the cost of one.
 *
 * While there are listeners, one loop per analysis reads its status and passes on changes. A later listener first gets what is
 * known: the stage, the gaps so far, the last progress.
 */
import { DeckhandError } from '../../../domain/errors.ts';
import { isFinished } from '../../../domain/decks/report.ts';
import { isDatabaseAway } from '../../../platform/db.ts';
import { pause } from '../../../platform/pause.ts';
import type { ApiDeps } from '../../deps.ts';
import type { AnalysisEvent } from './schemas.ts';
import { Mailbox } from '../../http/mailbox.ts';
import { loadStatus } from './status.ts';

const POLL_MS = 400;

type FeedDeps = Pick<ApiDeps, 'db' | 'temporal' | 'log' | 'config'>;

/** Events waiting for one listener. A slow one gets the newest progress, not all of them. */
type Listener = Mailbox<AnalysisEvent>;

const subjectOf = (event: AnalysisEvent): string => (event.type === 'gap' ? `gap ${event.data.item}` : event.type);

/** One analysis with listeners. */
class Feed {
  readonly listeners = new Set<Listener>();
  readonly #deps: FeedDeps;
  readonly #tenantId: string;
  readonly #analysisId: string;
  readonly #gaps = new Map<string, AnalysisEvent>();
  readonly #stop = new AbortController();
  readonly #onStop: () => void;
  #stage: AnalysisEvent | null = null;
  #last: AnalysisEvent | null = null;
  /** The database did not answer the last poll; that is logged once. */
  #away = false;

  /** @param onStop called once this feed takes no more listeners */
  constructor(deps: FeedDeps, tenantId: string, analysisId: string, onStop: () => void) {
    this.#deps = deps;
    this.#tenantId = tenantId;
    this.#analysisId = analysisId;
    this.#onStop = onStop;
  }

  add(listener: Listener): void {
    for (const event of [this.#stage, ...this.#gaps.values(), this.#last])
      if (event !== null) listener.put(subjectOf(event), event);
    this.listeners.add(listener);
  }

  stop(): void {
    if (this.#stop.signal.aborted) return;
    this.#stop.abort();
    this.#onStop();
    for (const listener of this.listeners) listener.end();
  }

  /** Polls until the analysis is finished or the last listener has left. */
  async run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        if (await this.#poll()) return this.stop();
        this.#away = false;
      } catch (error) {
        if (error instanceof DeckhandError && error.code === 'not_found') return this.stop();
        // The database is unavailable for a moment: listeners keep their connection and get events again later.
        const away = isDatabaseAway(error);
        if (!away || !this.#away)
          this.#deps.log.warn({ err: error, analysisId: this.#analysisId }, 'the status could not be read');
        this.#away = away;
      }
      await pause(POLL_MS, signal);
    }
  }

  /** True when the analysis is finished. */
  async #poll(): Promise<boolean> {
    const status = await loadStatus(this.#deps, this.#tenantId, this.#analysisId);
    const finished = isFinished(status.status);
    if (status.stage !== null) this.#tellStage(status.stage);
    if (finished || status.progress.gaps !== this.#gaps.size) await this.#tellGaps();
    const event: AnalysisEvent = { type: finished ? 'finished' : 'progress', data: status };
    if (JSON.stringify(event) !== JSON.stringify(this.#last)) this.#tell(event);
    this.#last = event;
    return finished;
  }

  #tellStage(stage: string): void {
    const event: AnalysisEvent = { type: 'stage', data: { stage } };
    if (JSON.stringify(event) === JSON.stringify(this.#stage)) return;
    this.#stage = event;
    this.#tell(event);
  }

  async #tellGaps(): Promise<void> {
    const { db } = this.#deps;
    const rows = await db.gap.findMany({
      where: { tenantId: this.#tenantId, analysisId: this.#analysisId },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    });
    // A retry that succeeds closes a gap.
    const open = new Set(rows.map(({ item }) => item));
    for (const item of this.#gaps.keys()) if (!open.has(item)) this.#gaps.delete(item);
    for (const row of rows) {
      if (this.#gaps.has(row.item)) continue;
      const { item, stage, code, message } = row;
      const event: AnalysisEvent = {
        type: 'gap',
        data: { item, stage, slide: row.slideNumber, question: row.questionSlug, code, message },
      };
      this.#gaps.set(item, event);
      this.#tell(event);
    }
  }

  #tell(event: AnalysisEvent): void {
    for (const listener of this.listeners) listener.put(subjectOf(event), event);
  }
}

/** All feeds of a process. */
export class AnalysisFeeds {
  readonly #deps: FeedDeps;
  readonly #feeds = new Map<string, Feed>();

  constructor(deps: FeedDeps) {
    this.#deps = deps;
  }

  /** Number of analyses with listeners. */
  get size(): number {
    return this.#feeds.size;
  }

  /** Ends every feed; listeners see the end of their stream. */
  close(): void {
    for (const feed of this.#feeds.values()) feed.stop();
  }

  /** Events of one analysis until it is finished or `signal` aborts. */
  async *listen(tenantId: string, analysisId: string, signal: AbortSignal): AsyncGenerator<AnalysisEvent, void> {
    const listener: Listener = new Mailbox();
    const feed = this.#open(tenantId, analysisId);
    feed.add(listener);
    const leave = (): void => listener.end();
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    try {
      yield* listener.items();
    } finally {
      signal.removeEventListener('abort', leave);
      feed.listeners.delete(listener);
      if (feed.listeners.size === 0) feed.stop();
    }
  }

  #open(tenantId: string, analysisId: string): Feed {
    const key = JSON.stringify([tenantId, analysisId]);
    const known = this.#feeds.get(key);
    if (known !== undefined) return known;
    const feed = new Feed(this.#deps, tenantId, analysisId, () => this.#feeds.delete(key));
    this.#feeds.set(key, feed);
    void feed.run();
    return feed;
  }
}
