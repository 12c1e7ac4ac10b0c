/**
 * The calls that a tried replay would make, as far as they are known, and what of it other calls are built on.
 */
import {
  conditionInWords,
  reasonOf,
  type CallBefore,
  type Condition,
  type Outstanding,
  type ReplayCall,
} from '../../../domain/decks/replay/plan.ts';
import { STAGE_OF_TASK } from '../../../domain/decks/replay/stages.ts';
import type { ModelCall } from '../../../generated/prisma/client.ts';
import type { AnalysisContext } from '../../models/plan/analysis-context.ts';
import type { CallSubject } from '../../models/plan/call-input.ts';
import { gapItemOf } from '../../models/store/gaps.ts';
import type { TemplateQuestions } from '../template.ts';
import { callByItem } from './origin.ts';
import type { ReplayedAnalysis } from './replayed-analysis.ts';

/** Collects calls in the order they are found. */
export class PreviewedCalls {
  readonly #now: AnalysisContext;
  readonly #then: ReplayedAnalysis;
  #made: ReadonlyMap<string, CallBefore> = new Map();
  readonly #slugs = new Map<string, string>();
  readonly #calls: ReplayCall[] = [];
  readonly #outstanding = {
    slides: [] as number[],
    condensed: [] as number[],
    offering: false,
    sector: false,
    questions: new Set<string>(),
  };

  /** @param before the analysis that is replayed */
  constructor(context: AnalysisContext, before: ReplayedAnalysis) {
    this.#now = context;
    this.#then = before;
  }

  /** So far. */
  get list(): readonly ReplayCall[] {
    return this.#calls;
  }

  /** What of them others are built on. */
  get outstanding(): Outstanding {
    return this.#outstanding;
  }

  /** The calls of the analysis that is replayed. */
  madeBefore(rows: readonly ModelCall[]): void {
    this.#made = callByItem(rows);
  }

  nameQuestions(questions: TemplateQuestions): void {
    for (const { id, slug } of questions) this.#slugs.set(id, slug);
  }

  /** What that analysis had of a call. */
  before(subject: CallSubject): CallBefore | null {
    return this.#made.get(gapItemOf(subject)) ?? null;
  }

  /** Adds a call. `contentKey`: null while its input is not known. */
  add(
    { task, slideNumber, questionId }: CallSubject,
    before: CallBefore | null,
    contentKey: string | null,
    conditions: readonly Condition[],
  ): void {
    const setup = this.#now.tasks[task];
    const recomputed = setup.edition !== this.#then.editionOf(task) || setup.modelName !== this.#then.modelNameOf(task);
    this.#calls.push({
      task,
      stage: STAGE_OF_TASK[task],
      slide: slideNumber,
      question: questionId === null ? null : (this.#slugs.get(questionId) ?? questionId),
      model: setup.modelName,
      reason: reasonOf(before, { contentKey, recomputed }),
      certainty: conditions.length === 0 ? 'certain' : 'conditional',
      condition: conditionInWords(conditions),
    });
    if (task === 'describe_slide' && slideNumber !== null) this.#outstanding.slides.push(slideNumber);
    if (task === 'condense_slide' && slideNumber !== null) this.#outstanding.condensed.push(slideNumber);
    if (task === 'extract_offering') this.#outstanding.offering = true;
    if (task === 'classify_sector') this.#outstanding.sector = true;
    if (task === 'answer_question' && questionId !== null) this.#outstanding.questions.add(questionId);
  }
}
