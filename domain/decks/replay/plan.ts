/**
 * The plan of a replay (its dry run): which calls it would make, why, how sure that is, and what is kept.
 *
 * A call whose input is known is known by its content key. One that is built on something still to be computed is not: it is made for sure
 * only when nothing that is stored could answer it.
 */
import { z } from 'zod';
import { MODEL_TASK_NAMES, type ModelTask } from '../../models/model-tasks.ts';
import { STAGES } from '../progress.ts';
import { REPLAY_KINDS } from './choices.ts';

/**
 * `missing`: never computed, or its result is gone. `input_changes`: computed from another input. `recomputed`: asked for anew, by stage or by
 * model. `failed_before`: it failed for good.
 */
export const REPLAY_REASONS = ['missing', 'input_changes', 'recomputed', 'failed_before'] as const;
export type ReplayReason = (typeof REPLAY_REASONS)[number];

/** `conditional`: made only under the condition that is named. */
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
    /** Drawn already; they are not drawn again. */
    rendered: z.int(),
  }),
  calls: z.array(replayCallSchema),
  certain: z.int(),
  conditional: z.int(),
  /** Stored results that are taken as they are. */
  kept: z.array(z.object({ task, stage, results: z.int() })),
  /** What is missing and stays so, as far as that is known. */
  staysMissing: z.array(z.object({ item: z.string(), message: z.string() })),
});
export type ReplayPlan = z.infer<typeof replayPlanSchema>;

/** What is known of a call in the analysis that is replayed. */
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

/** What a run still has to compute, as far as other calls are built on it. */
export interface Outstanding {
  /** Slides that are to be described. */
  readonly slides: readonly number[];
  /** Slides that are to be condensed. */
  readonly condensed: readonly number[];
  readonly offering: boolean;
  readonly sector: boolean;
  /** Ids of questions that are to be answered. */
  readonly questions: ReadonlySet<string>;
}

/** `slide 3`, `slides 3, 4 and 9`, `37 slides`. */
export function slidesInWords(numbers: readonly number[]): string {
  if (numbers.length > 6) return `${numbers.length} slides`;
  const last = numbers.at(-1) ?? 0;
  return numbers.length < 2 ? `slide ${last}` : `slides ${numbers.slice(0, -1).join(', ')} and ${last}`;
}

/** What a call is built on and is still to be computed, in words; empty when its input is known. */
export function unknownInputs(
  call: { readonly task: ModelTask; readonly slideNumber: number | null; readonly questionId: string | null },
  outstanding: Outstanding,
): string[] {
  const { slides, condensed } = outstanding;
  const deck = [
    ...(slides.length === 0 ? [] : [slidesInWords(slides)]),
    ...(condensed.length === 0 ? [] : [`the key sentences of ${slidesInWords(condensed)}`]),
  ];
  switch (call.task) {
    case 'describe_slide':
    case 'slide_feedback':
      return [];
    case 'condense_slide':
      return slides.includes(call.slideNumber ?? 0) ? [slidesInWords([call.slideNumber ?? 0])] : [];
    case 'extract_offering':
    case 'extract_company_name':
    case 'extract_funding':
    case 'extract_deck_date':
    case 'specialised_clinical':
    case 'specialised_regulatory':
    case 'specialised_science':
      return deck;
    case 'classify_sector':
      return [...deck, ...(outstanding.offering ? ['the offering'] : [])];
    case 'answer_question':
      return [...deck, ...(outstanding.sector ? ['the sector'] : [])];
    case 'score_answer':
      return outstanding.questions.has(call.questionId ?? '') ? ['the answer'] : [];
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
