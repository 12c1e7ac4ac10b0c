/**
 * Work of decks under way that no call is planned for yet: visual calls of announced pages, and the text calls that follow them. Pure.
 */
import { MODEL_TASKS, type GpuClass, type ModelTask } from '../../models/model-tasks.ts';
import { scopeOfRun, tasksInScope, type RunScope } from '../../decks/run-scope.ts';
import { PLAN_STEP_NAMES } from '../../decks/stage-graph.ts';

/** A deck under way, as far as work of it is foreseen. */
export interface DeckAhead {
  /** Null for the full review. */
  readonly taskType: string | null;
  /** Its slides are still being drawn and read. */
  readonly isReadingSlides: boolean;
  /** Pages whose visual calls were missing when the deck was probed; 0 = every slide was known. */
  readonly announcedPages: number;
  /** Pages whose visual calls have been planned. */
  readonly plannedPages: number;
  /** Of them, those with an open call. */
  readonly openPages: number;
  /** Text calls that read the deck have been planned; condensing it is none of them. */
  readonly isTextPlanned: boolean;
  /** It fills gaps of another analysis: new slides then cause no new text calls. */
  readonly fillsGaps: boolean;
  /** A text model of its profile has not been seen on any host, so nothing stored can answer its calls. */
  readonly hasUnseenTextModel: boolean;
}

/**
 * Visual seconds that a deck may have left when its text calls are foreseen. One machine with four places needs about six minutes for them:
 * the time of a first boot. A deck of usual size has both pools boot at once; a long one does not pay for a text machine that waits.
 */
const TEXT_LEAD_SECONDS = 1500;

/** Expected seconds of a call by task. */
export type SecondsPerCall = Readonly<Record<ModelTask, number>>;

/** Work of the deck's scope that needs machines of these classes and is not planned yet, in expected seconds. */
export function comingSeconds(deck: DeckAhead, classes: readonly GpuClass[], seconds: SecondsPerCall): number {
  const scope = scopeOfRun(deck.taskType);
  const visual = classes.includes('gpu-visual') && deck.isReadingSlides ? unplannedPages(deck) : 0;
  const text =
    classes.includes('gpu-text') && foreseesText(deck, scope, seconds) ? firstTextSeconds(scope, seconds) : 0;
  return visual * secondsPerPage(scope, seconds) + text;
}

/** Classes that a deck will ask, when pages of it are missing. */
export function classesAhead(taskType: string | null): ReadonlySet<GpuClass> {
  return new Set<GpuClass>([
    'gpu-visual',
    ...(firstTextTasks(scopeOfRun(taskType)).length === 0 ? [] : (['gpu-text'] as const)),
  ]);
}

const unplannedPages = ({ announcedPages, plannedPages }: DeckAhead): number =>
  Math.max(0, announcedPages - plannedPages);

/** True when text calls will follow that are not open yet. */
function foreseesText(deck: DeckAhead, scope: RunScope, seconds: SecondsPerCall): boolean {
  // A stage that waits for a model to be shown has planned nothing: without this no machine would ever show it.
  if (!deck.isReadingSlides && deck.hasUnseenTextModel) return true;
  if (deck.isTextPlanned || deck.fillsGaps || deck.announcedPages === 0) return false;
  const pagesLeft = deck.isReadingSlides ? unplannedPages(deck) + deck.openPages : 0;
  return pagesLeft * secondsPerPage(scope, seconds) <= TEXT_LEAD_SECONDS;
}

const secondsPerPage = (scope: RunScope, seconds: SecondsPerCall): number =>
  tasksInScope(scope, 'slides').reduce((total, task) => total + seconds[task], 0);

/** The text calls that come first once the slides are read: enough to have a machine boot; the rest follows as open calls. */
function firstTextTasks(scope: RunScope): readonly ModelTask[] {
  const byStep = PLAN_STEP_NAMES.map((step) =>
    tasksInScope(scope, step).filter((task) => MODEL_TASKS[task].subject !== 'slide'),
  );
  return byStep.find((tasks) => tasks.length > 0) ?? [];
}

const firstTextSeconds = (scope: RunScope, seconds: SecondsPerCall): number =>
  firstTextTasks(scope).reduce((total, task) => total + seconds[task], 0);

/** Seconds of calls that were never measured. */
export const USUAL_SECONDS: SecondsPerCall = Object.fromEntries(
  Object.entries(MODEL_TASKS).map(([task, { expectedSeconds }]) => [task, expectedSeconds]),
) as Record<ModelTask, number>;
