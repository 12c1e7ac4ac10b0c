/** Walks the stage graph for the dry run of a replay: plans the calls whose inputs are known, and names the calls that would follow. */
import type { PrismaClient } from '../../../generated/prisma/client.ts';
import {
  callSubject,
  MODEL_TASK_NAMES,
  MODEL_TASKS,
  type CallSubject,
  type ModelTask,
} from '../../../domain/models/model-tasks.ts';
import {
  fieldsInScope,
  kindsInScope,
  tasksInScope,
  visualCalls,
  visualScope,
  type RunScope,
} from '../../../domain/decks/run-scope.ts';
import { STAGE_GRAPH, STAGES, type PlanStep } from '../../../domain/decks/stage-graph.ts';
import { isReadable } from '../../../domain/models/prompt-assembly.ts';
import { PAGE_IS_READ } from '../../convert/page-is-read.ts';
import { RENDER_KEY } from '../../../domain/decks/render-key.ts';
import { REPLAY_KINDS } from '../../../domain/decks/replay/choices.ts';
import { unknownInputs, type Condition, type ReplayPlan } from '../../../domain/decks/replay/plan.ts';
import { estimateTokens } from '../../../domain/models/token-estimate.ts';
import type { AnalysisContext, AnalysisContexts } from '../../models/analysis-context.ts';
import { CallInputSource, contentKeyOf } from '../../models/call-input.ts';
import { assembleDeckText, deckTextTokenLimit, slidesToCondense } from '../../models/deck-text.ts';
import type { CallPlan } from '../../models/plan-calls.ts';
import { StagePlanner } from '../planning.ts';
import { possibleTemplates, settleTemplate, type TemplateQuestions } from '../template.ts';
import { keepFromOrigin } from './keep.ts';
import { PreviewedCalls, StoredAnswers, type ReplayedAnalysis } from './previewed-calls.ts';

/** Input of a walk. */
export interface PreviewedReplay {
  readonly context: AnalysisContext;
  /** The analysis that is replayed. */
  readonly before: ReplayedAnalysis;
  readonly scope: RunScope;
  readonly isFullReview: boolean;
}

/** Tokens that the description of a slide can add to the text of its deck at most. */
const DESCRIPTION_TOKENS = 1700;

/** A template whose questions may be asked. */
interface AskedTemplate {
  readonly questions: TemplateQuestions;
  /** The sector under which its questions are asked. */
  readonly conditions: readonly Condition[];
}

/** One walk; see {@link plan}. */
export class PreviewWalk {
  readonly #db: PrismaClient;
  readonly #planner: StagePlanner;
  readonly #replay: PreviewedReplay;
  readonly #stored: StoredAnswers;
  readonly #calls: PreviewedCalls;
  /** Set with the answers; the scores follow them. */
  #templates: readonly AskedTemplate[] = [];

  constructor(db: PrismaClient, contexts: AnalysisContexts, replay: PreviewedReplay) {
    this.#db = db;
    this.#planner = new StagePlanner(db, contexts);
    this.#replay = replay;
    this.#stored = new StoredAnswers(db, replay.context);
    this.#calls = new PreviewedCalls(replay.context, replay.before);
  }

