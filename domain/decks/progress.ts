/**
 * Progress of an analysis, as the workflow query, the API and the CLI show it.
 */
import type { Stage } from './stage-graph.ts';

/** Signal with which the conversion announces {@link PagesStored} to the run it works for, while it goes on with the next pages. */
export const PAGES_STORED_SIGNAL = 'pagesStored';

/** Pages whose rows are there now, rendered or failed for good. */
export interface PagesStored {
  readonly pages: readonly number[];
}

/** How far one kind of work is. `total` grows while slides are still being rendered. */
export interface StageCount {
  readonly done: number;
  readonly failed: number;
  readonly total: number;
}

/** Answer of the `progress` query. */
export interface DeckProgress {
  readonly stage: Stage;
  /** Pages rendered of pages in the deck; 0 of 0 before the probe. */
  readonly rendered: StageCount;
  /** Slides with all their calls finished. */
  readonly slides: StageCount;
  /** Values of the deck, and its sector. */
  readonly extractions: StageCount;
  readonly answers: StageCount;
  readonly scores: StageCount;
  readonly specialised: StageCount;
  /** Calls answered from stored results. */
  readonly cachedCalls: number;
  /** Calls a model answered in this run. */
  readonly modelCalls: number;
  /** Items that failed for good so far. */
  readonly gaps: number;
  /** True while an operator holds the run. */
  readonly paused: boolean;
  /** Set while the run waits for a GPU. */
  readonly waitingFor: string | null;
}
