/**
 * Editions: what a replay computes anew although results are stored carries the replay's id in its content keys. Later replays go on with
 * it, so that they find what the edition computed and not what was there before.
 */
import type { ModelTask } from '../../models/model-tasks.ts';
import type { Stage } from '../stage-graph.ts';
import { isTaskFrom } from '../run-scope.ts';

/** From which stage on an edition holds. */
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
    // What was seen is not seen again: rows that name each other must not hold anybody up.
    byId.delete(link.id);
  }
  return marks;
}

/** Edition of a task's calls: of the nearest replay that computed its stage anew; null when none did. */
export function editionOf(task: ModelTask, marks: readonly EditionMark[]): string | null {
  return marks.find((mark) => isTaskFrom(task, mark.from))?.edition ?? null;
}
