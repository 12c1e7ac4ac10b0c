/** Planning of a run's stages: which calls each stage needs, and what is recorded instead when there is nothing to read. */
import type { PrismaClient } from '../../generated/prisma/client.ts';
import {
  ALL_ANSWERS_ITEM,
  callSubject,
  MODEL_TASKS,
  pageGapItem,
  taskOfField,
  taskOfSpecialised,
  tasksOfStep,
  type CallSubject,
  type ExtractionField,
  type ModelTask,
  type SpecialisedKind,
} from '../../domain/models/model-tasks.ts';
import { textOfSlide } from '../../domain/models/prompt-assembly.ts';
import { steeringOnSlide } from '../../domain/pages/page-of-slide.ts';
import { visualCalls, type VisualScope } from '../../domain/decks/run-scope.ts';
import { isForeign, LANGUAGE_CODE, languageName, NO_TEXT_CODE } from '../../domain/decks/unread.ts';
import { counted } from '../../domain/text/words.ts';
import { RENDER_KEY } from '../../domain/decks/render-key.ts';
import { pinnedSetup, type AnalysisContext, type AnalysisContexts } from '../models/analysis-context.ts';
import { CallInputSource } from '../models/call-input.ts';
import { assembleDeckText, slidesToCondense } from '../models/deck-text.ts';
import { planCalls, type CallPlan } from '../models/plan-calls.ts';
import { recordGap, type GapInput } from '../models/gaps.ts';
import type { MissingScope } from '../models/result-scope.ts';
import { storeSteering } from '../models/slide-results.ts';
import { gapOf, writeMissing } from '../models/store-result.ts';
import { keepFromOrigin } from './replay/keep.ts';
import type { AnalysisRef } from './stages.ts';
import { settleTemplate } from './template.ts';

const NOTHING_PLANNED: CallPlan = { calls: [], cached: 0, failed: 0 };
const NO_TEXT = 'no slide of this deck could be read';

/** Why calls are not made that read the whole deck. */
interface Obstacle extends Pick<MissingScope, 'status' | 'reason'> {
  /** Of its gaps. */
  readonly code: string;
  /** The calls that are not made. */
  readonly subjects: readonly CallSubject[];
}

/** Values that an analysis looks for, and whether it makes a profile. */
export interface ExtractionsInput extends AnalysisRef {
  readonly fields: readonly ExtractionField[];
  readonly withProfile: boolean;
}

/** Plans what the stages of one analysis need. */
export class StagePlanner {
  readonly #db: PrismaClient;
  readonly #contexts: AnalysisContexts;

  constructor(db: PrismaClient, contexts: AnalysisContexts) {
    this.#db = db;
    this.#contexts = contexts;
  }