  /** Walks along the stage graph, and says what would be computed and what is kept. */
  async plan(): Promise<ReplayPlan> {
    const { context, before } = this.#replay;
    const rows = await this.#db.modelCall.findMany({ where: { analysisId: before.analysisId } });
    this.#calls.madeBefore(rows);
    const { pageCount } = await this.#db.deck.findUniqueOrThrow({ where: { id: context.deckId } });
    if (pageCount === null) return this.#summary({ total: null, rendered: 0 });
    const slides = await this.#db.slide.findMany({
      where: { deckId: context.deckId, OR: [PAGE_IS_READ, { renderKey: RENDER_KEY, modelBlobKey: null }] },
      select: { number: true, modelBlobKey: true },
    });
    const pages = Array.from({ length: pageCount }, (_, index) => index + 1);
    const rendered = pages.filter((page) => slides.some((s) => s.number === page && s.modelBlobKey !== null));
    const undrawable = pages.filter((page) => slides.some((s) => s.number === page && s.modelBlobKey === null));
    const steps: Readonly<Record<PlanStep, () => Promise<void>>> = {
      slides: () => this.#slides(pages, { rendered, undrawable }),
      condensation: () => this.#condensation(),
      extractions: () => this.#extractions(),
      classification: () => this.#classification(),
      answers: () => this.#answers(),
      scores: () => this.#scores(),
      specialised: () => this.#specialised(),
    };
    for (const stage of STAGES) {
      for (const step of STAGE_GRAPH[stage].steps) if (this.#tasks(step).length > 0) await steps[step]();
    }
    return this.#summary({ total: pageCount, rendered: rendered.length });
  }

  #tasks(step: PlanStep): readonly ModelTask[] {
    return tasksInScope(this.#replay.scope, step);
  }

  async #slides(
    pages: readonly number[],
    { rendered, undrawable }: { readonly rendered: readonly number[]; readonly undrawable: readonly number[] },
  ): Promise<void> {
    const { context, scope } = this.#replay;
    const visual = visualScope(scope);
    await this.#known(this.#planner.slides({ analysisId: context.analysisId, pages: rendered, ...visual }));
    const missing = pages.filter((page) => !rendered.includes(page));
    // Items that are taken over or stay missing do so even if their page has to be drawn.
    const { open } = await keepFromOrigin(this.#db, context, visualCalls(visual, missing));
    for (const subject of open) {
      const page = subject.slideNumber ?? 0;
      const failed = undrawable.includes(page);
      const before = failed ? { state: 'failed' as const, contentKey: '' } : this.#calls.before(subject);
      this.#calls.add(subject, before, null, failed ? [{ kind: 'page_drawn', page }] : []);
    }
  }

  #extractions(): Promise<void> {
    const { analysisId } = this.#replay.context;
    const fields = fieldsInScope(this.#replay.scope);
    const withProfile = this.#replay.scope.has('extract_profile');
    return this.#step(
      this.#tasks('extractions').map((task) => callSubject(task)),
      () => this.#planner.extractions({ analysisId, fields, withProfile }),
    );
  }

  #classification(): Promise<void> {
    const { analysisId } = this.#replay.context;
    return this.#step(
      this.#tasks('classification').map((task) => callSubject(task)),
      () => this.#planner.classification({ analysisId }),
    );
  }

  async #specialised(): Promise<void> {
    const { context, scope, isFullReview } = this.#replay;
    const input = { analysisId: context.analysisId, kinds: kindsInScope(scope), onlyForHealth: isFullReview };
    const subjects = this.#tasks('specialised').map((task) => callSubject(task));
    if (isFullReview && this.#isOutstanding('classification')) {
      return this.#unknown(subjects, [{ kind: 'health_sector' }]);
    }
    if ((await this.#planner.reasonToSkipSpecialised(input)) === null) {
      return this.#step(subjects, () => this.#planner.specialised(input));
    }
    await this.#planner.specialised(input);
  }

  /** True when calls of the step are still to be made. */
  #isOutstanding(step: PlanStep): boolean {
    return this.#calls.outstanding.some(({ task }) => MODEL_TASKS[task].step === step);
  }

  /** Slides are condensed when the deck is too long; whether it is may depend on slides that are still to be described. */
  async #condensation(): Promise<void> {
    const { context } = this.#replay;
    const outstanding = this.#calls.outstanding
      .filter(({ task }) => MODEL_TASKS[task].result === 'description')
      .map(({ slideNumber }) => slideNumber ?? 0);
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
    // The text of a slide decides whether it is condensed, and a new slide before the opening slide becomes the opening slide.
    const perhaps = outstanding.some((slide) => slide < opening) ? [opening, ...outstanding] : outstanding;
    const tooLong: Condition[] = certainlyTooLong ? [] : [{ kind: 'deck_too_long' }];
    const condense = (slide: number): CallSubject[] =>
      this.#tasks('condensation').map((task) => callSubject(task, { slideNumber: slide }));
    await this.#unknown([...sure].flatMap(condense), tooLong);
    for (const slide of [...new Set(perhaps)].filter((number) => !sure.has(number)).toSorted((a, b) => a - b))
      await this.#unknown(condense(slide), [...tooLong, { kind: 'condensable', slide }]);
  }

  async #answers(): Promise<void> {
    const { analysisId } = this.#replay.context;
    this.#templates = await this.#possibleTemplates();
    for (const { questions, conditions } of this.#templates) {
      this.#calls.nameQuestions(questions);
      await this.#step(this.#about('answers', questions), () => this.#planner.answers({ analysisId }), conditions);
    }
  }

  async #scores(): Promise<void> {
    await this.#known(this.#planner.scores({ analysisId: this.#replay.context.analysisId }));
    for (const { questions, conditions } of this.#templates) {
      const open = questions.filter(({ id }) =>
        this.#calls.outstanding.some((each) => MODEL_TASKS[each.task].step === 'answers' && each.questionId === id),
      );
      await this.#unknown(this.#about('scores', open), [...conditions, { kind: 'answered' }]);
    }
  }

  #about(step: PlanStep, questions: TemplateQuestions): CallSubject[] {
    return questions.flatMap(({ id }) => this.#tasks(step).map((task) => callSubject(task, { questionId: id })));
  }

  /** The template, or each template that the sector may lead to while the sector is not known. */
  async #possibleTemplates(): Promise<readonly AskedTemplate[]> {
    const { context } = this.#replay;
    const possible = this.#isOutstanding('classification') ? await possibleTemplates(this.#db, context) : [];
    // If no sector leads to a template, this throws as the run would.
    if (possible.length === 0) return [{ questions: await settleTemplate(this.#db, context), conditions: [] }];
    return possible.map(({ slug, questions }) => ({
      questions,
      conditions: possible.length === 1 ? [] : [{ kind: 'template', slug }],
    }));
  }

  /** Plans calls whose inputs are known; names the others. */
  async #step(
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

  /** Calls whose inputs are still to be computed. */
  async #unknown(subjects: readonly CallSubject[], conditions: readonly Condition[]): Promise<void> {
    // Values that are taken over from the earlier analysis stay, whatever is computed.
    const { open } = await keepFromOrigin(this.#db, this.#replay.context, subjects);
    for (const subject of open) {
      const inputs = unknownInputs(subject, this.#calls.outstanding);
      if (inputs.length === 0) {
        // It is unknown whether the call is made, but its input is known.
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
        return results === 0 ? [] : [{ task, stage: MODEL_TASKS[task].stage, results }];
      }),
      staysMissing: gaps.map(({ item, message }) => ({ item, message })),
    };
  }
}
