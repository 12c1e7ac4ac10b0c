/**
 * The plan of a replay (its dry run): which calls it would make and why, which of them are certain, and what is kept.
 *
 * A call with known input has a content key. One whose input is still to be computed has none: it is certain only if no stored result could
 * answer it.
 */
import { z } from 'zod';
import { MODEL_TASK_NAMES, MODEL_TASKS, type CallSubject, type ModelTask } from '../../models/model-tasks.ts';
import { STAGES } from '../stage-graph.ts';
import { REPLAY_KINDS } from './choices.ts';

/**
 * `missing`: never computed, or its result is gone. `input_changes`: computed from another input. `recomputed`: asked for anew, by stage or by
 * model. `failed_before`: it failed for good.
 */
export const REPLAY_REASONS = ['missing', 'input_changes', 'recomputed', 'failed_before'] as const;
export type ReplayReason = (typeof REPLAY_REASONS)[number];

/** `conditional`: made only under the named condition. */
export const CERTAINTIES = ['certain', 'conditional'] as const;

const stage = z.enum(STAGES);
const task = z.enum(MODEL_TASK_NAMES);

/** One call that a replay would make. */
export const replayCallSchema = z.object({
  task,
  stage,
  slide: z.int().min(1).nullable(),
  /** Slug of the question. */
  question: z.string().nullable(),
  model: z.string(),
  reason: z.enum(REPLAY_REASONS),
  certainty: z.enum(CERTAINTIES),
  /** Null when it is certain. */
  condition: z.string().nullable(),
});
export type ReplayCall = z.infer<typeof replayCallSchema>;

/** The whole plan. */
export const replayPlanSchema = z.object({
  replayOf: z.string(),
  kind: z.enum(REPLAY_KINDS),
  /** Stage from which everything is computed anew; null = nothing is. */
  from: stage.nullable(),
  /** Models used instead of the configured ones. */
  models: z.array(z.object({ task, model: z.string() })),
  pages: z.object({
    /** Null before the file was looked into; then no call can be named. */
    total: z.int().nullable(),
    /** Rendered already; they are not rendered again. */
    rendered: z.int(),
  }),
  calls: z.array(replayCallSchema),
  certain: z.int(),
  conditional: z.int(),
  /** Stored results that are used. */
  kept: z.array(z.object({ task, stage, results: z.int() })),
  /** Gaps that stay, as far as they are known. */
  staysMissing: z.array(z.object({ item: z.string(), message: z.string() })),
});
export type ReplayPlan = z.infer<typeof replayPlanSchema>;

/** A call in the analysis that is replayed. */
export interface CallBefore {
  readonly state: 'planned' | 'stored' | 'failed' | 'cancelled';
  readonly contentKey: string;
}

/** Why a call is made. `contentKey`: the new one; null while its input is not known. */
export function reasonOf(
  before: CallBefore | null,
  now: { readonly contentKey: string | null; readonly recomputed: boolean },
): ReplayReason {
  if (before?.state === 'failed') return 'failed_before';
  if (now.recomputed) return 'recomputed';
  return before?.state === 'stored' && before.contentKey !== now.contentKey ? 'input_changes' : 'missing';
}

/** `slide 3`, `slides 3, 4 and 9`, `37 slides`. */
export function slidesInWords(numbers: readonly number[]): string {
  if (numbers.length > 6) return `${numbers.length} slides`;
  const last = numbers.at(-1) ?? 0;
  return numbers.length < 2 ? `slide ${last}` : `slides ${numbers.slice(0, -1).join(', ')} and ${last}`;
}

/**
 * The inputs of a call that are still to be computed, in words; empty when its input is known.
 *
 * @param outstanding calls that are still to be made
 */
export function unknownInputs(call: CallSubject, outstanding: readonly CallSubject[]): string[] {
  return MODEL_TASKS[call.task].readsResultsOf.flatMap((task) => {
    const open = outstanding.filter((each) => each.task === task && isReadBy(each, call));
    return open.length === 0 ? [] : [inputInWords(task, open)];
  });
}

/** A call about a slide or question reads results of the same one; a call about the deck reads all. */
function isReadBy(read: CallSubject, reader: CallSubject): boolean {
  if (MODEL_TASKS[reader.task].subject === 'slide') return read.slideNumber === reader.slideNumber;
  return MODEL_TASKS[read.task].subject !== 'question' || read.questionId === reader.questionId;
}

function inputInWords(task: ModelTask, open: readonly CallSubject[]): string {
  const { subject, result, summary } = MODEL_TASKS[task];
  switch (subject) {
    case 'slide': {
      const slides = slidesInWords(open.map(({ slideNumber }) => slideNumber ?? 0));
      return result === 'condensation' ? `the key sentences of ${slides}` : slides;
    }
    case 'question':
      return `the ${result}`;
    case 'deck':
      return `the ${summary('')}`;
  }
}

/** Under which conditions a call is made. */
export type Condition =
  | { readonly kind: 'input_changes'; readonly with: readonly string[] }
  | { readonly kind: 'page_drawn'; readonly page: number }
  | { readonly kind: 'readable' }
  | { readonly kind: 'deck_too_long' }
  | { readonly kind: 'condensable'; readonly slide: number }
  | { readonly kind: 'health_sector' }
  | { readonly kind: 'template'; readonly slug: string }
  | { readonly kind: 'answered' };

function sentence(condition: Condition): string {
  switch (condition.kind) {
    case 'input_changes':
      return `what it is given changes with ${condition.with.join(' and ')}`;
    case 'page_drawn':
      return `page ${condition.page} can be drawn this time`;
    case 'readable':
      return 'something can be read in the deck';
    case 'deck_too_long':
      return 'the deck does not fit the window of the model';
    case 'condensable':
      return `slide ${condition.slide} turns out to have text to condense`;
    case 'health_sector':
      return 'the sector turns out to be a health sector';
    case 'template':
      return `the sector leads to template ${condition.slug}`;
    case 'answered':
      return 'the question is answered';
  }
}

/** One sentence behind "only if"; null without conditions. */
export function conditionInWords(conditions: readonly Condition[]): string | null {
  return conditions.length === 0 ? null : `only if ${conditions.map(sentence).join(' and ')}`;
}