  /** Takes over what a replay keeps, and plans the rest. */
  async #plan(context: AnalysisContext, subjects: readonly CallSubject[], source?: CallInputSource): Promise<CallPlan> {
    const kept = await keepFromOrigin(this.#db, context, subjects);
    const plan = await planCalls(this.#db, context, kept.open, source);
    return { calls: plan.calls, cached: plan.cached + kept.cached, failed: plan.failed + kept.failed };
  }

  /** The visual calls of rendered pages; pages that could not be rendered become gaps. */
  async slides(
    input: AnalysisRef & VisualScope & { readonly pages: readonly number[] },
  ): Promise<CallPlan & { readonly failedPages: number }> {
    const context = await this.#contexts.get(input.analysisId);
    // Asked first: this is tried again every second while a machine boots.
    for (const { task } of visualCalls(input, [0])) pinnedSetup(context, task);
    const rows = await this.#db.slide.findMany({
      where: { deckId: context.deckId, renderKey: RENDER_KEY, number: { in: [...input.pages] } },
      orderBy: { number: 'asc' },
    });
    const { tenantId, analysisId } = context;
    const rendered = rows.filter((r) => r.modelBlobKey !== null);
    for (const row of rows) {
      if (row.modelBlobKey !== null) {
        await storeSteering(this.#db, { tenantId, analysisId, slideNumber: row.number, found: steeringOnSlide(row) });
        continue;
      }
      await recordGap(this.#db, {
        tenantId,
        analysisId,
        item: pageGapItem(row.number),
        stage: 'slides',
        slideNumber: row.number,
        code: row.failureCode ?? 'page_render_failed',
        message: `Page ${row.number} could not be rendered: ${row.failureMessage ?? 'unknown reason'}`,
      });
    }
    const subjects = visualCalls(
      input,
      rendered.map((row) => row.number),
    );
    const source = new CallInputSource(this.#db, context, { slides: rendered });
    return { ...(await this.#plan(context, subjects, source)), failedPages: rows.length - rendered.length };
  }

  /** The calls that shorten a deck which does not fit the model's window; none when it fits. */
  async condensation(input: AnalysisRef): Promise<CallPlan> {
    const context = await this.#contexts.get(input.analysisId);
    const deck = await assembleDeckText(this.#db, context);
    await this.#db.analysis.update({ where: { id: input.analysisId }, data: { condensed: deck.tooLong } });
    if (!deck.tooLong) return NOTHING_PLANNED;
    const subjects = slidesToCondense(deck.slides).flatMap(({ number }) =>
      tasksOfStep('condensation').map((task) => callSubject(task, { slideNumber: number })),
    );
    return this.#plan(context, subjects, new CallInputSource(this.#db, context, { texts: deck.slides }));
  }

  /** The extraction calls and that of the profile; skipped with a reason when nothing could be read. */
  async extractions(input: ExtractionsInput): Promise<CallPlan> {
    const fields = input.fields.map((field) => callSubject(taskOfField(field)));
    const subjects = [...fields, ...(input.withProfile ? [callSubject('extract_profile')] : [])];
    return this.#deckCalls(await this.#contexts.get(input.analysisId), subjects);
  }

  /** The classification call; skipped with a reason when nothing could be read. */
  async classification(input: AnalysisRef): Promise<CallPlan> {
    const subjects = tasksOfStep('classification').map((task) => callSubject(task));
    return this.#deckCalls(await this.#contexts.get(input.analysisId), subjects);
  }

  /** Calls that read the whole deck. Each of them is a gap where nothing of it could be read, or not in its language. */
  async #deckCalls(context: AnalysisContext, subjects: readonly CallSubject[]): Promise<CallPlan> {
    const source = new CallInputSource(this.#db, context);
    const obstacle = await this.#obstacleOf(context, source, subjects);
    if (obstacle === null) return this.#plan(context, subjects, source);
    await this.#skip(context, obstacle.subjects, obstacle, (scope) => gapOf(scope, obstacle.code));
    const others = subjects.filter((subject) => !obstacle.subjects.includes(subject));
    return others.length === 0 ? NOTHING_PLANNED : this.#plan(context, others, source);
  }

  /**
   * What keeps some of these calls, which read the whole deck, from being made; null for nothing. Stores what only the whole deck tells: its
   * language, and attempts to steer the score that are spread over slides.
   */
  async #obstacleOf(
    context: AnalysisContext,
    source: CallInputSource,
    subjects: readonly CallSubject[],
  ): Promise<Obstacle | null> {
    const [first] = subjects;
    if (first === undefined) return null;
    const { readableSlides, slides, steering } = await source.deckText(first.task);
    const { tenantId, analysisId } = context;
    for (const { page, text } of steering)
      await storeSteering(this.#db, { tenantId, analysisId, slideNumber: page, found: [text] });
    if (readableSlides === 0) return { status: 'unreadable', reason: NO_TEXT, code: NO_TEXT_CODE, subjects };
    // Its data take much memory: they are loaded where the first deck is read.
    const { deckLanguage } = await import('../../domain/pages/language.ts');
    const found = deckLanguage(slides.map(textOfSlide));
    await this.#db.deck.updateMany({ where: { id: context.deckId }, data: { language: found?.language ?? null } });
    const foreign = subjects.filter(
      ({ task }) => readsSentences(task) && isForeign(found, context.tasks[task].languages),
    );
    const [unread] = foreign;
    if (unread === undefined) return null;
    const language = found?.language ?? null;
    const reason = `the deck is in ${language === null ? 'another language' : languageName(language, 'en')}, which ${context.tasks[unread.task].modelName} does not read`;
    return { status: 'skipped', reason, code: LANGUAGE_CODE, subjects: foreign };
  }

  /** Writes that results are missing because their calls are not made, each with its gap where it is one. */
  async #skip(
    { tenantId, analysisId }: AnalysisContext,
    subjects: readonly CallSubject[],
    { status, reason }: Pick<MissingScope, 'status' | 'reason'>,
    gapOfSkipped?: (scope: MissingScope) => Promise<GapInput>,
  ): Promise<void> {
    await this.#db.$transaction(async (tx) => {
      for (const subject of subjects) {
        const scope = { tx, tenantId, analysisId, subject, status, reason };
        await writeMissing(scope);
        if (gapOfSkipped !== undefined) await recordGap(tx, await gapOfSkipped(scope));
      }
    });
  }

