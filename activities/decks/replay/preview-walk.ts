/**
 * Walks through the stages of a replay that is only tried: plans what can be planned, and names what would follow.
 */
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import {
  MODEL_TASK_NAMES,
  taskOfField,
  taskOfSpecialised,
  type ModelTask,
  type RunScope,
} from '../../../domain/models/model-tasks.ts';
import { STAGES } from '../../../domain/decks/progress.ts';
import { isReadable } from '../../../domain/models/prompt-assembly.ts';
import { RENDER_KEY } from '../../../domain/decks/render-key.ts';
import { REPLAY_KINDS } from '../../../domain/decks/replay/choices.ts';
import { unknownInputs, type Condition, type ReplayPlan } from '../../../domain/decks/replay/plan.ts';
import { STAGE_OF_TASK } from '../../../domain/decks/replay/stages.ts';
import { estimateTokens } from '../../../domain/models/token-estimate.ts';
import type { AnalysisContext, AnalysisContexts } from '../../models/plan/analysis-context.ts';
import { CallInputSource, contentKeyOf, type CallSubject } from '../../models/plan/call-input.ts';
import { assembleDeckText, deckTextTokenLimit, slidesToCondense } from '../../models/plan/deck-text.ts';
import type { CallPlan } from '../../models/plan/plan-calls.ts';
import { StagePlanner } from '../planning.ts';
import { possibleTemplates, settleTemplate, type TemplateQuestions } from '../template.ts';
import { keepFromOrigin } from './keep.ts';
import { PreviewedCalls } from './previewed-calls.ts';
import type { ReplayedAnalysis } from './replayed-analysis.ts';
import { StoredAnswers } from './stored-answers.ts';

/** What is walked through. */
export interface PreviewedReplay {
  readonly context: AnalysisContext;
  /** The analysis that is replayed. */
  readonly before: ReplayedAnalysis;
  readonly scope: RunScope;
  readonly isFullReview: boolean;
}

/** Tokens that the description of a slide can add to the text of its deck at most. */
const DESCRIPTION_TOKENS = 1700;

const about = (task: ModelTask, part: Partial<CallSubject> = {}): CallSubject => ({
  task,
  slideNumber: null,
  questionId: null,
  ...part,
});

/** One walk; see {@link plan}. */
export class PreviewWalk {
  readonly #db: PrismaClient;
  readonly #planner: StagePlanner;
  readonly #replay: PreviewedReplay;
  readonly #stored: StoredAnswers;
  readonly #calls: PreviewedCalls;

  constructor(db: PrismaClient, contexts: AnalysisContexts, replay: PreviewedReplay) {
    this.#db = db;
    this.#planner = new StagePlanner(db, contexts);
    this.#replay = replay;
    this.#stored = new StoredAnswers(db, replay.context);
    this.#calls = new PreviewedCalls(replay.context, replay.before);
  }

  /** Walks, and says what would be computed and what is kept. */
  async plan(): Promise<ReplayPlan> {
    const { context, before, scope } = this.#replay;
    const rows = await this.#db.modelCall.findMany({ where: { analysisId: before.analysisId } });
    this.#calls.madeBefore(rows);
    const { pageCount } = await this.#db.deck.findUniqueOrThrow({ where: { id: context.deckId } });
    const pages = { total: pageCount, rendered: 0 };
    if (pageCount !== null) {
      const drawn = await this.#slides(pageCount);
      pages.rendered = pageCount - drawn.missing.length;
      if (scope.fields.length > 0 || scope.classify || scope.template || scope.specialised.length > 0)
        await this.#texts();
    }
    return this.#summary(pages);
  }

