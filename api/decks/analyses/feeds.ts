/**
 * Live feeds: the events of an analysis for any number of listeners, at the cost of one.
 *
 * A later listener first gets what is known: the stage, the gaps so far, the last progress.
 */
import { DeckhandError } from '../../../domain/errors.ts';
import { isFinished } from '../../../domain/decks/report.ts';
import type { ApiDeps } from '../../deps.ts';
import type { AnalysisEvent } from './schemas.ts';
import { Feed, Feeds } from '../../http/feed.ts';
import type { Mailbox } from '../../http/mailbox.ts';
import { gapOf } from '../report/parts.ts';
import { loadStatus } from './status.ts';

const POLL_MS = 400;

type FeedDeps = Pick<ApiDeps, 'db' | 'temporal' | 'log' | 'config'>;

/** A slow listener gets the newest progress, not all of them. */
const subjectOf = (event: AnalysisEvent): string => (event.type === 'gap' ? `gap ${event.data.item}` : event.type);

/** One analysis with listeners. */
class AnalysisFeed extends Feed<AnalysisEvent> {
  readonly #deps: FeedDeps;
  readonly #tenantId: string;
  readonly #analysisId: string;
  readonly #gaps = new Map<string, AnalysisEvent>();
  #stage: AnalysisEvent | null = null;
  #last: AnalysisEvent | null = null;

  constructor(deps: FeedDeps, tenantId: string, analysisId: string) {
    super({ log: deps.log, pollMs: POLL_MS, failure: 'the status could not be read', about: { analysisId } });
    this.#deps = deps;
    this.#tenantId = tenantId;
    this.#analysisId = analysisId;
  }

  protected override greet(listener: Mailbox<AnalysisEvent>): void {
    for (const event of [this.#stage, ...this.#gaps.values(), this.#last])
      if (event !== null) listener.put(subjectOf(event), event);
  }

  /** Ends with the analysis, also where it is deleted. */
  protected override async look(): Promise<boolean> {
    try {
      return await this.#poll();
    } catch (error) {
      if (error instanceof DeckhandError && error.code === 'not_found') return true;
      throw error;
    }
  }

  /** True when the analysis is finished. */
  async #poll(): Promise<boolean> {
    const status = await loadStatus(this.#deps, this.#tenantId, this.#analysisId);
    const finished = isFinished(status.status);
    if (status.stage !== null) this.#tellStage(status.stage);
    if (finished || status.progress.gaps !== this.#gaps.size) await this.#tellGaps();
    const event: AnalysisEvent = { type: finished ? 'finished' : 'progress', data: status };
    if (JSON.stringify(event) !== JSON.stringify(this.#last)) this.#tellEvent(event);
    this.#last = event;
    return finished;
  }

  #tellStage(stage: string): void {
    const event: AnalysisEvent = { type: 'stage', data: { stage } };
    if (JSON.stringify(event) === JSON.stringify(this.#stage)) return;
    this.#stage = event;
    this.#tellEvent(event);
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
      const event: AnalysisEvent = { type: 'gap', data: gapOf(row) };
      this.#gaps.set(row.item, event);
      this.#tellEvent(event);
    }
  }

  #tellEvent(event: AnalysisEvent): void {
    this.tell(subjectOf(event), event);
  }
}

/** All feeds of a process. */
export class AnalysisFeeds extends Feeds<AnalysisEvent> {
  readonly #deps: FeedDeps;

  constructor(deps: FeedDeps) {
    super();
    this.#deps = deps;
  }

  /** Events of one analysis until it is finished or `signal` aborts. */
  listen(tenantId: string, analysisId: string, signal: AbortSignal): AsyncGenerator<AnalysisEvent, void> {
    const make = (): AnalysisFeed => new AnalysisFeed(this.#deps, tenantId, analysisId);
    return this.follow(JSON.stringify([tenantId, analysisId]), make, signal);
  }
}