  /**
   * Chooses the template, records why, and plans its answers. Where the deck cannot be read there is one gap for all of them.
   *
   * @throws DeckhandError `template_missing` when neither the asked template nor the fallback has questions.
   */
  async answers(input: AnalysisRef): Promise<CallPlan> {
    const context = await this.#contexts.get(input.analysisId);
    const questions = await settleTemplate(this.#db, context);
    const source = new CallInputSource(this.#db, context);
    const subjects = questions.flatMap(({ id }) =>
      tasksOfStep('answers').map((task) => callSubject(task, { questionId: id })),
    );
    const obstacle = await this.#obstacleOf(context, source, subjects);
    if (obstacle === null) return this.#plan(context, subjects, source);
    await this.#skip(context, subjects, obstacle);
    await recordGap(this.#db, {
      tenantId: context.tenantId,
      analysisId: context.analysisId,
      item: ALL_ANSWERS_ITEM,
      stage: 'template',
      code: obstacle.code,
      message: `${counted(questions.length, 'question was', 'questions were')} not asked: ${obstacle.reason}`,
    });
    return NOTHING_PLANNED;
  }

  /** The scoring calls of every answer that is there, or of the one to a question. */
  async scores(input: AnalysisRef & { readonly questionId?: string }): Promise<CallPlan> {
    const context = await this.#contexts.get(input.analysisId);
    const answers = await this.#db.answer.findMany({
      where: {
        analysisId: input.analysisId,
        status: 'answered',
        ...(input.questionId === undefined ? {} : { questionId: input.questionId }),
      },
      select: { questionId: true },
    });
    const subjects = answers.flatMap(({ questionId }) =>
      tasksOfStep('scores').map((task) => callSubject(task, { questionId })),
    );
    return this.#plan(context, subjects);
  }

  /**
   * The specialised readings. In a full review only health sectors get them; asked for alone they are always made.
   */
  async specialised(
    input: AnalysisRef & { readonly kinds: readonly SpecialisedKind[]; readonly onlyForHealth: boolean },
  ): Promise<CallPlan> {
    const context = await this.#contexts.get(input.analysisId);
    const subjects = input.kinds.map((kind) => callSubject(taskOfSpecialised(kind)));
    const reason = await this.reasonToSkipSpecialised(input);
    if (reason === null) return this.#deckCalls(context, subjects);
    await this.#skip(context, subjects, { status: 'skipped', reason });
    return NOTHING_PLANNED;
  }

  /** Why a full review makes no specialised readings of this deck; null when it makes them. */
  async reasonToSkipSpecialised(input: AnalysisRef & { readonly onlyForHealth: boolean }): Promise<string | null> {
    if (!input.onlyForHealth) return null;
    const context = await this.#contexts.get(input.analysisId);
    const { tenantId, analysisId } = context;
    const classification = await this.#db.classification.findUnique({ where: { analysisId } });
    const slug = classification?.sectorSlug ?? null;
    if (slug === null) return 'the sector of this deck is not known; specialised readings are for health sectors';
    const sector = await this.#db.sector.findUnique({
      where: { tenantId_slug: { tenantId, slug } },
    });
    return sector?.isHealth === true ? null : `sector ${sector?.name ?? slug} is not a health sector`;
  }
}

/** True for a task that needs the language of the deck. Names, amounts and dates are found by their form. */
const readsSentences = (task: ModelTask): boolean => (MODEL_TASKS[task].value ?? 'prose') === 'prose';
