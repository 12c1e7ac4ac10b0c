/** The decks of a month: arrival times, and the model calls of each deck in their order. */
import {
  MODEL_TASKS,
  tasksOfStep,
  tasksWhere,
  type GpuClass,
  type ModelTask,
} from '../../domain/models/model-tasks.ts';

/** One model call of a deck. */
export interface Call {
  readonly deck: Deck;
  readonly task: ModelTask;
  readonly expectedSec: number;
  /** Its real duration. */
  readonly takesMs: number;
  readonly plannedMs: number;
}

/** A deck that is being reviewed. */
export interface Deck {
  readonly uploadedMs: number;
  firstCallMs: number | null;
  doneMs: number | null;
  openCalls: number;
  openDescriptions: number;
  /** Its calls are of priority 1. */
  readonly isCritical?: boolean;
}

export const SLIDES = 30;
/** Questions of the review template. */
const QUESTIONS = 34;
/** The real duration of a call as a share of the expected one: shortest and longest. */
const SHORTEST = 0.7;
const LONGEST = 1.3;

const HOUR_MS = 3_600_000;
/** Length of a month as providers count it. */
export const MONTH_MS = 730 * HOUR_MS;

/** The simulation as decks use it. */
interface Scheduler {
  readonly nowMs: () => number;
  readonly random: () => number;
  /** Puts calls into the queue of their class. */
  readonly plan: (gpuClass: GpuClass, calls: readonly Call[]) => void;
}

/** A uniform number between two others. */
export const between = (random: () => number, low: number, high: number): number => low + random() * (high - low);

const slideTasks = tasksOfStep('slides');
const firstTextTasks = tasksWhere(({ step }) => step === 'extractions' || step === 'specialised');

/** Expected seconds of one deck on a class. */
export function deckSeconds(gpuClass: GpuClass): number {
  const sum = (tasks: readonly ModelTask[]): number => tasks.reduce((s, t) => s + MODEL_TASKS[t].expectedSeconds, 0);
  if (gpuClass === 'gpu-visual') return SLIDES * sum(slideTasks);
  return sum(firstTextTasks) + sum(['classify_sector']) + QUESTIONS * sum(['answer_question', 'score_answer']);
}

/** Arrival times from a Monday at 0:00 on, most of them in office hours. */
export function arrivals(count: number, lengthMs: number, random: () => number): number[] {
  const times: number[] = [];
  while (times.length < count) {
    const atMs = random() * lengthMs;
    if (random() < weightAt(atMs)) times.push(atMs);
  }
  return times.toSorted((a, b) => a - b);
}

/** Relative probability of a deck at a time, 1 = office hours. */
function weightAt(atMs: number): number {
  const hours = atMs / HOUR_MS;
  const hour = hours % 24;
  if (Math.floor(hours / 24) % 7 >= 5) return 0.05;
  if (hour >= 9 && hour < 18) return 1;
  return hour >= 7 && hour < 22 ? 0.15 : 0.02;
}

/** Plans the calls on a deck's slides, once its pages are rendered. */
export function planSlides(deck: Deck, scheduler: Scheduler): void {
  deck.openDescriptions = SLIDES;
  planAll(deck, Array.from({ length: SLIDES }, () => slideTasks).flat(), 'gpu-visual', scheduler);
}

/** Plans the calls that follow an ended call. */
export function follow({ deck, task }: Call, scheduler: Scheduler): void {
  deck.openCalls -= 1;
  if (task === 'describe_slide') {
    deck.openDescriptions -= 1;
    if (deck.openDescriptions === 0) planAll(deck, firstTextTasks, 'gpu-text', scheduler);
  } else if (task === 'extract_offering') planAll(deck, ['classify_sector'], 'gpu-text', scheduler);
  else if (task === 'classify_sector')
    planAll(
      deck,
      Array.from({ length: QUESTIONS }, () => 'answer_question' as const),
      'gpu-text',
      scheduler,
    );
  else if (task === 'answer_question') planAll(deck, ['score_answer'], 'gpu-text', scheduler);
  if (deck.openCalls === 0) deck.doneMs = scheduler.nowMs();
}

function planAll(deck: Deck, tasks: readonly ModelTask[], gpuClass: GpuClass, scheduler: Scheduler): void {
  deck.openCalls += tasks.length;
  scheduler.plan(
    gpuClass,
    tasks.map((task): Call => {
      const expectedSec = MODEL_TASKS[task].expectedSeconds;
      const takesMs = expectedSec * 1000 * between(scheduler.random, SHORTEST, LONGEST);
      return { deck, task, expectedSec, takesMs, plannedMs: scheduler.nowMs() };
    }),
  );
}