  async #slides(pageCount: number): Promise<{ readonly missing: readonly number[] }> {
    const { context, scope } = this.#replay;
    const pages = Array.from({ length: pageCount }, (_, index) => index + 1);
    const rows = await this.#db.slide.findMany({
      where: { deckId: context.deckId, renderKey: RENDER_KEY },
      select: { number: true, modelBlobKey: true },
    });
    const rendered = new Set(rows.filter((r) => r.modelBlobKey !== null).map((r) => r.number));
    const undrawable = new Set(rows.filter((r) => r.modelBlobKey === null).map((r) => r.number));
    const drawn = pages.filter((page) => rendered.has(page));
    const { describe, feedback } = scope;
    await this.#known(this.#planner.slides({ analysisId: context.analysisId, pages: drawn, describe, feedback }));
    const missing = pages.filter((page) => !rendered.has(page));
    const subjects = missing.flatMap((slideNumber) => [
      ...(describe ? [about('describe_slide', { slideNumber })] : []),
      ...(feedback ? [about('slide_feedback', { slideNumber })] : []),
    ]);
    // What is taken over or stays missing does so also where its page has to be drawn.
    const { open } = await keepFromOrigin(this.#db, context, subjects);
    for (const subject of open) {
      const page = subject.slideNumber ?? 0;
      const failed = undrawable.has(page);
      const before = failed ? { state: 'failed' as const, contentKey: '' } : this.#calls.before(subject);
      this.#calls.add(subject, before, null, failed ? [{ kind: 'page_drawn', page }] : []);
    }
    return { missing };
  }

  async #texts(): Promise<void> {
    const { context, scope, isFullReview } = this.#replay;
    const { analysisId } = context;
    const outstanding = this.#calls.outstanding;
    await this.#condensation();
    await this.#stage(
      scope.fields.map((field) => about(taskOfField(field))),
      () => this.#planner.extractions({ analysisId, fields: scope.fields }),
    );
    if (scope.classify) {
      await this.#stage([about('classify_sector')], () => this.#planner.classification({ analysisId }));
    }
    if (scope.template) await this.#template();
    if (scope.specialised.length === 0) return;
    const subjects = scope.specialised.map((kind) => about(taskOfSpecialised(kind)));
    const input = { analysisId, kinds: scope.specialised, onlyForHealth: isFullReview };
    if (isFullReview && outstanding.sector) await this.#unknown(subjects, [{ kind: 'health_sector' }]);
    else if ((await this.#planner.reasonToSkipSpecialised(input)) !== null) await this.#planner.specialised(input);
    else await this.#stage(subjects, () => this.#planner.specialised(input));
  }

  /** Slides are condensed when the deck is too long; whether it is may depend on slides that are still to be described. */
  async #condensation(): Promise<void> {
    const { context } = this.#replay;
    const { slides: outstanding } = this.#calls.outstanding;
    const deck = await assembleDeckText(this.#db, context);
    if (outstanding.length === 0) {
      await this.#known(this.#planner.condensation({ analysisId: context.analysisId }));
      return;
    }
    const certainlyTooLong = deck.tooLong;
    const longest = estimateTokens(deck.block) + outstanding.length * DESCRIPTION_TOKENS;
    if (!certainlyTooLong && longest <= deckTextTokenLimit(context)) return;
    const sure = new Set(slidesToCondense(deck.slides).map((s) => s.number));
    const opening = deck.slides.find(isReadable)?.number ?? 0;
    // What is read on a slide decides whether it is condensed, and one before the opening slide makes another the opening one.
    const perhaps = outstanding.some((slide) => slide < opening) ? [opening, ...outstanding] : outstanding;
    const tooLong: Condition[] = certainlyTooLong ? [] : [{ kind: 'deck_too_long' }];
    await this.#unknown(
      [...sure].map((slideNumber) => about('condense_slide', { slideNumber })),
      tooLong,
    );
    for (const slide of [...new Set(perhaps)].filter((number) => !sure.has(number)).toSorted((a, b) => a - b))
      await this.#unknown(
        [about('condense_slide', { slideNumber: slide })],
        [...tooLong, { kind: 'condensable', slide }],
      );
  }

  async #template(): Promise<void> {
    const { context } = this.#replay;
    const { analysisId } = context;
    const templates = await this.#templates();
    for (const { questions, conditions } of templates) {
      this.#calls.nameQuestions(questions);
      await this.#stage(
        questions.map(({ id }) => about('answer_question', { questionId: id })),
        () => this.#planner.answers({ analysisId }),
        conditions,
      );
    }
    await this.#known(this.#planner.scores({ analysisId }));
    for (const { questions, conditions } of templates) {
      const open = questions.filter(({ id }) => this.#calls.outstanding.questions.has(id));
      await this.#unknown(
        open.map(({ id }) => about('score_answer', { questionId: id })),
        [...conditions, { kind: 'answered' }],
      );
    }
  }

  /** The template, or each that the sector may lead to: only its questions are asked then, but which it is nobody knows. */
  async #templates(): Promise<{ readonly questions: TemplateQuestions; readonly conditions: Condition[] }[]> {
    const { context } = this.#replay;
    const possible = this.#calls.outstanding.sector ? await possibleTemplates(this.#db, context) : [];
    // Where no sector leads to a template this says so, as the run would.
    if (possible.length === 0) return [{ questions: await settleTemplate(this.#db, context), conditions: [] }];
    return possible.map(({ slug, questions }) => ({
      questions,
      conditions: possible.length === 1 ? [] : [{ kind: 'template', slug }],
    }));
  }

  /** Plans calls whose inputs are known; names the others. */
  async #stage(
    subjects: readonly CallSubject[],
    plan: () => Promise<CallPlan>,
    conditions: readonly Condition[] = [],
  ): Promise<void> {
    const isKnown =
      conditions.length === 0 && subjects.every((s) => unknownInputs(s, this.#calls.outstanding).length === 0);
    if (isKnown) await this.#known(plan());
    else await this.#unknown(subjects, [...conditions, ...(await this.#mayBeUnreadable())]);
  }

  async #mayBeUnreadable(): Promise<Condition[]> {
    const { readableSlides } = await assembleDeckText(this.#db, this.#replay.context);
    return readableSlides > 0 ? [] : [{ kind: 'readable' }];
  }

  /** Calls that a planner of the run found to be missing. */
  async #known(planning: Promise<CallPlan>): Promise<void> {
    const { calls } = await planning;
    const rows = await this.#db.modelCall.findMany({
      where: { id: { in: calls.map((c) => c.callId) } },
      select: { id: true, contentKey: true },
    });
    const keyOf = new Map(rows.map((r) => [r.id, r.contentKey]));
    for (const call of calls) this.#calls.add(call, this.#calls.before(call), keyOf.get(call.callId) ?? null, []);
  }

  /** Calls that are built on what is still to be computed. */
  async #unknown(subjects: readonly CallSubject[], conditions: readonly Condition[]): Promise<void> {
    // What is taken over from the analysis whose gaps are filled is taken over whatever comes.
    const { open } = await keepFromOrigin(this.#db, this.#replay.context, subjects);
    for (const subject of open) {
      const inputs = unknownInputs(subject, this.#calls.outstanding);
      if (inputs.length === 0) {
        // Whether it is made is open, but not with what.
        const contentKey = await this.#keyOf(subject);
        if (!(await this.#isStored(contentKey)))
          this.#calls.add(subject, this.#calls.before(subject), contentKey, conditions);
        continue;
      }
      const changing: Condition[] = (await this.#stored.mayAnswer(subject))
        ? [{ kind: 'input_changes', with: inputs }]
        : [];
      this.#calls.add(subject, this.#calls.before(subject), null, [...conditions, ...changing]);
    }
  }

  async #keyOf(subject: CallSubject): Promise<string> {
    const { context } = this.#replay;
    const source = new CallInputSource(this.#db, context);
    return contentKeyOf(context, subject.task, await source.build(subject));
  }

  async #isStored(contentKey: string): Promise<boolean> {
    const { tenantId } = this.#replay.context;
    return (await this.#db.modelResult.count({ where: { tenantId, contentKey } })) > 0;
  }

  async #summary(pages: ReplayPlan['pages']): Promise<ReplayPlan> {
    const { context, before } = this.#replay;
    const { analysisId } = context;
    const analysis = await this.#db.analysis.findUniqueOrThrow({
      where: { id: analysisId },
      include: { modelOverrides: true },
    });
    const stored = await this.#db.modelCall.groupBy({
      by: ['task'],
      where: { analysisId, state: 'stored' },
      _count: true,
    });
    const gaps = await this.#db.gap.findMany({
      where: { analysisId },
      orderBy: [{ slideNumber: 'asc' }, { item: 'asc' }],
    });
    const calls = this.#calls.list;
    const certain = calls.filter((c) => c.certainty === 'certain').length;
    return {
      replayOf: before.analysisId,
      kind: REPLAY_KINDS.find((kind) => kind === analysis.replayKind) ?? 'full',
      from: STAGES.find((s) => s === analysis.recomputeFrom && analysis.edition === analysisId) ?? null,
      models: MODEL_TASK_NAMES.flatMap((task) => {
        const model = analysis.modelOverrides.find((o) => o.task === task)?.modelName;
        return model === undefined ? [] : [{ task, model }];
      }),
      pages,
      calls: [...calls],
      certain,
      conditional: calls.length - certain,
      kept: MODEL_TASK_NAMES.flatMap((task) => {
        const results = stored.find((s) => s.task === task)?._count ?? 0;
        return results === 0 ? [] : [{ task, stage: STAGE_OF_TASK[task], results }];
      }),
      staysMissing: gaps.map(({ item, message }) => ({ item, message })),
    };
  }
}
