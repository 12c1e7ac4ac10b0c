/**
 * Editions: content keys of what a replay computes anew although results are stored include the replay's id. Later replays use the same edition,
 * so that they find its results and not the earlier ones.
 */
import type { ModelTask } from '../../models/model-tasks.ts';
import type { Stage } from '../stage-graph.ts';
import { isTaskFrom } from '../run-scope.ts';

/** An edition and the stage from which it applies. */
export interface EditionMark {
  readonly edition: string;
  readonly from: Stage;
}

/** An analysis as far as editions go. */
export interface ReplayLink {
  readonly id: string;
  readonly replayOfId: string | null;
  readonly mark: EditionMark | null;
}

/** The marks of an analysis and of those it replays, nearest first. */
export function marksOf(analysisId: string, links: readonly ReplayLink[]): EditionMark[] {
  const byId = new Map(links.map((link) => [link.id, link]));
  const marks: EditionMark[] = [];
  for (let link = byId.get(analysisId); link !== undefined; link = byId.get(link.replayOfId ?? '')) {
    if (link.mark !== null) marks.push(link.mark);
    // Each row is visited once, in case rows name each other.
    byId.delete(link.id);
  }
  return marks;
}

/** Edition of a task's calls: of the nearest replay that computed its stage anew; null when none did. */
export function editionOf(task: ModelTask, marks: readonly EditionMark[]): string | null {
  return marks.find((mark) => isTaskFrom(task, mark.from))?.edition ?? null;
}
